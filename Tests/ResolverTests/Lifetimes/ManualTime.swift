import Resolver

/// A time that advances only when a test sets it.
final class ManualTime: Sendable {
    private let seconds: Box<Double>
    init(_ seconds: Double = 0) { self.seconds = Box(seconds) }

    var clock: ResolverClock { ResolverClock { [seconds] in seconds.value } }

    func set(_ seconds: Double) { self.seconds.set(seconds) }

    func advance(by seconds: Double) { self.seconds.update { $0 += seconds } }

    func resolver() -> Resolver {
        let resolver = Resolver()
        resolver.clock = clock
        return resolver
    }
}
