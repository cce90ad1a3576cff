import Resolver

/// A time that stands still until a test moves it.
final class ManualTime: Sendable {
    private let seconds: Box<Double>

    init(_ seconds: Double = 0) {
        self.seconds = Box(seconds)
    }

    var clock: ResolverClock { ResolverClock { [seconds] in seconds.value } }

    func set(_ seconds: Double) {
        self.seconds.set(seconds)
    }

    func advance(by seconds: Double) {
        self.seconds.update { $0 += seconds }
    }

    /// An empty resolver that lives in this time.
    func resolver() -> Resolver {
        let resolver = Resolver()
        resolver.clock = clock
        return resolver
    }
}
