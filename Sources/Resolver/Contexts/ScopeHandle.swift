/// One scope: an open screen, a session, or a request.
///
/// A scope keeps its instances, and the services that are registered for it alone. When it ends, it releases them, and it cannot be
/// opened again: a later scope with the same id is another scope.
public final class ScopeHandle: Sendable {
    private struct State {
        /// The resolver of the services that are registered for this scope alone, created with the first one.
        var registrations: Resolver?
        /// Makes the scope no longer current for the process, task or thread.
        var unset: (@Sendable () -> Void)?
        var isOpen = true
        /// The number of the first scope in whose place this one is, if it has replaced another.
        var first: UInt64?
        /// Whether observers have not been told yet that the scope has begun.
        var holdsOpening = false
    }

    /// The kind of the scope.
    public let kind: ScopeKind
    /// The id of the scope, a label for logs. Two scopes may have the same id.
    public let id: String
    /// The owner of the scope's instances and registrations. Instances of other resolvers' registrations are in `directory`.
    let owner: RegistrationOwner
    let directory: CellDirectory
    /// The number of the scope. Later scopes have higher numbers.
    var number: UInt64 { directory.number }
    /// The number of the scope, or of the first one in its place. What began later began in this scope, or in one that it has replaced.
    var numberOfFirst: UInt64 { state.withLock { $0.first } ?? number }
    /// The index of the scope in the list of open scopes.
    private let listing: Int
    /// Whether the scope ends with the last reference to it. The list then holds it weakly.
    let isHeldByUser: Bool
    /// The number of the thread in which the scope began.
    private let thread = ResolutionCycle.current.number
    /// The numbers of the task cycle in which the scope began, and of the ones around it.
    let cycleNumbers = TaskFrame.current?.cycle.cycleNumbers
    private let opened: Int64
    /// The timer; nil if neither the time nor the number of instances matters.
    private let timer: ScopeTimer?
    var isTimed: Bool { timer != nil }
    private let state = Guarded(State())

    init(
        _ kind: ScopeKind, id: String, expiresAfter expiry: ScopeExpiry?, at location: SourceLocation,
        listedAt listing: Int, isHeldByUser: Bool
    ) {
        self.listing = listing
        self.isHeldByUser = isHeldByUser
        self.kind = kind
        self.id = id
        owner = RegistrationOwner(location: location, isIsolating: true, kindNumber: kind.number)
        directory = owner.makeCells()
        // Counted after the number was taken: see `CaptiveDependencyGuard`.
        ProcessWord.begunScopes.add(1)
        // In a test, the clock is that of the test's resolver.
        if let clock = World.current?.main?.clock { owner.clock = clock }
        let now = Resolver.clock(of: owner).nanoseconds()
        opened = now
        let limits = ScopeContext.shared.limits(kind)
        // A scope of a process-bound kind may be set again with an expiry.
        let isTimed = expiry != nil || kind.binding == .process || !limits.isEmpty
        timer = isTimed ? ScopeTimer(expiry, limits, now: now) : nil
    }

    deinit {
        guard isHeldByUser, !hasEnded else { return }
        if isExpired { return end(.expired) }
        ScopeEvent.emit { .dropped(description, openedAt: location) }
        end(.dropped)
    }

    /// Returns whether the scope began in the thread, or the task cycle, of this number.
    func hasBegun(by creator: UInt64) -> Bool { thread == creator || cycleNumbers?.contains(creator) ?? false }

    /// Whether the scope has neither ended nor expired. `Resolver.clock` measures the time.
    public var isOpen: Bool { !hasEnded && !isExpired }

    /// Whether the scope has ended. An expired scope ends when code next looks for it.
    var hasEnded: Bool { state.withLock { !$0.isOpen } }

    /// The number of instances that the scope keeps.
    public var instanceCount: Int {
        let kept = directory.contents
        // Other cells of the scope's own registrations are in the directory, too.
        let cells = kept.cells + (registrations?.table.all.compactMap(\.ownCell) ?? [])
        return kept.others + cells.flatMap(\.withBranches).count { $0.order != 0 }
    }

    /// The number of seconds, by `Resolver.clock`, since the scope began.
    public var age: Double { Double(now &- opened) / 1e9 }

    /// The source location where the scope began.
    public var location: Resolver.SourceLocation { owner.location }

    private var now: Int64 { Resolver.clock(of: owner).nanoseconds() }

    /// Whether the scope has not ended. If its time is over, the scope ends now.
    var isCurrent: Bool { !hasEnded && !endIfExpired(isUse: false) }

    /// Ends the scope if its time is over.
    ///
    /// - Parameter isUse: whether a service of the scope is resolved, or code runs in it.
    /// - Returns: whether the time is over.
    @inline(__always)
    func endIfExpired(isUse: Bool) -> Bool {
        guard let timer else { return false }
        return endIfExpired(timer, isUse: isUse)
    }

    @inline(never)
    private func endIfExpired(_ timer: ScopeTimer, isUse: Bool) -> Bool {
        guard isOver(timer, isUse: isUse) else { return false }
        end(.expired)
        return true
    }

    /// Returns whether the time is over, and tells observers if the scope has been open for too long. If it is not over, a use prolongs it.
    private func isOver(_ timer: ScopeTimer, isUse: Bool) -> Bool {
        guard timer.isRunning else { return false }
        let now = now
        if !hasEnded { reportIfOpenTooLong(timer, now) }
        return timer.isOver(at: now, isUse: isUse)
    }

    /// Whether the time of the scope is over. The scope has ended, or ends when code next looks for it.
    var isExpired: Bool {
        guard let timer, timer.isRunning else { return false }
        return timer.isOver(at: now, isUse: false)
    }

    /// Notes that a call has awaited an instance, which is a use, too. An expired scope does not end here, but when code next looks for it.
    func noteCreation() {
        guard let timer else { return }
        _ = isOver(timer, isUse: true)
        reportIfFull()
    }

    /// Notes a use, and sets another expiry unless `expiry` is nil.
    func restart(_ expiry: ScopeExpiry?) {
        guard let timer, expiry != nil || timer.isRunning else { return }
        timer.restart(expiry, now: now)
    }

    // MARK: Limits

    private func reportIfOpenTooLong(_ timer: ScopeTimer, _ now: Int64) {
        guard ScopeEvent.isObserved,
            let limit = timer.takeExceededTime(openFor: Double(now &- opened) / 1e9)
        else { return }
        reportOpening()
        ScopeEvent.emit { .openLongerThan(description, seconds: limit) }
    }

    /// Tells observers if the scope keeps more instances than its limit. Called when it may keep another one.
    @inline(__always)
    func reportIfFull() {
        guard let timer, timer.mayExceedCount() else { return }
        reportIfFull(timer, instanceCount)
    }

    @inline(never)
    private func reportIfFull(_ timer: ScopeTimer, _ count: Int) {
        guard let limit = timer.takeExceededCount(count) else { return }
        reportOpening()
        ScopeEvent.emit { .limitExceeded(description, instances: limit) }
    }

    /// Notes that this scope is in the place of `old`.
    func replace(_ old: ScopeHandle) { state.withLock { [first = old.numberOfFirst] in $0.first = first } }

    /// Makes the end of the scope report the opening first, until `reportOpening()` does.
    ///
    /// A release hook of the scope that is replaced may end the new one before that.
    func holdOpening() { state.withLock { $0.holdsOpening = true } }

    /// Tells observers that the scope has begun, unless they know already.
    func reportOpening() {
        guard ScopeEvent.isObserved else { return }
        let isHeld = state.withLock { state in
            defer { state.holdsOpening = false }
            return state.holdsOpening
        }
        if isHeld { ScopeEvent.emit { .opened(description) } }
    }

    /// Calls `unset` when the scope ends, or now if it has ended. A scope that is made current has one.
    func callAtEnd(_ unset: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if state.isOpen { state.unset = unset }
            return !state.isOpen
        }
        if hasEnded { unset() }
    }

    // MARK: Services registered for the scope alone. See ScopeHandle+Services for the public functions.

    var registrations: Resolver? { state.withLock { $0.registrations } }

    /// Returns the resolver with the scope's registrations, which is created if there is none; nil once the scope has ended.
    func makeRegistrations() -> Resolver? {
        if endIfExpired(isUse: false) { return nil }
        // Created under the lock: a surplus resolver would release the scope's instances when it ends.
        return state.withLock { state -> Resolver? in
            guard state.isOpen else { return nil }
            if let known = state.registrations { return known }
            let new = Resolver(owner: owner)
            state.registrations = new
            return new
        }
    }

    // MARK: The end

    /// Ends the scope: releases its instances, the youngest first, with their hooks, and forgets its registrations.
    ///
    /// When it returns, the scope holds nothing, unless another thread is ending it. A second call does nothing. Creation tasks of the
    /// scope are cancelled, and their waiters get the error `scopeEnded`. Asynchronous hooks run in a separate task; `endAndWait()`
    /// waits for them.
    ///
    /// - Parameter reason: the reason that release hooks get. Code that opens a scope for a piece of work passes its outcome:
    ///   `.returned`, or `ReleaseReason(error)`.
    public func end(_ reason: ReleaseReason = .ended) { end(reason, isReported: true) }

    /// Ends the scope as `end()` does, and returns when its hooks have run.
    ///
    /// The hooks run one after the other, including asynchronous ones, and even in a task that has been cancelled.
    nonisolated(nonsending) public func endAndWait(_ reason: ReleaseReason = .ended) async {
        guard var old = close() else { return }
        // Each instance is released before the hooks of the next one run.
        for index in old.instances.indices.reversed() {
            await old.instances[index].instance.runHooksAndWait(old.reason(reason, at: index))
            old.instances[index].instance.release()
        }
        finish(old, reason, isReported: true)
    }

    /// Ends the scope.
    ///
    /// - Parameter isReported: whether observers are notified. False for a scope that never became current.
    func end(_ reason: ReleaseReason, isReported: Bool) {
        guard var old = close() else { return }
        // Each instance is released before the hooks of the next one run.
        for index in old.instances.indices.reversed() {
            old.instances[index].instance.release(old.reason(reason, at: index))
        }
        finish(old, reason, isReported: isReported)
    }

    private struct Closed: ~Copyable {
        /// The instances to release, the youngest last: those of the scope, and those that other scopes keep for its registrations.
        var instances: [CellDirectory.Removed]
        let count: Int
        /// The scope's registrations and the cells of other registrations. They are released after the instances.
        var registrations: (Resolver?, [CellDirectory.Kept])

        /// Returns the reason for the hooks of an instance. If another scope keeps the instance, the reason is the end of its
        /// registration.
        func reason(_ reason: ReleaseReason, at index: Int) -> ReleaseReason {
            instances[index].isElsewhere ? .released : reason
        }
    }

    private func finish(_ old: consuming Closed, _ reason: ReleaseReason, isReported: Bool) {
        old.registrations = (nil, [])
        old.instances = []
        guard isReported, ScopeEvent.isObserved else { return }
        reportOpening()
        if let timer {
            reportIfFull(timer, old.count)
            if timer.isRunning { reportIfOpenTooLong(timer, now) }
        }
        ScopeEvent.emit { .ended(description, reason: ScopeEvent.Reason(reason), instances: old.count) }
    }

    /// Closes the scope: from now on it keeps no further instance, and hands none out. Returns nil if it was closed before.
    private func close() -> Closed? {
        let old: State? = state.withLock { state in
            guard state.isOpen else { return nil }
            // A creation task that misses the registrations sees this when it ends, so its instance is not handed out.
            directory.first.close()
            defer { state = State(isOpen: false, holdsOpening: state.holdsOpening) }
            return state
        }
        guard let old else { return nil }
        old.unset?()
        var closed = directory.close()
        let hasCells = !closed.cells.isEmpty
        var others: [InstanceCell] = []
        old.registrations?.unlinkAll(&closed.cells, elsewhere: &others)
        InstanceCell.close(closed.cells, into: &closed.instances)
        let count = closed.instances.count { !$0.instance.isNothing }
        if !others.isEmpty { InstanceCell.close(others, isElsewhere: true, into: &closed.instances) }
        let cells = hasCells ? directory.removeAll() : []
        // Until here, a reset finds what is kept.
        ScopeContext.shared.forget(listedAt: listing, in: owner.test)
        return Closed(instances: closed.instances, count: count, registrations: (old.registrations, cells))
    }
}
