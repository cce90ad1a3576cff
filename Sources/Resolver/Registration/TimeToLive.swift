import CResolverSupport

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

/// What times to live are measured with.
///
/// The default never goes backwards and runs on while the machine sleeps. A test gives its container a clock of its own:
///
///     resolver.clock = ResolverClock { time.seconds }
public struct ResolverClock: Sendable {
    /// Nanoseconds since some moment, the same for all calls.
    let nanoseconds: @Sendable () -> Int64

    /// A clock that asks `seconds`, from any thread, for the seconds since a moment of its choice.
    public init(seconds: @escaping @Sendable () -> Double) {
        nanoseconds = { ResolverClock.nanoseconds(in: seconds()) }
    }

    private init(nanoseconds: @escaping @Sendable () -> Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock of the system.
    public static let monotonic = ResolverClock(nanoseconds: { resolver_monotonic_nanoseconds() })

    /// As near as an integer comes. What is longer than 146 years ends there, and no number at all is 0.
    static func nanoseconds(in seconds: Double) -> Int64 {
        let most = 0x1p62
        return seconds.isNaN ? 0 : Int64(max(-most, min(most, (seconds * 1e9).rounded())))
    }
}
