// watchOS has a UIKit module without view controllers.
#if canImport(UIKit) && !os(watchOS)
    import UIKit

    extension UIViewController {
        /// An attribute that a storyboard sets to resolve the services of a `StoryboardResolving` controller.
        ///
        /// Set it as a User Defined Runtime Attribute. It is always true, and the assigned value has no effect.
        // Storyboards set it by its Objective-C name. Without Objective-C, the rest still compiles and runs.
        #if canImport(ObjectiveC)
            @objc
        #endif
        public dynamic var resolving: Bool {
            get { true }
            set { (self as? any StoryboardResolving)?.resolveViewController() }
        }
    }
#endif
