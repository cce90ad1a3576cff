extension Resolver {
    /// Runs `operation` with `resolver` as `Resolver.root`, for this task and its children only.
    ///
    ///     Resolver.withRoot(Resolver(isolating: .main)) { CheckoutTests().run() }
    ///
    /// Static functions that resolve, property wrappers and `Resolving` follow it: in `operation`, in child tasks, and in
    /// tasks that it starts by `Task { }`, also when these outlive it. `Task.detached`, threads and dispatch queues do not:
    /// there, `run` of a resolver that was brought along does the same. `Resolver.root` may be assigned in `operation`,
    /// which no other code sees.
    ///
    /// Static `register` goes to `Resolver.main` as ever.
    ///
    /// - Throws: what `operation` throws.
    @discardableResult
    public static func withRoot<Result, Failure: Error>(
        _ resolver: Resolver, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Surroundings(root: resolver).enter(operation)
    }

    /// Runs asynchronous `operation` with `resolver` as `Resolver.root`, for this task and its children only, on the caller's
    /// actor.
    ///
    /// - Throws: what `operation` throws.
    @discardableResult
    nonisolated(nonsending) public static func withRoot<Result, Failure: Error>(
        _ resolver: Resolver, operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await Surroundings(root: resolver).enter(operation)
    }

    /// Runs `operation` with this resolver as `Resolver.root`: on a thread, on a queue, or in a detached task, to which the
    /// root of a task does not come by itself.
    ///
    ///     let resolver = Resolver.root
    ///     queue.async { resolver.run { upload() } }
    ///
    /// The resolver of a test, and any that was made in it, brings `main`, screens and sessions of the test along.
    ///
    /// - Throws: what `operation` throws.
    @discardableResult
    public func run<Result, Failure: Error>(_ operation: () throws(Failure) -> Result) throws(Failure) -> Result {
        try surroundings.enter(operation)
    }

    /// Runs asynchronous `operation` with this resolver as `Resolver.root`, on the caller's actor.
    ///
    /// - Throws: what `operation` throws.
    @discardableResult
    nonisolated(nonsending) public func run<Result, Failure: Error>(
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await surroundings.enter(operation)
    }

    private var surroundings: Surroundings {
        guard let test = owner.surroundings else { return Surroundings(root: self) }
        return test.root === self || test.main === self ? test : Surroundings(root: self, in: test)
    }
}
