// How scopes end that are current, or that are found by their id. Each function exists in a form that waits for the hooks.

extension ScopeContext {
    /// Ends the current scope of a kind, if there is one: releases all that belongs to it before it returns.
    ///
    /// Hooks that have to be awaited run in a task of their own: see `clearAndWait`. Of a screen that goes while another has
    /// come already, `end()` of the handle or `clear(_:id:)` is the right end.
    ///
    /// - Parameter cascade: whether to end first what is bound to the process, ranks lower and began later: with a session,
    ///   its screen.
    public func clear(_ kind: ScopeKind, cascade: Bool = false) {
        for handle in toClear(kind, cascade: cascade) { handle.end(.cleared) }
    }

    /// Ends the current scope of a kind as `clear` does, and returns when its hooks have run.
    nonisolated(nonsending) public func clearAndWait(_ kind: ScopeKind, cascade: Bool = false) async {
        for handle in toClear(kind, cascade: cascade) { await handle.endAndWait(.cleared) }
    }

    /// Ends the current scope of a kind if it has this id.
    public func clear(_ kind: ScopeKind, id: String) {
        if let current = current(kind), current.id == id { current.end(.cleared) }
    }

    /// Ends the current scope of a kind if it has this id, and returns when its hooks have run.
    nonisolated(nonsending) public func clearAndWait(_ kind: ScopeKind, id: String) async {
        if let current = current(kind), current.id == id { await current.endAndWait(.cleared) }
    }

    /// Ends every open scope of a kind that has this id, for whatever code it is current.
    public func end(_ kind: ScopeKind, id: String) {
        for handle in open(kind, id: id) { handle.end() }
    }

    /// Ends every open scope of a kind that has this id, and returns when their hooks have run.
    nonisolated(nonsending) public func endAndWait(_ kind: ScopeKind, id: String) async {
        for handle in open(kind, id: id) { await handle.endAndWait() }
    }

    /// Ends every scope there is, the youngest first.
    public func clearAll() {
        for handle in openScopes().reversed() { handle.end(.cleared) }
    }

    /// Ends every scope there is, the youngest first, and returns when their hooks have run.
    nonisolated(nonsending) public func clearAllAndWait() async {
        for handle in openScopes().reversed() { await handle.endAndWait(.cleared) }
    }

    /// The current scope of a kind, after those that began in it if they end with it.
    private func toClear(_ kind: ScopeKind, cascade: Bool) -> [ScopeHandle] {
        guard let handle = current(kind) else {
            ScopeEvent.emit { .clearedWithoutScope(kind) }
            return []
        }
        let younger = ofProcess.filter { $0.kind.rank < kind.rank && $0.number > handle.number }
            .sorted(by: \.kind.rank)
        if cascade { return younger + [handle] }
        for other in younger {
            ScopeEvent.emit { .outlivesParent(other.description, parent: handle.description) }
        }
        return [handle]
    }

    /// The youngest first.
    private func open(_ kind: ScopeKind, id: String) -> [ScopeHandle] {
        openScopes().reversed().filter { $0.kind == kind && $0.id == id }
    }
}
