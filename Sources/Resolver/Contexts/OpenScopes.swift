/// The scopes that have begun and not ended. Part of a state behind a lock, under which no last reference to a scope may be released.
struct OpenScopes {
    var list = SlabByTest<ListedScope>()
    /// The number of scopes of each kind and id, in all tests. Counted only while there is an observer, which gets an event for a scope
    /// with the id of another.
    private var counts: [ScopeEvent.Scope: Int]?

    /// Lists a scope at an index that was reserved.
    ///
    /// - Returns: the number of scopes with its kind and id; 0 without an observer.
    mutating func put(_ scope: ListedScope, at index: Int, isObserved: Bool) -> Int {
        list.put(scope, at: index, in: scope.owner.test)
        if !isObserved {
            if counts != nil { counts = nil }
            return 0
        }
        return count(scope)
    }

    @inline(never)
    private mutating func count(_ scope: ListedScope) -> Int {
        if counts == nil {
            counts = list.all().reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
        } else {
            counts?[scope.key, default: 0] += 1
        }
        return counts?[scope.key] ?? 0
    }

    @inline(never)
    private mutating func uncount(_ scope: ListedScope) {
        let key = scope.key
        if let count = counts?[key] { counts?[key] = count > 1 ? count - 1 : nil }
    }

    /// Removes the scope at an index of a test, or of the process.
    ///
    /// - Returns: the scope. The caller releases it outside the lock.
    mutating func remove(at index: Int, in test: UInt64) -> ListedScope? {
        let removed = list.remove(at: index, in: test)
        if counts != nil, let removed { uncount(removed) }
        return removed
    }
}

/// A scope in the list of open scopes.
///
/// It is read under the lock of the list, where no last reference to a scope may be released: the caller releases a `handle` outside.
enum ListedScope: Sendable {
    case strong(ScopeHandle)
    /// A scope that ends with the last reference to it.
    case weak(WeakScope)

    final class WeakScope: Sendable {
        fileprivate let key: ScopeEvent.Scope
        fileprivate let owner: RegistrationOwner
        fileprivate let reference: WeakReference

        fileprivate init(_ handle: ScopeHandle) {
            (key, owner, reference) = (handle.description, handle.owner, WeakReference(handle))
        }
    }

    init(_ handle: ScopeHandle) { self = handle.isHeldByUser ? .weak(WeakScope(handle)) : .strong(handle) }

    /// The scope; nil while it is being deallocated.
    var handle: ScopeHandle? {
        switch self {
        case .strong(let handle): handle
        case .weak(let scope): scope.reference.object as? ScopeHandle
        }
    }

    var owner: RegistrationOwner {
        switch self {
        case .strong(let handle): handle.owner
        case .weak(let scope): scope.owner
        }
    }

    var key: ScopeEvent.Scope {
        switch self {
        case .strong(let handle): handle.description
        case .weak(let scope): scope.key
        }
    }
}

// MARK: The ends of scopes, each also in a form that waits for the release hooks

extension ScopeContext {
    /// Ends the current scope of a kind, if there is one, and releases all its instances before it returns.
    ///
    /// Asynchronous hooks run in a separate task: see `clearAndWait`. To end one screen when another screen may be current already,
    /// use `end()` of its handle, or `clear(_:id:)`.
    ///
    /// - Parameter cascade: whether to end first the scopes of process-bound kinds that have a lower rank and began later, in this scope
    ///   or in one that it has replaced. For a session, that is its screen.
    public func clear(_ kind: ScopeKind, cascade: Bool = false) {
        for scope in expired(kind) { toEnd(scope, cascade: cascade).end(.cleared) }
        toClear(kind, cascade: cascade).end(.cleared)
    }

    /// Ends the current scope of a kind as `clear` does, and returns when its hooks have run.
    nonisolated(nonsending) public func clearAndWait(_ kind: ScopeKind, cascade: Bool = false) async {
        for scope in expired(kind) { await toEnd(scope, cascade: cascade).endAndWait(.cleared) }
        await toClear(kind, cascade: cascade).endAndWait(.cleared)
    }

    /// Ends the current scope of a kind if it has this id.
    public func clear(_ kind: ScopeKind, id: String) {
        if let current = current(kind), current.id == id { current.end(.cleared) }
    }

    /// Ends the current scope of a kind if it has this id, and returns when its hooks have run.
    nonisolated(nonsending) public func clearAndWait(_ kind: ScopeKind, id: String) async {
        for scope in expired(kind) { await scope.endAndWait(.expired) }
        if let current = current(kind), current.id == id { await [current].endAndWait(.cleared) }
    }

    /// Ends every open scope of a kind with this id, whether or not it is current for the caller.
    public func end(_ kind: ScopeKind, id: String) { unended(kind, id: id).end(.ended) }

    /// Ends every open scope of a kind with this id, and returns when the hooks have run.
    nonisolated(nonsending) public func endAndWait(_ kind: ScopeKind, id: String) async {
        await unended(kind, id: id).endAndWait(.ended)
    }

    /// Ends every open scope, the youngest first.
    public func clearAll() { unended().end(.cleared) }

    /// Ends every open scope, the youngest first, and returns when the hooks have run.
    nonisolated(nonsending) public func clearAllAndWait() async { await unended().endAndWait(.cleared) }

    /// Returns the current scope of a kind, and before it the scopes that end with it.
    private func toClear(_ kind: ScopeKind, cascade: Bool) -> [ScopeHandle] {
        guard let handle = current(kind) else {
            ScopeEvent.emit { .clearedWithoutScope(kind) }
            return []
        }
        return toEnd(handle, cascade: cascade)
    }

    /// Returns a scope, and before it the scopes that end with it.
    private func toEnd(_ handle: ScopeHandle, cascade: Bool) -> [ScopeHandle] {
        let first = handle.numberOfFirst
        let younger = ofProcess.filter { $0.kind.rank < handle.kind.rank && $0.number > first }.sorted(by: \.kind.rank)
        if cascade { return younger + [handle] }
        for other in younger where other.isCurrent {
            ScopeEvent.emit { .outlivesParent(other.description, parent: handle.description) }
        }
        return [handle]
    }

    private func unended(_ kind: ScopeKind, id: String) -> [ScopeHandle] {
        unended { $0.key.kind == kind && $0.key.id == id }
    }

    /// The innermost scopes of a kind whose time is over and that have not ended. When one ends, the next one is found.
    private func expired(_ kind: ScopeKind) -> some Sequence<ScopeHandle> {
        InnermostScopes(kind).lazy.prefix { !$0.hasEnded && $0.isExpired }
    }
}

extension [ScopeHandle] {
    /// Ends the scopes in this order. The reason for expired scopes is `expired`.
    @inline(never)
    func end(_ reason: ReleaseReason) { for handle in self { handle.end(handle.isExpired ? .expired : reason) } }

    /// Ends the scopes in this order, and returns when the hooks have run.
    @inline(never)
    nonisolated(nonsending) func endAndWait(_ reason: ReleaseReason) async {
        for handle in self { await handle.endAndWait(handle.isExpired ? .expired : reason) }
    }
}
