extension Resolver {
    /// Runs `operation` as a test, with a resolver of its own as `main` and `root` that isolates what was `main` before. Which
    /// screen and which session is current there, and which scopes are open, no other code sees; and a reset reaches
    /// nothing outside. At its end everything is released that was made for it, as a part of it.
    ///
    /// - Parameters:
    ///   - watch: told of everything that is asked for in the test, before it is made.
    ///   - report: called with errors that have no caller to throw to.
    package nonisolated(nonsending) static func runTest<Result, Failure: Error>(
        watch: (@Sendable (Resolution) -> Void)? = nil, report: (@Sendable (ResolutionError) -> Void)? = nil,
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        await runTest(in: worldOfTest(watch, report)) {
            do throws(Failure) { result = .success(try await operation()) } catch { result = .failure(error) }
        }
        return try result.get()
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

    /// Runs synchronous code as a test, with a resolver of its own. Asynchronous hooks are not waited for.
    package static func runTest<Result, Failure: Error>(
        _ operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        let world = worldOfTest()
        world.enter {
            world.isolateMain()
            ScopeFrame.entering(nil, in: nil) {
                result = Swift.Result(catching: operation)
                world.endTest()
            }
        }
        return try result.get()
    }

    private static func worldOfTest(
        _ watch: (@Sendable (Resolution) -> Void)? = nil, _ report: (@Sendable (ResolutionError) -> Void)? = nil
    ) -> World {
        // It may replace `main`, or give it a clock. An error comes again when something is asked for.
        try? Bootstrap.shared.run()
        return World(testing: main, watch: watch, report: report)
    }
}

extension World {
    /// A hook may make something anew; one that always does is not followed for ever.
    private static let mostRounds = 10

    fileprivate nonisolated(nonsending) func endTest() async {
        guard let test else { return }
        for _ in 0..<World.mostRounds {
            let (scopes, cells) = World.left(in: test)
            if scopes.isEmpty, cells.isEmpty { break }
            for scope in scopes { await scope.endAndWait(.cleared) }
            await InstanceCell.emptyAndWait(cells)
        }
        end(test)
    }

    fileprivate func endTest() {
        guard let test else { return }
        for _ in 0..<World.mostRounds {
            let (scopes, cells) = World.left(in: test)
            if scopes.isEmpty, cells.isEmpty { break }
            for scope in scopes { scope.end(.cleared) }
            InstanceCell.empty(cells)
        }
        end(test)
    }

    /// What is still open, the youngest first, and where something is still kept.
    @inline(never)
    private static func left(in test: Test) -> (scopes: [ScopeHandle], cells: [InstanceCell]) {
        (ScopeContext.shared.openScopes().reversed(), Resolver.cells(in: test).filter { !$0.isIdle })
    }

    @inline(never)
    private func end(_ test: Test) {
        test.end()
        // What a task has set meanwhile; from now on it ends at once.
        ScopeContext.shared.clearAll()
        ScopeEvent.observers.removeAll(in: test)
        ResolutionEvent.observers.removeAll(in: test)
    }
}
