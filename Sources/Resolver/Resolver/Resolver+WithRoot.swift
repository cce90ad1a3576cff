extension Resolver {
    /// Runs `operation` with `resolver` as `Resolver.root`, for this task and its children only.
    ///
    ///     Resolver.withRoot(Resolver(isolating: .main)) { CheckoutTests().run() }
    ///
    /// Static functions that resolve, property wrappers and `Resolving` use it: in `operation`, in child tasks, and in tasks
    /// that `operation` starts by `Task { }`, even if they outlive it. `Task.detached`, threads and dispatch queues do not:
    /// call `run` of the resolver there. An assignment of `Resolver.root` inside `operation` is visible to that code only.
    ///
    /// Static `register` still registers on `Resolver.main`.
    ///
    /// - Throws: the error of `operation`.
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
    /// - Throws: the error of `operation`.
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

    /// Runs `operation` with this resolver as `Resolver.root`, on a thread, a queue or a detached task.
    ///
    /// Such code does not inherit the root of a task.
    ///
    ///     let resolver = Resolver.root
    ///     queue.async { resolver.run { upload() } }
    ///
    /// The resolver of a test, and every resolver made in it, also provides the test's `main`, screens and sessions.
    ///
    /// - Throws: the error of `operation`.
    @_alwaysEmitIntoClient
    @discardableResult
    public func run<Result, Failure: Error>(_ operation: () throws(Failure) -> Result) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        enter { result = Swift.Result(catching: operation) }
        return try result.get()
    }

    /// Runs asynchronous `operation` with this resolver as `Resolver.root`, on the caller's actor.
    ///
    /// - Throws: the error of `operation`.
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

    // The functions above call these. They are not generic, because an unspecialized generic result costs more than the call.

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
        guard let made = owner.world else { return World(root: self) }
        // Code of a test inside the one that made the resolver, which may be its suite, stays in its test.
        let isInside = World.current?.test.map(owner.belongs(to:)) ?? false
        let test = isInside ? World.current?.ofTest ?? made : made
        return test.root === self || test.main === self ? test : World(root: self, in: test)
    }
}
