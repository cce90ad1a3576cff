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

    private let slotsOfProcess = World.Slots(ScopeSlots())
    /// The current scopes of kinds that are bound to the process, or to a test.
    private var slots: World.Slots { World.current?.test?.slots ?? slotsOfProcess }
    /// All that have begun and not ended.
    private let begun = Guarded(Slab<Listed>())

    /// A scope in the list, with what is compared when others begin. An object, as a struct with all that is copied and destroyed several
    /// times for each scope.
    private final class Listed: Sendable {
        let kind: ScopeKind
        let id: String
        let test: UInt64
        let directory: CellDirectory
        private let strong: ScopeHandle?
        /// One that ends with the last reference to it.
        private let weak: WeakReference?

        init(_ handle: ScopeHandle) {
            (kind, id, test, directory) = (handle.kind, handle.id, handle.owner.test, handle.directory)
            (strong, weak) = handle.isHeldByUser ? (nil, WeakReference(handle)) : (handle, nil)
        }

        var handle: ScopeHandle? { strong ?? weak?.object as? ScopeHandle }
    }

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
    ///   - expiry: when it expires, by `Resolver.clock`. For a scope that is current already, the time begins anew; nil leaves
    ///     it as it is.
    /// - Returns: the scope, to end this one and no other.
    @discardableResult
    public func setCurrent(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        if kind.binding == .process, let current = current(kind), current.id == id {
            current.restart(expiry)
            return current
        }
        return set(kind, id: id, expiry, at: SourceLocation(fileID: fileID, line: line)) { $0.id == id }
    }

    private func set(
        _ kind: ScopeKind, id: String, _ expiry: ScopeExpiry?, at location: SourceLocation,
        unless isEnough: (ScopeHandle) -> Bool
    ) -> ScopeHandle {
        // Where code has a scope of the kind for itself alone, so it has what it sets.
        let isOwn = kind.binding == .execution || ScopeFrame.innermost(kind) != nil
        return begin(kind, id: id, expiresAfter: expiry, at: location) { new in
            if !isOwn {
                let current = place(new, unless: isEnough) ?? new
                if current !== new { current.restart(expiry) }
                return current
            }
            ScopeFrame.current.push(new)
            return new
        }
    }

    /// Begins a scope that is current for no code, for its handle to be kept and to `run` code in it.
    ///
    /// The scope ends with `end()`, `endAndWait()` or its time. If the last reference to the handle goes before that, the scope ends
    /// as well, and observers are told with `ScopeEvent.dropped`.
    ///
    /// - Parameter expiry: when it expires, by `Resolver.clock`.
    public func open(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        begin(
            kind, id: id, expiresAfter: expiry, at: SourceLocation(fileID: fileID, line: line), isHeldByUser: true)
    }

    /// Begins a scope of a kind that is bound to the process, unless one is current.
    ///
    /// - Parameter expiry: when the new scope expires, by `Resolver.clock`. It does not change one that is current.
    @discardableResult
    public func ensureCurrent(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ScopeHandle {
        current(kind) ?? set(kind, id: id, expiry, at: SourceLocation(fileID: fileID, line: line)) { _ in true }
    }

    /// Prepares another scope of a kind that is bound to the process, and makes it current when `build` has returned;
    /// then the old one ends.
    ///
    /// Inside `build` the new scope is current; everywhere else the old one still is. If `build` throws, it stays.
    ///
    /// - Parameter expiry: when the new scope expires, by `Resolver.clock`.
    /// - Throws: what `build` throws; `ResolutionError` with the code `scopeEnded` if the new scope has ended in the meantime.
    @discardableResult
    nonisolated(nonsending) public func replaceCurrent<Result>(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, _ build: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        precondition(kind.binding == .process, Messages.notBoundToProcess(kind))
        let new = begin(kind, id: id, expiresAfter: expiry, at: SourceLocation(fileID: fileID, line: line))
        do {
            let result = try await new.run(build)
            if new.endIfExpired(isUse: false) || place(new, unless: { _ in false }) !== new {
                throw ResolutionError.scopeEnded(new)
            }
            return result
        } catch {
            await new.endAndWait(ReleaseReason(error))
            throw error
        }
    }

    // MARK: Asking

    /// The id of the current scope of a kind, for the code that asks.
    public func currentID(for kind: ScopeKind) -> String? { current(kind)?.id }

    /// The current scope of a kind, for the code that asks.
    public func current(_ kind: ScopeKind) -> ScopeHandle? {
        var found = innermost(kind)
        while let scope = found, !scope.isCurrent { found = innermost(kind, insteadOf: scope) }
        return found
    }

    /// The innermost scope of a kind, if it is another one than `old` meanwhile: there may be one around that, or one that has taken its
    /// place, so that there never was none.
    func innermost(_ kind: ScopeKind, insteadOf old: ScopeHandle) -> ScopeHandle? {
        innermost(kind).flatMap { $0 === old ? nil : $0 }
    }

    /// The innermost scope of a kind for the running code, also if it has ended.
    @inline(__always)
    func innermost(_ kind: ScopeKind) -> ScopeHandle? {
        ScopeFrame.innermost(kind) ?? slots.withLock { $0[kind] }
    }

    /// The current scopes of kinds that are bound to the process, or to a test.
    var ofProcess: [ScopeHandle] { slots.withLock { $0.all } }

    /// Where open scopes keep what is made for them, as far as they have anything for a registration. The scopes themselves are not held:
    /// one that is dropped meanwhile would end on this thread.
    func keepers(of registration: AnyResolverRegistration) -> [CellDirectory] {
        begun.withLock { $0.all.map(\.directory) }.filter { $0.knows(registration) }
    }

    /// The open scopes, with what each has registered for itself. All of them, as a reference that is left out may be the last one.
    var scopesWithRegistrations: [(scope: ScopeHandle, registrations: Resolver?)] {
        open.map { ($0, $0.registrations) }
    }

    /// All that have begun and not ended. They leave the lock before they are released: the last reference may end a scope.
    private var open: [ScopeHandle] { begun.withLock { $0.all.compactMap(\.handle) } }

    /// All that are current for the code that asks, the shortest-lived first.
    var currentScopes: [ScopeHandle] {
        var kinds: [ScopeKind] = []
        for scope in ScopeFrame.all + ofProcess where !kinds.contains(scope.kind) { kinds.append(scope.kind) }
        return kinds.compactMap(current).sorted(by: \.kind.rank)
    }

    /// All scopes that have begun and not ended, the oldest first: what was never cleared is found here. In a test with a
    /// resolver of its own, those of that test.
    public func openScopes() -> [ScopeHandle] {
        let test = World.testNumber
        let open = begun.withLock { begun in begun.all { $0.test == test }.compactMap(\.handle) }
        return open.filter(\.isCurrent)
            .sorted(by: { Int($0.number) })
    }

    // MARK: Beginning and ending

    /// - Parameter isHeldByUser: whether it ends with the last reference to it.
    func begin(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry? = nil, at location: SourceLocation,
        isHeldByUser: Bool = false, _ enter: (ScopeHandle) -> ScopeHandle = { $0 }
    ) -> ScopeHandle {
        let index = begun.withLock { $0.reserve() }
        let new = ScopeHandle(
            kind, id: id, expiresAfter: expiry, at: location, listedAt: index, isHeldByUser: isHeldByUser)
        let listed = Listed(new)
        // One step lists and looks, so that of two with one id the later one finds the other.
        let twins = begun.withLock { begun -> [ScopeHandle] in
            defer { begun.put(listed, at: index) }
            guard ScopeEvent.isObserved else { return [] }
            return begun.all { $0.kind == kind && $0.id == id && $0.test == listed.test }.compactMap(\.handle)
        }
        let hasTwin = twins.contains(where: \.isOpen)
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
            return new.hasEnded ? (nil, nil) : (new, slots.put(new))
        }
        if current !== new {
            // Code that has found it among the open scopes may have used it.
            new.end(.replaced, isTold: false)
            return current
        }
        if let old, old.isCurrent { old.end(.replaced) }
        new.isSet { slots.discard { $0[new.kind] === new ? $0.remove(new.kind) : nil } }
        // Otherwise it would never end.
        if World.current?.test?.hasEnded == true { new.end() }
        return new
    }

    /// A scope is about to end: it is not listed any more.
    func forget(listedAt index: Int) {
        begun.discard { $0.remove(at: index) }
    }
}
