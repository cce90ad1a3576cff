/// What a cell keeps, and what is to be known about it.
struct CachedInstance {
    private var held: AnyObject?
    /// When it was finished, as a number that grows in the process; 0 for nothing.
    private(set) var order: UInt64 = 0
    /// What nearly no instance has: a weak reference, hooks, a time.
    private var extras: Extras?

    /// Guarded by the lock of the cell.
    private final class Extras {
        weak var referred: AnyObject?
        let releaseHooks: ReleaseHooks
        /// What its time to live is counted from, in nanoseconds; nil until a call asks for it with a time to live.
        var since: Int64?

        init(_ referred: AnyObject?, _ releaseHooks: ReleaseHooks, _ since: Int64?) {
            self.referred = referred
            self.releaseHooks = releaseHooks
            self.since = since
        }
    }

    /// Makes an empty value.
    init() {}

    init(_ object: AnyObject, strength: InstanceCell.ReferenceStrength, releaseHooks: ReleaseHooks, since: Int64?) {
        if strength == .strong { held = object }
        order = ProcessIdentity.next()
        if strength == .weak || since != nil || !releaseHooks.hooks.isEmpty {
            extras = Extras(strength == .weak ? object : nil, releaseHooks, since)
        }
    }

    var isNothing: Bool { order == 0 }

    /// nil also if no other reference holds what is kept weakly. The reference may then be the last: release it outside locks.
    var object: AnyObject? { held ?? extras?.referred }

    func isHeld(_ object: AnyObject) -> Bool { held === object }

    /// What is to be done when it is let go of; nil for nothing.
    var releaseHooks: ReleaseHooks? { extras?.releaseHooks }

    /// Whether its time to live is over.
    func isOver(at moment: Moment?) -> Bool {
        guard let moment, let since = extras?.since else { return false }
        return moment.now &- since >= moment.timeToLive.nanoseconds
    }

    /// It is handed out.
    mutating func use(at moment: Moment?) {
        guard let moment, !isNothing else { return }
        let extras = extras ?? Extras(nil, ReleaseHooks(), nil)
        self.extras = extras
        let since = extras.since
        if since == nil || moment.timeToLive.start == .lastUse { extras.since = max(since ?? moment.now, moment.now) }
    }

    /// Its time to live was changed: it is counted from the next use.
    func restart() {
        extras?.since = nil
    }
}
