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

// MARK: Tests

extension Resolver {
    /// Runs `operation` as a test with its own resolver, which isolates the previous `root` and `main`.
    ///
    /// The resolver is `main` and `root` inside the test. The test has its own current screen, session and open scopes, and
    /// its resets affect nothing outside. At its end, all of its instances are released inside the test.
    ///
    /// - Parameters:
    ///   - watch: called with every request of the test before an instance is created.
    ///   - report: called with errors that have no caller to throw to.
    ///   - isOfTrait: whether a test trait runs the operation.
    package nonisolated(nonsending) static func runTest<Result, Failure: Error>(
        watch: ResolutionEvent.Watch? = nil, report: (@Sendable (ResolutionError) -> Void)? = nil,
        isOfTrait: Bool = false, _ operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        await runTest(in: worldOfTest(watch, report, isOfTrait: isOfTrait)) {
            do throws(Failure) { result = .success(try await operation()) } catch { result = .failure(leaving(error)) }
        }
        return try result.get()
    }

    /// Returns the error in a form that does not hold the test's resolver, for code outside the test.
    private static func leaving<Failure: Error>(_ error: Failure) -> Failure {
        (error as? ResolutionError)?.withKnownSuggestions() as? Failure ?? error
    }

    private nonisolated(nonsending) static func runTest(
        in world: World, _ operation: nonisolated(nonsending) () async -> Void
    ) async {
        await world.enter {
            world.isolateMain()
            await ScopeFrame.entering(nil, in: nil) {
                await operation()
                await world.endTest()
            }
        }
    }

    /// Runs synchronous code as a test with its own resolver. Does not wait for asynchronous hooks.
    package static func runTest<Result, Failure: Error>(
        _ operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        let world = worldOfTest()
        world.enter {
            world.isolateMain()
            ScopeFrame.entering(nil, in: nil) {
                result = Swift.Result(catching: operation).mapError(leaving)
                world.endTest()
            }
        }
        return try result.get()
    }

    private static func worldOfTest(
        _ watch: ResolutionEvent.Watch? = nil, _ report: (@Sendable (ResolutionError) -> Void)? = nil,
        isOfTrait: Bool = false
    ) -> World {
        // The bootstrap may replace `main` or set its clock. An error occurs again at the next request.
        try? Bootstrap.shared.run()
        return World(testing: main, root: unsettledRoot, watch: watch, report: report, isOfTrait: isOfTrait)
    }
}

extension World {
    fileprivate nonisolated(nonsending) func endTest() async {
        guard let test else { return }
        for _ in 0..<ReleaseHooks.mostRounds {
            let (scopes, cells) = World.left(in: test)
            if scopes.isEmpty, cells.isEmpty { break }
            await scopes.endAndWait(.cleared)
            await InstanceCell.emptyAndWait(cells)
        }
        end(test)
    }

    fileprivate func endTest() {
        guard let test else { return }
        World.releaseInstances(of: test)
        end(test)
    }

    /// Ends the scopes of the test and releases its instances, also those that hooks create meanwhile. Called inside the test.
    static func releaseInstances(of test: Test) {
        for _ in 0..<ReleaseHooks.mostRounds {
            let (scopes, cells) = left(in: test)
            if scopes.isEmpty, cells.isEmpty { break }
            scopes.end(.cleared)
            InstanceCell.empty(cells)
        }
    }

    /// Returns the scopes, the youngest first, and the cells that still keep an instance.
    @inline(never)
    private static func left(in test: Test) -> (scopes: [ScopeHandle], cells: [InstanceCell]) {
        (ScopeContext.shared.unended(), Resolver.cells(in: test).filter { !$0.isIdle })
    }

    @inline(never)
    private func end(_ test: Test) {
        test.end()
        // Ends scopes that a task has set meanwhile. From now on, a new scope of the test ends at once.
        ScopeContext.shared.clearAll()
        ScopeEvent.observers.removeAll(in: test)
        ResolutionEvent.observers.removeAll(in: test)
    }
}
