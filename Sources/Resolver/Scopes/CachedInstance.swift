/// What a cell keeps, and what is to be known about it.
struct CachedInstance {
    private var held: AnyObject?
    private var referred: Reference?
    /// When it was finished, as a number that grows in the process; 0 for nothing.
    private(set) var order: UInt64 = 0
    /// What is to be done when it is let go of.
    private(set) var releaseHooks = ReleaseHooks()
    /// What its time to live is counted from, in nanoseconds; nil until a call asks for it with a time to live.
    private var since: Int64?

    /// Nothing.
    init() {}

    init(_ object: AnyObject, strength: InstanceCell.ReferenceStrength, releaseHooks: ReleaseHooks, since: Int64?) {
        switch strength {
        case .strong: held = object
        case .weak: referred = Reference(object)
        }
        order = ProcessIdentity.next()
        self.releaseHooks = releaseHooks
        self.since = since
    }

    var isNothing: Bool { order == 0 }

    /// nil also if no other reference holds what is kept weakly. The reference may then be the last: release it outside locks.
    var object: AnyObject? { held ?? referred?.object }

    func isHeld(_ object: AnyObject) -> Bool { held === object }

    /// Whether its time to live is over.
    func isOver(at moment: Moment?) -> Bool {
        guard let moment, let since else { return false }
        return moment.now &- since >= moment.timeToLive.nanoseconds
    }

    /// It is handed out.
    mutating func use(at moment: Moment?) {
        guard let moment, !isNothing else { return }
        if since == nil || moment.timeToLive.start == .lastUse { since = max(since ?? moment.now, moment.now) }
    }

    /// Its time to live was changed: it is counted from the next use.
    mutating func restart() {
        since = nil
    }

    /// An object of its own, as a copy of a weak reference takes and releases a strong one on some systems.
    private final class Reference {
        weak var object: AnyObject?

        init(_ object: AnyObject) {
            self.object = object
        }
    }
}
