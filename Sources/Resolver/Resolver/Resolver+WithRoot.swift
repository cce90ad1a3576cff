extension Resolver {
    /// Runs `operation` with `resolver` as `Resolver.root`, for this task and its children only.
    ///
    ///     Resolver.withRoot(Resolver(isolating: .main)) { CheckoutTests().run() }
    ///
    /// Static functions such as `resolve`, property wrappers and `Resolving` use `resolver` in `operation`, in child tasks, and
    /// in tasks that `operation` starts by `Task { }`, even if they outlive it. In `Task.detached`, on threads and on dispatch
    /// queues they do not: call `run` of the resolver there. An assignment of `Resolver.root` inside `operation` is visible to that code only.
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

    /// Runs `operation` with this resolver as `Resolver.root`.
    ///
    /// Use it on a thread, on a queue and in a detached task, which do not inherit the root of a task.
    ///
    ///     let resolver = Resolver.root
    ///     queue.async { resolver.run { upload() } }
    ///
    /// A resolver that was created in a test also provides the `main`, the screens and the sessions of that test.
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
        // A test may run inside the test, or the suite, that created the resolver. Its code stays in the inner test.
        let isInside = World.current?.test.map(owner.belongs(to:)) ?? false
        let test = isInside ? World.current?.ofTest ?? made : made
        return test.root === self || test.main === self ? test : World(root: self, in: test)
    }
}
