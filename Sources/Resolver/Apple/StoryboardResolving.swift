// watchOS has a UIKit module without view controllers.
#if canImport(UIKit) && !os(watchOS)
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
#endif
