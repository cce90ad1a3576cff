/// A weak reference as a value.
///
/// `@unchecked Sendable`: it is set once, and Swift's weak references may be read by any thread.
struct WeakReference: @unchecked Sendable {
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }
}
