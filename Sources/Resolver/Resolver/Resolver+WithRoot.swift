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
    @_alwaysEmitIntoClient
    @discardableResult
    public static func withRoot<Result, Failure: Error>(
        _ resolver: Resolver, operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        resolver.enterAsRoot { result = Swift.Result(catching: operation) }
        return try result.get()
    }

    /// Runs asynchronous `operation` with `resolver` as `Resolver.root`, for this task and its children only, on the caller's
    /// actor.
    ///
    /// - Throws: what `operation` throws.
    @_alwaysEmitIntoClient
    @discardableResult
    nonisolated(nonsending) public static func withRoot<Result, Failure: Error>(
        _ resolver: Resolver, operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        await resolver.enterAsRoot {
            do throws(Failure) { result = .success(try await operation()) } catch { result = .failure(error) }
        }
        return try result.get()
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
    @_alwaysEmitIntoClient
    @discardableResult
    public func run<Result, Failure: Error>(_ operation: () throws(Failure) -> Result) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        enter { result = Swift.Result(catching: operation) }
        return try result.get()
    }

    /// Runs asynchronous `operation` with this resolver as `Resolver.root`, on the caller's actor.
    ///
    /// - Throws: what `operation` throws.
    @_alwaysEmitIntoClient
    @discardableResult
    nonisolated(nonsending) public func run<Result, Failure: Error>(
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        await enter {
            do throws(Failure) { result = .success(try await operation()) } catch { result = .failure(error) }
        }
        return try result.get()
    }

    // What these call: a result of a type that is not known here would cost more than the call.

    @usableFromInline
    func enterAsRoot(_ body: () -> Void) { World(root: self).enter(body) }

    @usableFromInline
    nonisolated(nonsending) func enterAsRoot(_ body: nonisolated(nonsending) () async -> Void) async {
        await World(root: self).enter(body)
    }

    @usableFromInline
    func enter(_ body: () -> Void) { world.enter(body) }

    @usableFromInline
    nonisolated(nonsending) func enter(_ body: nonisolated(nonsending) () async -> Void) async {
        await world.enter(body)
    }

    private var world: World {
        guard let test = owner.world else { return World(root: self) }
        return test.root === self || test.main === self ? test : World(root: self, in: test)
    }
}
