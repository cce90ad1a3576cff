import Resolver
import Testing

/// Random programs of three threads on one service: every history must have a sequential order.
@Suite struct LinearizabilityTests {
    struct Instance: Sendable, Equatable {
        let version: Int, number: Int
    }

    /// One call with its result, its start and its end.
    struct Event: Sendable {
        enum Call: Sendable {
            case register(version: Int)
            case reset
            case resolve(Instance)
        }

        let call: Call, began: Int, ended: Int
    }

    /// The cache is the default scope, because `register { }.scope(cache)` is two steps, and other calls can run
    /// between them.
    private static func history(_ seed: Int, _ cache: ResolverScopeCache) -> [Event] {
        let resolver = Resolver(), clock = Box(0), instances = Box(0), versions = Box(0), events = Box<[Event]>([])
        @Sendable func register() -> Int {
            let version = versions.increment()
            resolver.register { Instance(version: version, number: instances.increment()) }
            return version
        }
        _ = register()
        Threads.run(3) { thread in
            var random = UInt64(seed &* 31 &+ thread) &* 0x9E37_79B9_7F4A_7C15
            for _ in 0..<3 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let began = clock.increment(), call: Event.Call
                switch (random >> 33) % 5 {
                case 0: call = .register(version: register())
                case 1:
                    cache.reset()
                    call = .reset
                default: call = .resolve(resolver.resolve())
                }
                events.append(Event(call: call, began: began, ended: clock.increment()))
            }
        }
        return events.value
    }

    /// The sequential model: a version, and the cached instance, if any.
    private struct Model {
        var version = 1
        var kept: Instance?
        var seen: Set<Int> = []

        mutating func accepts(_ call: Event.Call) -> Bool {
            switch call {
            case .register(let version): (self.version, kept) = (version, nil)
            case .reset: kept = nil
            case .resolve(let instance):
                if let kept { return kept == instance }
                guard instance.version == version, seen.insert(instance.number).inserted else { return false }
                kept = instance
            }
            return true
        }
    }

    /// Wing and Gong's search: an event that began before all others ended comes first.
    private static func canBeOrdered(_ events: [Event], after model: Model = Model()) -> Bool {
        guard let firstEnd = events.map(\.ended).min() else { return true }
        return events.indices.contains { index in
            var next = model, rest = events
            guard events[index].began <= firstEnd, next.accepts(rest.remove(at: index).call) else { return false }
            return canBeOrdered(rest, after: next)
        }
    }

    @Test func `every history has a sequential order`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let cache = ResolverScopeCache()
            Resolver.defaultScope = cache
            for seed in 0..<Sanitizer.rounds(10_000) {
                let events = LinearizabilityTests.history(seed, cache)
                try #require(LinearizabilityTests.canBeOrdered(events), "seed \(seed): \(events)")
            }
        }
    }

    @Test func `the checker refuses a history with two instances`() {
        let first = Event(call: .resolve(Instance(version: 1, number: 1)), began: 1, ended: 2)
        let second = Event(call: .resolve(Instance(version: 1, number: 2)), began: 3, ended: 4)
        #expect(!LinearizabilityTests.canBeOrdered([first, second]))
    }
}
