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
    #else
        private var thread = pthread_t()
    #endif

    private let isJoined = Box(false)

    package init(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        #if canImport(Darwin)
            let result = pthread_create(&thread, &attributes, { RunningThread.enter($0) }, RunningThread.pass(body))
        #else
            let result = pthread_create(&thread, &attributes, { RunningThread.enter($0!) }, RunningThread.pass(body))
        #endif
        precondition(result == 0, "the thread could not be started")
        pthread_attr_destroy(&attributes)
    }

    private static func pass(_ body: @escaping @Sendable () -> Void) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Body(body)).toOpaque()
    }

    private static func enter(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
    }

    deinit {
        guard !isJoined.value else { return }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    package func join() {
        isJoined.set(true)
        #if canImport(Darwin)
            pthread_join(thread!, nil)
        #else
            pthread_join(thread, nil)
        #endif
    }
}
