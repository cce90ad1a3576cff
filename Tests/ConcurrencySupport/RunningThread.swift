#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread that runs. When `join` returns it is gone, with all that its body held.
package final class RunningThread: @unchecked Sendable {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    #if canImport(Darwin)
        private var thread: pthread_t?
        private var handle: pthread_t { thread! }
    #else
        private var thread = pthread_t()
        private var handle: pthread_t { thread }
    #endif

    private let isJoined = Box(false)

    package init(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        let body = Unmanaged.passRetained(Body(body)).toOpaque()
        let result = pthread_create(&thread, &attributes, { RunningThread.enter($0) }, body)
        precondition(result == 0, "the thread could not be started")
        pthread_attr_destroy(&attributes)
    }

    /// - Parameter body: is optional where the system has not said that it is not nil.
    private static func enter(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(body!).takeRetainedValue().run()
        return nil
    }

    deinit { if !isJoined.value { pthread_detach(handle) } }

    package func join() {
        isJoined.set(true)
        pthread_join(handle, nil)
    }
}
