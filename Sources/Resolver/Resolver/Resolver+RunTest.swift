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
