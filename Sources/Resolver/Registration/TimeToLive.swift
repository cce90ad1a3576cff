import CResolverSupport

/// The time for which a kept instance is returned.
struct TimeToLive: Sendable {
    let nanoseconds: Int64
    let start: Resolver.TimeToLiveStart
}

extension Resolver {
    /// The start of a time to live.
    public enum TimeToLiveStart: Sendable {
        /// The last use of the instance: each use prolongs its life.
        case lastUse
        /// The creation of the instance: no use prolongs its life.
        case creation
    }
}

/// A time to live and its clock. The clock may be user code, so no lock is held when it is read.
struct ExpiryTimer: Sendable {
    let timeToLive: TimeToLive
    let clock: ResolverClock

    /// - Parameter owner: the owner that keeps the instance.
    init(_ timeToLive: TimeToLive, of owner: RegistrationOwner) {
        self.timeToLive = timeToLive
        clock = Resolver.clock(of: owner)
    }

    var moment: Moment { Moment(now: clock.nanoseconds(), timeToLive: timeToLive) }
}

/// A time to live together with the current time.
struct Moment: Sendable {
    let now: Int64
    let timeToLive: TimeToLive
}

/// A clock that measures times to live.
///
/// The default never goes backwards, and continues while the machine sleeps. A test gives its container its own clock:
///
///     resolver.clock = ResolverClock { time.seconds }
public struct ResolverClock: Sendable {
    /// Returns nanoseconds since a fixed moment.
    let nanoseconds: @Sendable () -> Int64

    /// Creates a clock from a function that returns seconds since a fixed moment. Any thread may call the function.
    ///
    /// Moments after 73 years count as 73 years, and moments before -73 years as -73 years.
    public init(seconds: @escaping @Sendable () -> Double) {
        nanoseconds = {
            ResolverClock.nanoseconds(in: ResolutionCycle.current.withoutPass(seconds), most: ResolverClock.latest)
        }
    }

    private init(nanoseconds: @escaping @Sendable () -> Int64) { self.nanoseconds = nanoseconds }

    /// The system's monotonic clock.
    public static let monotonic = ResolverClock(nanoseconds: { resolver_monotonic_nanoseconds() })

    /// The latest moment, in 73 years. Two moments differ by less than the longest time to live, and the difference does not overflow.
    private static let latest = 0x1p61 - 0x1p9

    /// Returns the nearest number of nanoseconds, at most 146 years; 0 if `seconds` is not a number.
    static func nanoseconds(in seconds: Double, most: Double = 0x1p62) -> Int64 {
        return seconds.isNaN ? 0 : Int64(max(-most, min(most, (seconds * 1e9).rounded())))
    }
}
