/// The instance that a cell keeps, with its release hooks and its time to live.
struct CachedInstance {
    private var held: AnyObject?
    /// A number that grows with each finished instance in the process; 0 if nothing is kept.
    private(set) var order: UInt64 = 0
    /// The parts that few instances have: a weak reference, hooks, a time.
    private var extras: Extras?

    /// The extra parts of an instance. Guarded by the lock of the cell.
    private final class Extras {
        weak var referred: AnyObject?
        let releaseHooks: ReleaseHooks
        /// The start of the time to live, in nanoseconds; nil until a call with a time to live uses the instance.
        var since: Int64?

        init(_ referred: AnyObject?, _ releaseHooks: ReleaseHooks, _ since: Int64?) {
            self.referred = referred
            self.releaseHooks = releaseHooks
            self.since = since
        }
    }

    init() {}

    /// Creates the value for a strongly kept object that has no hooks and no time to live, and already has its order.
    init(_ object: AnyObject, order: UInt64) {
        held = object
        self.order = order
    }

    init(_ object: AnyObject, strength: InstanceCell.ReferenceStrength, releaseHooks: ReleaseHooks, since: Int64?) {
        if strength == .strong { held = object }
        order = ProcessIdentity.next()
        if strength == .weak || since != nil || !releaseHooks.hooks.isEmpty {
            extras = Extras(strength == .weak ? object : nil, releaseHooks, since)
        }
    }

    var isNothing: Bool { order == 0 }

    /// The instance; nil also if a weakly kept one was deallocated. The reference may be the last one: release it outside locks.
    var object: AnyObject? { held ?? extras?.referred }

    func isHeld(_ object: AnyObject) -> Bool { held === object }

    private var releaseHooks: ReleaseHooks? { extras?.releaseHooks }

    /// Runs the hooks, if any. Called outside every lock, because they are the user's code.
    func runHooks(_ reason: ReleaseReason) {
        guard let releaseHooks, let object else { return }
        let cycle = ResolutionCycle.current
        if cycle.hasLittleStack {
            var last = [HooksInTurn(releaseHooks, object, reason)]
            return cycle.releaseInTurn(&last)
        }
        cycle.inUserCode { releaseHooks.run(object, reason) }
    }

    /// An object whose `deinit` runs the hooks. Hooks that reset run the hooks of all other instances, and nested calls would overflow the
    /// stack.
    private final class HooksInTurn {
        private let hooks: ReleaseHooks, instance: AnyObject, reason: ReleaseReason

        init(_ hooks: ReleaseHooks, _ instance: AnyObject, _ reason: ReleaseReason) {
            (self.hooks, self.instance, self.reason) = (hooks, instance, reason)
        }

        deinit { ResolutionCycle.current.inUserCode { hooks.run(instance, reason) } }
    }

    /// Runs the hooks, and releases the instance in place: a copy for the hooks would retain it.
    mutating func release(_ reason: ReleaseReason) {
        runHooks(reason)
        release()
    }

    /// Releases the instance, whose `deinit` is the user's code as well.
    @inline(__always)
    mutating func release() {
        if isNothing { return }
        let cycle = ResolutionCycle.current
        if cycle.hasLittleStack { return releaseInTurn(cycle) }
        cycle.inUserCode { self = CachedInstance() }
    }

    /// Releases a chain of instances one after the other, because nested calls of `deinit` would overflow the stack.
    @inline(never)
    private mutating func releaseInTurn(_ cycle: ResolutionCycle) {
        var last = [object].compactMap { $0 }
        self = CachedInstance()
        cycle.releaseInTurn(&last)
    }

    /// Runs the hooks, if any, and waits for them.
    ///
    /// If a hook is asynchronous, all hooks run in a task that is not cancelled with this one.
    nonisolated(nonsending) func runHooksAndWait(_ reason: ReleaseReason) async {
        guard let releaseHooks, releaseHooks.hasToBeAwaited, let object else { return runHooks(reason) }
        let sent = UncheckedSendable(value: object)
        await TaskFrame.uncancelled { await releaseHooks.runAndWait(sent, reason) }
    }

    func isOver(at moment: Moment?) -> Bool {
        guard let moment, let since = extras?.since else { return false }
        // A time to live that is over at once stays over, even if the clock steps back.
        return moment.timeToLive.nanoseconds <= 0 || moment.now &- since >= moment.timeToLive.nanoseconds
    }

    /// Notes that the instance is handed out, which may restart its time to live.
    mutating func use(at moment: Moment?) {
        guard let moment, !isNothing else { return }
        let extras = extras ?? Extras(nil, ReleaseHooks(), nil)
        self.extras = extras
        let since = extras.since
        if since == nil || moment.timeToLive.start == .lastUse { extras.since = max(since ?? moment.now, moment.now) }
    }

    /// Forgets the start of the time to live, after the time to live was changed. The next use starts it again.
    func restart() { extras?.since = nil }
}

// MARK: Release hooks

/// The hooks that run when an instance is released, in this order.
struct ReleaseHooks: Sendable {
    enum Hook: Sendable {
        case now(@Sendable (_ instance: AnyObject, ReleaseReason) -> Void)
        case awaited(@Sendable (_ instance: AnyObject, ReleaseReason) async -> Void)
    }

    /// How often the engine repeats a step that code of the user undoes each time, such as a hook that always creates another instance.
    static let mostRounds = 10

    var hooks: [Hook] = []

    var hasToBeAwaited: Bool { hooks.contains { if case .awaited = $0 { true } else { false } } }

    /// Runs the hooks. The first asynchronous hook, and all hooks after it, run in a separate task.
    func run(_ instance: AnyObject, _ reason: ReleaseReason) {
        for (index, hook) in hooks.enumerated() {
            switch hook {
            case .now(let run): run(instance, reason)
            case .awaited:
                let rest = ReleaseHooks(hooks: Array(hooks[index...]))
                // Only services that are Sendable have asynchronous hooks.
                let sent = UncheckedSendable(value: instance)
                TaskFrame.outside { _ = Task { await rest.runAndWait(sent, reason) } }
                return
            }
        }
    }

    /// Runs the hooks, each after the one before has returned.
    func runAndWait(_ instance: UncheckedSendable<AnyObject>, _ reason: ReleaseReason) async {
        for hook in hooks {
            switch hook {
            case .now(let run): run(instance.value, reason)
            case .awaited(let run): await run(instance.value, reason)
            }
        }
    }
}

/// The reason why an instance is released. Release hooks use it to commit in one case and roll back in all others.
///
///     register { Transaction() }
///         .onRelease { transaction, reason in
///             if case .returned = reason { transaction.commit() } else { transaction.rollBack() }
///         }
///
/// Later versions may add cases.
public enum ReleaseReason: Sendable {
    /// `withScope` has ended, and its body has returned.
    case returned
    /// `withScope` has ended, and its body has thrown this error.
    case threw(any Error)
    /// `withScope` has ended, and its body has thrown this error in a cancelled task, or because of a cancellation.
    case cancelled(any Error)
    /// `end()` or `endAndWait()` ended the scope without another reason.
    case ended
    /// The scope was cleared.
    case cleared
    /// Another scope of the kind replaced this one.
    case replaced
    /// The scope has expired.
    case expired
    /// The last reference to the handle of an open scope was released.
    case dropped
    /// The instance was released for a reason other than the end of its scope.
    ///
    /// It was reset, its service was registered again, its time to live is over, its resolver has ended, or its scope ended before the
    /// instance was finished.
    case released

    /// Creates the reason for a body that threw `error`.
    ///
    /// It is `cancelled` if the running task is cancelled or the error is a `CancellationError`, and `threw` otherwise.
    public init(_ error: any Error) {
        self = error is CancellationError || Task.isCancelled ? .cancelled(error) : .threw(error)
    }

    /// The error of `threw` and `cancelled`.
    public var error: (any Error)? {
        switch self {
        case .threw(let error), .cancelled(let error): error
        default: nil
        }
    }
}
