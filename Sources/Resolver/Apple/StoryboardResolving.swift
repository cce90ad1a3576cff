// watchOS has a module UIKit too, but no view controllers in it.
#if canImport(UIKit) && !os(watchOS)
    /// Adopt it in a view controller that a storyboard makes, to give the controller its services:
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
#endif
