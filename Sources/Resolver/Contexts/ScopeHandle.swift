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
    /// Whether it ends with the last reference to it: the list holds it weakly.
    let isHeldByUser: Bool
    /// The numbers of the thread, and of the task's cycle and those around it, in which it has begun.
    private let makers = (thread: ResolutionCycle.current.number, tasks: TaskFrame.current?.cycle.makers ?? [])
    private let opened: Int64
    /// nil where time and number are of no matter.
    private let timer: ScopeTimer?
    private let state = Guarded(State())

    init(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry?, at location: SourceLocation,
        listedAt listing: Int, isHeldByUser: Bool
    ) {
        self.listing = listing
        self.isHeldByUser = isHeldByUser
        number = ProcessIdentity.next()
        ProcessWord.begunScopes.add(1)
        self.kind = kind
        self.id = id
        owner = RegistrationOwner(location: location, isIsolating: true, isScope: true)
        directory = owner.makeCells()
        row = directory.first
        // In a test, that of its resolver.
        if let clock = World.current?.main?.clock { owner.clock = clock }
        let now = Resolver.clock(of: owner).nanoseconds()
        opened = now
        let limits = ScopeStatistics.limits(kind)
        // One of a kind that is bound to the process may be set again with another time.
        let isTimed = expiry != nil || kind.binding == .process || !limits.isEmpty
        timer = isTimed ? ScopeTimer(expiry, limits, now: now) : nil
    }

    deinit {
        guard isHeldByUser, !hasEnded else { return }
        if isExpired { return end(.expired) }
        ScopeEvent.emit { .dropped(description, openedAt: location) }
        end(.dropped)
    }

    /// How many have begun so far.
    static var begun: UInt64 { ProcessWord.begunScopes.load() }

    /// Whether code has begun it that belongs to a thread, or to a task's cycle, of this number.
    func hasBegun(by maker: UInt64) -> Bool { makers.thread == maker || makers.tasks.contains(maker) }

    /// Whether it has not ended, and its time, by `Resolver.clock`, is not over.
    public var isOpen: Bool { !hasEnded && !isExpired }

    /// Whether it has ended. One whose time is over ends when it is next asked for.
    var hasEnded: Bool { state.withLock { !$0.isOpen } }

    /// How many instances it keeps.
    public var instanceCount: Int { cells.flatMap(\.withBranches).count { $0.order != 0 } }

    /// For how many seconds it has been open, by `Resolver.clock`.
    public var age: Double { Double(now &- opened) / 1e9 }

    /// Where it began in the user's source.
    public var location: Resolver.SourceLocation { owner.location }

    private var now: Int64 { Resolver.clock(of: owner).nanoseconds() }

    /// Whether it has not ended. One whose time is over ends now.
    var isCurrent: Bool { !hasEnded && !endIfExpired(isUse: false) }

    /// Ends it if its time is over.
    ///
    /// - Parameter isUse: whether it is asked for a service, or code runs in it.
    /// - Returns: whether its time is over.
    @inline(__always)
    func endIfExpired(isUse: Bool) -> Bool {
        guard let timer else { return false }
        return endIfExpired(timer, isUse: isUse)
    }

    @inline(never)
    private func endIfExpired(_ timer: ScopeTimer, isUse: Bool) -> Bool {
        guard timer.isRunning else { return false }
        let now = now
        if !hasEnded { tellIfOpenTooLong(timer, now) }
        guard timer.isOver(at: now, isUse: isUse) else { return false }
        end(.expired)
        return true
    }

    private var isExpired: Bool {
        guard let timer, timer.isRunning else { return false }
        return timer.isOver(at: now, isUse: false)
    }

    /// It is used, or set again, for as long as `expiry` says.
    func restart(_ expiry: ScopeExpiry?) {
        guard let timer, expiry != nil || timer.isRunning else { return }
        timer.restart(expiry, now: now)
    }

    // MARK: Limits

    private func tellIfOpenTooLong(_ timer: ScopeTimer, _ now: Int64) {
        guard ScopeEvent.isObserved,
            let limit = timer.takeExceededTime(openFor: Double(now &- opened) / 1e9)
        else { return }
        ScopeEvent.emit { .openLongerThan(description, seconds: limit) }
    }

    /// Something more may be kept in it.
    @inline(__always)
    func tellIfFull() {
        if let timer { tellIfFull(timer) { instanceCount } }
    }

    @inline(never)
    private func tellIfFull(_ timer: ScopeTimer, _ count: () -> Int) {
        guard ScopeEvent.isObserved, let limit = timer.takeExceededCount(count) else { return }
        ScopeEvent.emit { .limitExceeded(description, instances: limit) }
    }

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
    ///
    /// - Parameter reason: what release hooks are told. Code that opens a scope for a piece of work says how that went:
    ///   `.returned`, or `ReleaseReason(error)`.
    public func end(_ reason: ReleaseReason = .ended) {
        end(reason, isTold: true)
    }

    /// Ends the scope as `end()` does, and returns when its hooks have run, also those that have to be awaited: one after the
    /// other, also in a task that has been cancelled.
    nonisolated(nonsending) public func endAndWait(_ reason: ReleaseReason = .ended) async {
        guard let old = close() else { return }
        for ending in old.endings { await ending.runAndWait(reason) }
        finish(old, reason, isTold: true)
    }

    /// - Parameter isTold: not for a scope that has never become current.
    func end(_ reason: ReleaseReason, isTold: Bool) {
        guard let old = close() else { return }
        // Each is gone before the next one's hooks run.
        for ending in old.endings { ending.run(reason) }
        finish(old, reason, isTold: isTold)
    }

    private struct Closed {
        /// The youngest first.
        let endings: [InstanceCell.Ending]
        /// Goes after what was kept: what is registered for the scope, and what others have registered.
        var registrations: (Resolver?, [CellDirectory.Kept])
    }

    private func finish(_ old: consuming Closed, _ reason: ReleaseReason, isTold: Bool) {
        old.registrations = (nil, [])
        guard isTold, ScopeEvent.isObserved else { return }
        let count = old.endings.count { $0.order != 0 }
        if let timer {
            tellIfFull(timer) { count }
            if timer.isRunning { tellIfOpenTooLong(timer, now) }
        }
        ScopeEvent.emit { .ended(description, reason: ScopeEvent.Reason(reason), instances: count) }
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
