import Resolver

/// A clock for times to live that advances only when a test moves it.
///
///     let clock = ManualClock()
///     Resolver.main.clock = clock.clock
///     clock.advance(by: 1200)
///
/// All functions may be called from any thread.
public final class ManualClock: Sendable {
    private let seconds = Guarded(holding: 0.0)

    /// Creates a clock that shows 0 seconds.
    public init() {}

    /// The clock to assign to `Resolver.main.clock`.
    ///
    /// In a test with the trait `.resolver`, that is the clock of the test's resolver.
    public var clock: ResolverClock { ResolverClock { [seconds] in seconds.withLock { $0 } } }

    /// Advances the clock by a number of seconds.
    public func advance(by seconds: Double) { self.seconds.withLock { $0 += seconds } }
}
