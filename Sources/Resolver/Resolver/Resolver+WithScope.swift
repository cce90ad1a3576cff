extension Resolver {
    /// Runs `body` in a new scope, which ends when `body` returns or throws.
    ///
    ///     let response = Resolver.withScope(.request, id: id) { handle(request) }
    ///
    /// Inside `body`, the scope is the current one of its kind. The end of the scope releases its instances and registrations.
    /// When `body` ends, the scopes that it has set by `setCurrent` and not cleared end too.
    ///
    /// - Parameters:
    ///   - kind: the kind of the scope. Even a scope of a process-bound kind is current for `body` alone.
    ///   - id: a label.
    ///   - expiry: when the scope expires, measured by `Resolver.clock`. An expired scope ends even if `body` still runs.
    /// - Throws: the error of `body`.
    // Disfavored, so that asynchronous code always uses the form that awaits asynchronous hooks.
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

    /// Runs `body` in a new scope. `body` returns its error, or nil.
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

    /// Runs an asynchronous `body` in a new scope, and returns when the release hooks of the scope have run.
    ///
    /// Asynchronous code always uses this form, even if `body` awaits nothing. `body` stays on the caller's actor. Child
    /// tasks, and tasks that `body` starts, belong to the scope too.
    ///
    /// - Throws: the error of `body`.
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

    /// Runs `body` in a new scope. `body` returns its error, or nil.
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
    /// Runs `body`, and lets child tasks see the scopes that the running task sets by `setCurrent` inside it.
    ///
    /// Use it once in a middleware, for handlers that set and clear scopes in one task. Scopes that are still set when `body`
    /// returns are ended.
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
