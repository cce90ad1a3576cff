/// Which screen, which session, which request is current.
///
///     ScopeContext.shared.setCurrent(.session, id: user.id)
///     ScopeContext.shared.clear(.session)
///
/// All functions may be called from any thread, task and actor. Where the end of a scope is the end of a piece of code, as
/// with a request, `Resolver.withScope` is the form that cannot be got wrong.
public final class ScopeContext: Sendable {
    /// The one that there is.
    public static let shared = ScopeContext()

    private let slotsOfProcess = Surroundings.Slots([:])
    /// The current scopes of kinds that are bound to the process, or to a test.
    private var slots: Surroundings.Slots { Surroundings.current?.test?.slots ?? slotsOfProcess }
    /// All that have begun and not ended.
    private let begun = Guarded(Slab<ScopeHandle>())

    private init() {}

    // MARK: Setting

    /// Begins a scope and makes it current.
    ///
    /// For the whole process, if the kind is bound to it: another id ends the scope that was current, the same id leaves
    /// it as it is. Else for the running task alone, or the thread outside of tasks: a nested scope hides the outer one
    /// until it is cleared. The latter also inside a `withScope` of the same kind, which keeps to itself what is set in it.
    ///
    /// - Parameters:
    ///   - id: a label, kept as it is.
    ///   - seconds: the time, by `Resolver.clock`, after which it counts as ended.
    /// - Returns: the scope, to end this one and no other.
    @discardableResult
    public func setCurrent(
        _ kind: ScopeKind, id: String, expiresAfter seconds: Double? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        if kind.binding == .process, let current = current(kind), current.id == id { return current }
        return set(kind, id: id, seconds, at: SourceLocation(fileID: fileID, line: line)) { $0.id == id }
    }

    private func set(
        _ kind: ScopeKind, id: String, _ seconds: Double? = nil, at location: SourceLocation,
        unless isEnough: (ScopeHandle) -> Bool
    ) -> ScopeHandle {
        // Where code has a scope of the kind for itself alone, so it has what it sets.
        let isOwn = kind.binding == .execution || ScopeFrame.innermost(kind) != nil
        return begin(kind, id: id, expiresAfter: seconds, at: location) { new in
            if !isOwn { return place(new, unless: isEnough) ?? new }
            ScopeFrame.current.push(new)
            return new
        }
    }

    /// Begins a scope that is current for no code, for its handle to be kept and to `run` code in it.
    public func open(
        _ kind: ScopeKind, id: String, expiresAfter seconds: Double? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        begin(kind, id: id, expiresAfter: seconds, at: SourceLocation(fileID: fileID, line: line))
    }

    /// Begins a scope of a kind that is bound to the process, unless one is current.
    @discardableResult
    public func ensureCurrent(
        _ kind: ScopeKind, id: String, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ScopeHandle {
        current(kind) ?? set(kind, id: id, at: SourceLocation(fileID: fileID, line: line)) { _ in true }
    }

    /// Prepares another scope of a kind that is bound to the process, and makes it current when `build` has returned;
    /// then the old one ends.
    ///
    /// Inside `build` the new scope is current; everywhere else the old one still is. If `build` throws, it stays.
    ///
    /// - Throws: what `build` throws; `ResolutionError` with the code `scopeEnded` if the new scope has ended in the meantime.
    @discardableResult
    nonisolated(nonsending) public func replaceCurrent<Result>(
        _ kind: ScopeKind, id: String, fileID: StaticString = #fileID, line: UInt = #line,
        _ build: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        precondition(kind.binding == .process, Messages.notBoundToProcess(kind))
        let new = begin(kind, id: id, at: SourceLocation(fileID: fileID, line: line))
        do {
            let result = try await new.run(build)
            if new.isOver || place(new, unless: { _ in false }) !== new { throw ResolutionError.scopeEnded(new) }
            return result
        } catch {
            await new.endAndWait(.ended)
            throw error
        }
    }

    // MARK: Asking

    /// The id of the current scope of a kind, for the code that asks.
    public func currentID(for kind: ScopeKind) -> String? { current(kind)?.id }

    /// The current scope of a kind, for the code that asks.
    public func current(_ kind: ScopeKind) -> ScopeHandle? {
        guard var found = innermost(kind) else { return nil }
        while !found.isCurrent {
            // Another one may have taken its place meanwhile, so that there never was none.
            guard let next = innermost(kind), next !== found else { return nil }
            found = next
        }
        return found
    }

    /// The innermost scope of a kind for the running code, also if it has ended.
    @inline(__always)
    func innermost(_ kind: ScopeKind) -> ScopeHandle? {
        ScopeFrame.innermost(kind) ?? slots.withLock { $0[kind] }
    }

    /// The current scopes of kinds that are bound to the process, or to a test.
    var ofProcess: [ScopeHandle] { slots.withLock { Array($0.values) } }

    /// Where open scopes keep what is made for them, as far as they have anything for a registration.
    func keepers(of registration: AnyResolverRegistration) -> [CellDirectory] {
        begun.withLock { $0.all.map(\.directory).filter { $0.knows(registration) } }
    }

    /// The open scopes that have services of their own.
    var scopesWithRegistrations: [(scope: ScopeHandle, registrations: Resolver)] {
        let scopes = begun.withLock { $0.all }
        return scopes.compactMap { scope in scope.registrations.map { (scope, $0) } }
    }

    /// All that are current for the code that asks, the shortest-lived first.
    var currentScopes: [ScopeHandle] {
        let kinds = Set(ScopeFrame.all.map(\.kind)).union(slots.withLock { $0.keys })
        return kinds.compactMap(current).sorted { $0.kind.rank < $1.kind.rank }
    }

    /// All scopes that have begun and not ended, the oldest first: what was never cleared is found here. In a test with a
    /// resolver of its own, those of that test.
    public func openScopes() -> [ScopeHandle] {
        let test = Surroundings.testNumber
        return begun.withLock { $0.all }.filter { $0.owner.test == test && $0.isCurrent }
            .sorted { $0.number < $1.number }
    }

    // MARK: Beginning and ending

    func begin(
        _ kind: ScopeKind, id: String, expiresAfter seconds: Double? = nil, at location: SourceLocation,
        _ enter: (ScopeHandle) -> ScopeHandle = { $0 }
    ) -> ScopeHandle {
        let index = begun.withLock { $0.reserve() }
        let new = ScopeHandle(kind, id: id, expiresAfter: seconds, at: location, listedAt: index)
        let hasTwin = begun.withLock { begun in
            defer { begun.put(new, at: index) }
            return ScopeEvent.isObserved
                && begun.all.contains { $0.kind == kind && $0.id == id && $0.owner.test == new.owner.test }
        }
        let entered = enter(new)
        if entered !== new { return entered }
        if id.isEmpty { ScopeEvent.emit { .emptyID(kind) } }
        if hasTwin { ScopeEvent.emit { .sameID(new.description) } }
        ScopeEvent.emit { .opened(new.description) }
        return new
    }

    /// Makes a scope current for the process, and ends the one that was, unless that is enough: another thread was faster.
    ///
    /// - Returns: the one that is current; nil if the new one has ended already, and the one that was current stays.
    @discardableResult
    private func place(_ new: ScopeHandle, unless isEnough: (ScopeHandle) -> Bool) -> ScopeHandle? {
        let slots = slots
        let (current, old) = slots.withLock { slots -> (ScopeHandle?, ScopeHandle?) in
            if let faster = slots[new.kind], isEnough(faster), !faster.hasEnded { return (faster, nil) }
            return new.hasEnded ? (nil, nil) : (new, slots.updateValue(new, forKey: new.kind))
        }
        if current !== new {
            new.abandon()
            return current
        }
        if let old, old.isCurrent { old.end(.replaced) }
        new.isSet { slots.discard { $0[new.kind] === new ? $0.removeValue(forKey: new.kind) : nil } }
        // Otherwise it would never end.
        if Surroundings.current?.test?.hasEnded == true { new.end() }
        return new
    }

    /// A scope is about to end: it is not listed any more.
    func forget(listedAt index: Int) {
        begun.discard { $0.remove(at: index) }
    }
}
