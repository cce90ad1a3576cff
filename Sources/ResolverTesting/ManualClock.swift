import Resolver

/// A clock for times to live that stands still until a test moves it.
///
///     let clock = ManualClock()
///     Resolver.main.clock = clock.clock
///     clock.advance(by: 1200)
///
/// All functions may be called from any thread.
public final class ManualClock: Sendable {
    private let seconds = Guarded(holding: 0.0)

    /// Makes a clock that shows 0.
    public init() {}

    /// To be assigned to `Resolver.main.clock`, which in a test with the trait `.resolver` is the test's own.
    public var clock: ResolverClock { ResolverClock { [seconds] in seconds.withLock { $0 } } }

    /// Moves it on by so many seconds.
    public func advance(by seconds: Double) {
        self.seconds.withLock { $0 += seconds }
    }
}
