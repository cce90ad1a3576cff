/// The current scopes: which screen, session and request is current.
///
///     ScopeContext.shared.setCurrent(.session, id: user.id)
///     ScopeContext.shared.clear(.session)
///
/// All functions may be called from any thread, task and actor. For a scope that ends with a piece of code, such as a request, use
/// `Resolver.withScope`, which always ends the scope.
public final class ScopeContext: Sendable {
    /// The only instance of `ScopeContext`.
    public static let shared = ScopeContext()

    private let stateOutsideTests = Guarded(ContextState())
    /// The current scopes of process-bound kinds, and what is counted for kinds, in the process or in the running test.
    var state: Guarded<ContextState> { World.current?.test?.context ?? stateOutsideTests }
    /// All scopes that have begun and not ended.
    private let begun = Guarded(OpenScopes())

    private init() {}

    // MARK: Setting

    /// Begins a scope and makes it current.
    ///
    /// A scope of a process-bound kind becomes current for the process. If the current scope has another id, it ends; if it has this
    /// id, it stays. A scope of another kind becomes current for the running task alone, or for the thread outside of tasks. The new
    /// scope hides an outer scope until the new one is cleared. This also holds for any kind inside a `withScope` of that kind.
    ///
    /// - Parameters:
    ///   - id: a label, kept as it is.
    ///   - expiry: when the scope expires, by `Resolver.clock`. If the scope is already current, its time restarts; nil leaves the time
    ///     unchanged.
    /// - Returns: the current scope. Use it to end this scope and no other.
    @discardableResult
    public func setCurrent(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        if kind.binding == .process, let current = current(kind), current.id == id {
            current.restart(expiry)
            return current
        }
        return set(kind, id: id, expiry, at: SourceLocation(fileID: fileID, line: line), restarts: true) { $0.id == id }
    }

    /// - Parameters:
    ///   - restarts: whether the time of the scope restarts with `expiry`, if another thread has set it meanwhile and `isEnough`
    ///     accepts it.
    private func set(
        _ kind: ScopeKind, id: String, _ expiry: ScopeExpiry?, at location: SourceLocation, restarts: Bool,
        unless isEnough: (ScopeHandle) -> Bool
    ) -> ScopeHandle {
        begin(kind, id: id, expiresAfter: expiry, at: location) { new in
            let current = makeCurrent(new, unless: isEnough) ?? new
            if restarts, current !== new { current.restart(expiry) }
            return current
        }
    }

    /// Makes a scope current for the process, or for the running code alone: if the kind is not bound to the process, or if the code
    /// has its own scope of the kind.
    ///
    /// - Returns: the current scope: the new one, or one that a faster thread has set and `isEnough` accepts; nil if the new scope
    ///   has ended already, which leaves the old one current.
    private func makeCurrent(_ new: ScopeHandle, unless isEnough: (ScopeHandle) -> Bool) -> ScopeHandle? {
        if new.kind.binding == .process, ScopeFrame.innermost(new.kind) == nil { return install(new, unless: isEnough) }
        ScopeFrame.current.push(new)
        return new.hasEnded ? nil : new
    }

    /// Begins a scope that is not current for any code. Keep its handle, and call `run` to run code in it.
    ///
    /// The scope ends with `end()`, `endAndWait()`, its expiry, or the last reference to its handle. In the last case observers get
    /// `ScopeEvent.dropped`.
    ///
    /// - Parameter expiry: when the scope expires, by `Resolver.clock`.
    public func open(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        begin(
            kind, id: id, expiresAfter: expiry, at: SourceLocation(fileID: fileID, line: line), isHeldByUser: true)
    }

    /// Begins a scope of a process-bound kind, unless one is current.
    ///
    /// - Parameter expiry: when the new scope expires, by `Resolver.clock`. It does not change a scope that is current.
    @discardableResult
    public func ensureCurrent(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        let location = SourceLocation(fileID: fileID, line: line)
        return current(kind) ?? set(kind, id: id, expiry, at: location, restarts: false) { _ in true }
    }

    /// Prepares a new scope of a process-bound kind, makes it current when `build` returns, and ends the old scope.
    ///
    /// Inside `build` the new scope is current. Elsewhere the old scope is current until `build` returns, and stays current if
    /// `build` throws. Code that has its own scope of the kind, for example inside `withScope`, replaces that scope for itself alone,
    /// as `setCurrent` does. A scope that the code has set there ends, and the scope of `withScope` is hidden until the new one ends.
    ///
    /// - Parameter expiry: when the new scope expires, by `Resolver.clock`.
    /// - Throws: what `build` throws; `ResolutionError` with the code `scopeEnded` if the new scope has ended meanwhile.
    @discardableResult
    nonisolated(nonsending) public func replaceCurrent<Result>(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, _ build: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        precondition(kind.binding == .process, Messages.notBoundToProcess(kind))
        let new = begin(kind, id: id, expiresAfter: expiry, at: SourceLocation(fileID: fileID, line: line))
        do {
            let result = try await new.run(build)
            let own = ScopeFrame.current.lastSet(kind)
            if new.endIfExpired(isUse: false) || makeCurrent(new, unless: { _ in false }) !== new {
                throw ResolutionError.scopeEnded(new)
            }
            own?.end(.replaced)
            return result
        } catch {
            await new.endAndWait(ReleaseReason(error))
            throw error
        }
    }

    // MARK: Asking

    /// Returns the id of the current scope of a kind, for the calling code.
    public func currentID(for kind: ScopeKind) -> String? { current(kind)?.id }

    /// Returns the current scope of a kind, for the calling code.
    public func current(_ kind: ScopeKind) -> ScopeHandle? { InnermostScopes(kind).first(where: \.isCurrent) }

    /// Returns the innermost scope of a kind for the running code, even if it has ended.
    @inline(__always)
    func innermost(_ kind: ScopeKind) -> ScopeHandle? { ScopeFrame.innermost(kind) ?? innermostOutside(kind) }

    /// Returns the scope of a kind that is current for code without its own scope, even if it has ended.
    private func innermostOutside(_ kind: ScopeKind) -> ScopeHandle? {
        let ofProcess = state.withLock { $0[kind] }.flatMap { TaskFrame.sees($0) ? $0 : nil }
        // What a creation task sets comes before what is hidden from it.
        guard let hidden = ScopeFrame.hiddenByCreation(kind) else { return ofProcess }
        return ofProcess.flatMap { $0.number > hidden.number ? $0 : nil } ?? hidden
    }

    /// The current scopes of process-bound kinds, in the process or in the running test.
    var ofProcess: [ScopeHandle] { state.withLock { $0.all.filter(TaskFrame.sees) } }

    /// Returns the owners of open scopes that have an entry for a registration.
    ///
    /// Copies only the owners that it returns, because a resolver with many registrations, or one of many scopes, may be ending.
    func owners(keeping registration: AnyResolverRegistration) -> [RegistrationOwner] {
        begun.withLock { $0.list.all { $0.owner.isolatedCells?.knows(registration) == true }.map(\.owner) }
    }

    /// The open scopes, each with its own registrations. Scopes without any are included, because dropping a reference may end a scope.
    var scopesWithRegistrations: [(scope: ScopeHandle, registrations: Resolver?)] {
        // The references are released outside the lock, because the last one may end a scope.
        begun.withLock { $0.list.all().compactMap(\.handle) }.map { ($0, $0.registrations) }
    }

    /// Returns the scopes of the test, or of the process, that have not ended, also those whose time is over.
    ///
    /// The youngest comes first.
    func unended(where isMeant: (ListedScope) -> Bool = { _ in true }) -> [ScopeHandle] {
        let test = World.testNumber
        // The references are released outside the lock.
        let listed = begun.withLock { $0.list.all(in: test, where: isMeant).compactMap(\.handle) }
        return listed.filter { !$0.hasEnded }.sorted(by: { -Int($0.number) })
    }

    /// The scopes that are current for the running code, the shortest-lived first.
    var currentScopes: [ScopeHandle] {
        var kinds: [ScopeKind] = []
        for scope in ScopeFrame.all + ofProcess where !kinds.contains(scope.kind) { kinds.append(scope.kind) }
        // Looked up one by one: the end of an expired scope runs hooks, which may set another scope.
        return kinds.compactMap(current).sorted(by: \.kind.rank)
    }

    /// Returns the scopes that have begun and not ended, the oldest first. In a test, returns the scopes of that test.
    ///
    /// Use it to find scopes that were never cleared.
    public func openScopes() -> [ScopeHandle] { unended().reversed().filter(\.isCurrent) }

    // MARK: Beginning and ending

    /// Begins a scope, and makes it current with `enter`.
    ///
    /// - Parameters:
    ///   - isHeldByUser: whether the scope ends with the last reference to it.
    ///   - enter: returns the scope that is current: the new one, or one that another thread made current first.
    func begin(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, at location: SourceLocation,
        isHeldByUser: Bool = false, _ enter: (ScopeHandle) -> ScopeHandle = { $0 }
    ) -> ScopeHandle {
        let test = World.testNumber, index = begun.withLock { $0.list.reserve(in: test) }
        let new = ScopeHandle(
            kind, id: id, expiresAfter: expiry, at: location, listedAt: index, isHeldByUser: isHeldByUser)
        let isObserved = ScopeEvent.isObserved
        if isObserved { new.holdOpening() }
        let listed = ListedScope(new)
        // Lists the scope and looks for others in one step, so the later of two scopes with one id finds the earlier one.
        let sameIDs = begun.withLock { begun -> [ScopeHandle] in
            guard begun.put(listed, at: index, isObserved: isObserved) > 1 else { return [] }
            return begun.list.all(in: test) { $0.key == listed.key }.compactMap(\.handle)
        }
        let hasSameID = sameIDs.contains { $0 !== new && $0.isOpen }
        let entered = enter(new)
        if entered !== new { return entered }
        if id.isEmpty { ScopeEvent.emit { .emptyID(kind) } }
        if hasSameID { ScopeEvent.emit { .sameID(new.description) } }
        new.reportOpening()
        return new
    }

    /// Makes a scope current for the process, and ends the old one. See `makeCurrent`.
    private func install(_ new: ScopeHandle, unless isEnough: (ScopeHandle) -> Bool) -> ScopeHandle? {
        let state = state
        var current, old: ScopeHandle?
        // A clock that sets another scope whenever it is read must not keep the call from ending.
        for _ in 0..<ReleaseHooks.mostRounds {
            (current, old) = state.withLock { scopes in
                if let faster = scopes[new.kind], isEnough(faster), !faster.hasEnded { return (faster, nil) }
                return new.hasEnded ? (nil, nil) : (new, scopes.put(new))
            }
            // A scope whose time is over ends now.
            if current === new || current?.isCurrent != false { break }
        }
        if current !== new {
            // Other code may have found the new scope in the list and used it.
            new.end(.replaced, isReported: false)
            return current
        }
        if let old {
            new.replace(old)
            if old.isCurrent { old.end(.replaced) }
        }
        new.callAtEnd { state.discard { $0[new.kind] === new ? $0.remove(new.kind) : nil } }
        // A scope that begins after the end of its test would never end.
        if World.current?.test?.hasEnded == true { new.end() }
        return new
    }

    /// Removes a scope that is about to end from the list.
    func forget(listedAt index: Int, in test: UInt64) { begun.discard { $0.remove(at: index, in: test) } }
}
