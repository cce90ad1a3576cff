// watchOS has a module UIKit too, but no view controllers in it.
#if canImport(UIKit) && !os(watchOS)
    import UIKit

    extension UIViewController {
        /// Set by a storyboard, as a User Defined Runtime Attribute: resolves the services of a controller that is
        /// `StoryboardResolving`. Always true; what is assigned does not matter.
        // Storyboards set it by its Objective-C name. Where there is no Objective-C, the rest still compiles and runs.
        #if canImport(ObjectiveC)
            @objc
        #endif
        public dynamic var resolving: Bool {
            get { true }
            set { (self as? any StoryboardResolving)?.resolveViewController() }
        }
    }
#endif
