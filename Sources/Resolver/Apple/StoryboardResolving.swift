// watchOS has a UIKit module without view controllers.
#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// A view controller that resolves its services when a storyboard loads it.
    ///
    ///     class PageController: UIViewController, StoryboardResolving {
    ///         var model: PageModel!
    ///         func resolveViewController() { model = resolver.optional() }
    ///     }
    ///
    /// In Interface Builder, add the User Defined Runtime Attribute `resolving` of type Boolean to the controller.
    public protocol StoryboardResolving: Resolving {
        /// Called when the storyboard sets the attribute `resolving`, before the view is loaded.
        @MainActor @preconcurrency func resolveViewController()
    }

    extension UIViewController {
        /// An attribute that a storyboard sets to resolve the services of a `StoryboardResolving` controller.
        ///
        /// Set it as a User Defined Runtime Attribute. It is always true, and the assigned value has no effect.
        // Storyboards set it by its Objective-C name.
        #if canImport(ObjectiveC)
            @objc
        #endif
        public dynamic var resolving: Bool {
            get { true }
            set { (self as? any StoryboardResolving)?.resolveViewController() }
        }
    }
#endif
