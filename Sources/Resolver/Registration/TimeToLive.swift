/// How long a kept instance is handed out.
struct TimeToLive: Sendable {
    let nanoseconds: Int64
    let start: Resolver.TimeToLiveStart
}

extension Resolver {
    /// What a time to live is counted from.
    public enum TimeToLiveStart: Sendable {
        /// The last time that the instance was handed out: each use prolongs it.
        case lastUse
        /// The end of its making: no use prolongs it.
        case creation
    }
}

/// A time to live and the clock that it is measured with. The clock may be code of the user: no lock is held.
struct ExpiryTimer: Sendable {
    let timeToLive: TimeToLive
    let clock: ResolverClock

    /// - Parameter keeper: the owner whose resolver keeps the instance.
    init(_ timeToLive: TimeToLive, keeper: RegistrationOwner) {
        self.timeToLive = timeToLive
        clock = Resolver.clock(of: keeper)
    }

    var moment: Moment { Moment(now: clock.nanoseconds(), timeToLive: timeToLive) }
}

/// A time to live, asked about now.
struct Moment: Sendable {
    let now: Int64
    let timeToLive: TimeToLive
}
