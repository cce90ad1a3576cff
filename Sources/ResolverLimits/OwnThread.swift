#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A thread with a stack of a chosen size. It has ended when `join` returns.
struct OwnThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: pthread_t

    init(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackSize)
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(&thread, &attributes, { OwnThread.enter($0) }, context)
        #else
            var thread: pthread_t? = pthread_t()
            let status = pthread_create(&thread!, &attributes, { OwnThread.enter($0) }, context)
        #endif
        pthread_attr_destroy(&attributes)
        guard status == 0, let thread else { fatalError("The system gives no more threads.") }
        self.thread = thread
    }

    func join() {
        pthread_join(thread, nil)
    }

    /// Performs `body` on a new thread while the caller waits.
    ///
    /// The caller waits, so only one thread uses the captures of `body` at a time.
    static func run(stackSize: Int, _ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            OwnThread(stackSize: stackSize) { body() }.join()
        }
    }

    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}
