extension Resolver {
    /// Runs `body` in a scope of its own, which ends when `body` returns or throws.
    ///
    ///     let response = Resolver.withScope(.request, id: id) { handle(request) }
    ///
    /// Inside, the scope is the current one of its kind. When the call returns, everything that was made for the scope and
    /// registered in it is released, and so is what `body` has set by `setCurrent` and not cleared.
    ///
    /// - Parameters:
    ///   - kind: any kind, also one that is bound to the process: here it is current for `body` alone.
    ///   - id: a label.
    ///   - expiry: when it expires, by `Resolver.clock`: it ends then, although `body` still runs.
    /// - Throws: what `body` throws.
    // Disfavored, so that asynchronous code always gets the form that waits for asynchronous hooks, whatever `body` does.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    @discardableResult
    public static func withScope<Result, Failure: Error>(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        inScope(kind, id, expiry, fileID, line) {
            result = Swift.Result(catching: body)
            if case .failure(let error) = result { return error }
            return nil
        }
        return try result.get()
    }

    /// - Parameter body: returns its error, if it has failed.
    @usableFromInline
    static func inScope(
        _ kind: ScopeKind, _ id: String, _ expiry: ScopeExpiry?, _ fileID: StaticString, _ line: UInt,
        _ body: () -> (any Error)?
    ) {
        let handle = ScopeContext.shared.begin(
            kind, id: id, expiresAfter: expiry, at: SourceLocation(fileID: fileID, line: line))
        var error: (any Error)?
        ScopeFrame.entering(handle) { error = body() }
        handle.end(error.map(ReleaseReason.init) ?? .returned)
    }

    /// Runs asynchronous code in a scope of its own, and returns when the release hooks of the scope have run.
    ///
    /// Asynchronous code always gets this form, also where `body` awaits nothing. `body` stays on the caller's actor. Child
    /// tasks, and tasks that are started inside, belong to the scope as well.
    ///
    /// - Throws: what `body` throws.
    @_alwaysEmitIntoClient
    @discardableResult
    nonisolated(nonsending) public static func withScope<Result, Failure: Error>(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        await inScope(kind, id, expiry, fileID, line) {
            do throws(Failure) {
                result = .success(try await body())
                return nil
            } catch {
                result = .failure(error)
                return error
            }
        }
        return try result.get()
    }

    /// - Parameter body: returns its error, if it has failed.
    @usableFromInline
    nonisolated(nonsending) static func inScope(
        _ kind: ScopeKind, _ id: String, _ expiry: ScopeExpiry?, _ fileID: StaticString, _ line: UInt,
        _ body: nonisolated(nonsending) () async -> (any Error)?
    ) async {
        let handle = ScopeContext.shared.begin(
            kind, id: id, expiresAfter: expiry, at: SourceLocation(fileID: fileID, line: line))
        var reason = ReleaseReason.returned
        await handle.enter { if let error = await body() { reason = ReleaseReason(error) } }
        await handle.endAndWait(reason)
    }
}

extension ScopeContext {
    /// Lets child tasks see what the running task sets by `setCurrent` inside `body`: one line in a middleware, for handlers
    /// that set and clear in the same task. What is left set is ended when `body` returns.
    @_alwaysEmitIntoClient
    @discardableResult
    nonisolated(nonsending) public static func boundary<Result, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>!
        await inBoundary {
            do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
        }
        return try result.get()
    }

    @usableFromInline
    nonisolated(nonsending) static func inBoundary(_ body: nonisolated(nonsending) () async -> Void) async {
        await ScopeFrame.entering(nil, isInherited: true, body)
    }
}
