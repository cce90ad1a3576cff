/// One scope: a screen that was opened, a session that has begun, a request that is being served.
///
/// It keeps what is made for it, and what is registered for it alone. When it ends all of that is released, and it never
/// comes back to life: a later scope with the same id is another one.
public final class ScopeHandle: Sendable {
    private struct State {
        /// Made when something is registered for this scope alone.
        var registrations: Resolver?
        /// Makes it current no more for the task or thread that has set it.
        var unset: (@Sendable () -> Void)?
        var isOpen = true
    }

    /// What kind of scope it is.
    public let kind: ScopeKind
    /// A label for people. Two scopes may have the same.
    public let id: String
    /// Where its instances are kept: those of registrations that are its own, and those of all others.
    let owner: RegistrationOwner
    let directory: CellDirectory
    /// Where hits are looked for in it, nearer at hand.
    let row: CellDirectory.Row
    /// Later scopes have higher ones.
    let number: UInt64
    /// Where it is listed while it is open.
    private let listing: Int
    /// The numbers of the thread, and of the task's cycle and those around it, in which it has begun.
    private let makers = (thread: ResolutionCycle.current.number, tasks: TaskFrame.current?.cycle.makers ?? [])
    private let opened: Int64
    private let expiry: Int64?
    private let state = Guarded(State())

    init(
        _ kind: ScopeKind, id: String, expiresAfter seconds: Double?, at location: SourceLocation, listedAt listing: Int
    ) {
        self.listing = listing
        number = ProcessIdentity.next()
        _ = ScopeHandle.count.add(1)
        self.kind = kind
        self.id = id
        owner = RegistrationOwner(location: location, isIsolating: true, isScope: true)
        directory = owner.makeCells()
        row = directory.first
        // In a test, that of its resolver.
        if let clock = Surroundings.current?.main?.clock { owner.clock = clock }
        let now = Resolver.clock(of: owner).nanoseconds()
        opened = now
        expiry = seconds.map { now &+ ResolverClock.nanoseconds(in: $0) }
    }

    private static let count = AtomicWord(0)
    /// How many have begun so far.
    static var begun: UInt64 { count.load() }

    /// Whether code has begun it that belongs to a thread, or to a task's cycle, of this number.
    func hasBegun(by maker: UInt64) -> Bool { makers.thread == maker || makers.tasks.contains(maker) }

    /// Whether it has not ended, and its time, by `Resolver.clock`, is not over.
    public var isOpen: Bool { !hasEnded && !isExpired }

    /// Whether it has ended. One whose time is over ends when it is next asked for.
    var hasEnded: Bool { state.withLock { !$0.isOpen } }

    /// How many instances it keeps.
    public var instanceCount: Int { cells.flatMap(\.withBranches).count { $0.order != 0 } }

    /// For how many seconds it has been open, by `Resolver.clock`.
    public var age: Double { Double(Resolver.clock(of: owner).nanoseconds() &- opened) / 1e9 }

    /// Whether it has not ended. One whose time is over ends now.
    var isCurrent: Bool { !hasEnded && !isOver }

    /// Whether its time is over, which ends it.
    var isOver: Bool {
        guard isExpired else { return false }
        end(.expired)
        return true
    }

    private var isExpired: Bool { expiry.map { $0 <= Resolver.clock(of: owner).nanoseconds() } ?? false }

    /// It has been made current. At its end, `unset` is called, or now if that was before.
    func isSet(_ unset: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if state.isOpen { state.unset = unset }
            return !state.isOpen
        }
        if hasEnded { unset() }
    }

    // MARK: What is registered for it alone. See ScopeHandle+Services for the doors.

    var registrations: Resolver? { state.withLock { $0.registrations } }

    /// The resolver with its registrations, made if there is none; nil once it has ended.
    func makeRegistrations() -> Resolver? {
        // Made under the lock: one that is not needed would let go of what the scope keeps when it goes.
        state.withLock { state in
            guard state.isOpen else { return nil }
            if let known = state.registrations { return known }
            let new = Resolver(owner: owner)
            state.registrations = new
            return new
        }
    }

    // MARK: The end

    /// Ends the scope: releases what it keeps, the youngest first, with its hooks, and forgets what is registered for it.
    /// Ending it again does nothing.
    ///
    /// When it returns, the scope holds nothing any more, unless another thread is just ending it. Tasks that make something for
    /// it are cancelled, and those who wait for them get the error `scopeEnded`. Hooks that have to be awaited run in a task of
    /// their own; `endAndWait()` waits for them.
    public func end() {
        end(.ended)
    }

    /// Ends the scope as `end()` does, and returns when its hooks have run, also those that have to be awaited: one after the
    /// other, also in a task that has been cancelled.
    nonisolated(nonsending) public func endAndWait() async {
        await endAndWait(.ended)
    }

    func end(_ reason: ScopeEvent.Reason) {
        guard let old = close() else { return }
        // Each is gone before the next one's hooks run.
        for ending in old.endings { ending.run() }
        finish(old, reason)
    }

    nonisolated(nonsending) func endAndWait(_ reason: ScopeEvent.Reason) async {
        guard let old = close() else { return }
        for ending in old.endings { await ending.runAndWait() }
        finish(old, reason)
    }

    /// Ends it where another scope has become current in its place. Code that has found it among the open scopes may have used it.
    func abandon() {
        for ending in close()?.endings ?? [] { ending.run() }
    }

    private struct Closed {
        /// The youngest first.
        let endings: [InstanceCell.Ending]
        /// Goes after what was kept: what is registered for the scope, and what others have registered.
        var registrations: (Resolver?, [CellDirectory.Kept])
    }

    private func finish(_ old: consuming Closed, _ reason: ScopeEvent.Reason) {
        old.registrations = (nil, [])
        let count = old.endings.count { $0.order != 0 }
        ScopeEvent.emit { .ended(self.description, reason: reason, instances: count) }
    }

    /// From now on nothing more is kept here, and nothing is handed out.
    private func close() -> Closed? {
        let old: State? = state.withLock { state in
            guard state.isOpen else { return nil }
            defer { state = State(registrations: nil, unset: nil, isOpen: false) }
            return state
        }
        guard let old else { return nil }
        ScopeContext.shared.forget(listedAt: listing)
        old.unset?()
        let foreign = directory.close()
        let endings = InstanceCell.close(foreign.lazy.map { $0.cell }, old.registrations?.ownCells ?? [])
        return Closed(endings: endings, registrations: (old.registrations, foreign))
    }

    private var cells: [InstanceCell] {
        directory.foreign.map(\.cell) + (registrations?.ownCells ?? [])
    }

    /// How messages call it.
    var label: String { description.description }

    var description: ScopeEvent.Scope { ScopeEvent.Scope(kind: kind, id: id) }
}
