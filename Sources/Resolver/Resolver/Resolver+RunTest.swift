extension Resolver {
    /// Runs `operation` as a test, with a resolver of its own as `main` and `root` that isolates what was `main` before. Which
    /// screen and which session is current there, and which scopes are open, is nobody else's business; and a reset reaches
    /// nothing outside. At its end everything is released that was made for it, as a part of it.
    ///
    /// - Parameter watch: told of everything that is asked for in the test, before it is made.
    package nonisolated(nonsending) static func runTest<Result, Failure: Error>(
        watch: (@Sendable (Resolution) -> Void)? = nil,
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let surroundings = surroundingsOfTest(watch)
        return try await surroundings.enter { () async throws(Failure) in
            surroundings.isolateMain()
            let result: Swift.Result<Result, Failure>
            do throws(Failure) {
                result = .success(try await ScopeFrame.entering(nil, in: nil, operation))
            } catch {
                result = .failure(error)
            }
            await surroundings.endTest()
            return try result.get()
        }
    }

    /// The same for synchronous code. Asynchronous hooks are not waited for.
    package static func runTest<Result, Failure: Error>(
        _ operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let surroundings = surroundingsOfTest(nil)
        return try surroundings.enter { () throws(Failure) in
            surroundings.isolateMain()
            defer { surroundings.endTest() }
            return try ScopeFrame.entering(nil, in: nil, operation)
        }
    }

    private static func surroundingsOfTest(_ watch: (@Sendable (Resolution) -> Void)?) -> Surroundings {
        // It may replace `main`, or give it a clock. An error comes again when something is asked for.
        try? Bootstrap.shared.run()
        return Surroundings(testing: main, watch: watch)
    }
}

extension Surroundings {
    /// Inside the test, so that its resolver knows whose it is.
    fileprivate func isolateMain() {
        let outer = root
        let own = Resolver(isolating: outer)
        own.clock = outer.clock
        own.defaultScope = outer.defaultScope
        (main, root) = (own, own)
    }

    fileprivate nonisolated(nonsending) func endTest() async {
        guard let test else { return }
        test.end()
        for scope in ScopeContext.shared.openScopes().reversed() { await scope.endAndWait(.cleared) }
        await CreationCell.emptyAndWait(Resolver.cells(in: test))
        ScopeEvent.removeObservers(in: test)
    }

    fileprivate func endTest() {
        guard let test else { return }
        test.end()
        ScopeContext.shared.clearAll()
        CreationCell.empty(Resolver.cells(in: test))
        ScopeEvent.removeObservers(in: test)
    }
}
