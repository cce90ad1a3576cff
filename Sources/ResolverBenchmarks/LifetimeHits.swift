import BenchmarkSupport
import Resolver

// Hits in each scope, with a time to live, and with one instance for each argument.

private final class KeptService { let value = 1 }
private final class SubclassedCache: ResolverScopeCache, @unchecked Sendable {}

/// Instances that are kept without a container.
private enum ByHand {
    nonisolated(unsafe) static var kept = KeptService()
    nonisolated(unsafe) static weak var shared: KeptService?

    /// Assigned unpredictably, because the optimizer would treat the variable as a constant otherwise.
    static func assign() {
        if opaque(true) { kept = KeptService() }
    }
}

/// An instance and the time of its creation or last use, in nanoseconds.
private struct Timed {
    let service = KeptService()
    var since = now()

    /// The time never ends here: the check itself is measured.
    mutating func use(prolongs: Bool) -> KeptService {
        let moment = now()
        if moment - since >= 3600e9 { self = Timed() }
        if prolongs { since = moment }
        return service
    }
}

extension WorkloadGroup {
    static func lifetimeHits() -> WorkloadGroup {
        ByHand.assign()
        return WorkloadGroup(
            title: "Hits by lifetime",
            workloads: kept() + [shared(), timed(.lastUse), timed(.creation)] + perArgument())
    }

    private static func kept() -> [Workload] {
        let parent = Resolver()
        parent.register { KeptService() }.scope(.cached)
        return [
            kept("application", by: .application), kept("cached", by: .cached), kept("container", by: .container),
            kept("a cache of one's own", by: ResolverScopeCache()),
            kept("a subclass of the cache", by: SubclassedCache()),
            kept("cached, in an isolating resolver", in: Resolver(isolating: parent)), isolated(parent),
        ]
    }

    private static func kept(_ name: String, by scope: ResolverScope) -> Workload {
        let resolver = Resolver()
        resolver.register { KeptService() }.scope(scope)
        return kept(name, in: resolver)
    }

    private static func kept(_ name: String, in resolver: Resolver) -> Workload {
        Workload(
            .init(name) { for _ in 0..<$0 { sink(resolver.resolve(KeptService.self)) } },
            byHand: .init("static var read") { for _ in 0..<$0 { sink(ByHand.kept) } })
    }

    private static func isolated(_ parent: Resolver) -> Workload {
        let isolating = Resolver(isolating: parent)
        return Workload(
            .init("hit in an isolating resolver") { for _ in 0..<$0 { sink(isolating.resolve(KeptService.self)) } },
            byHand: .init("in its parent") { for _ in 0..<$0 { sink(parent.resolve(KeptService.self)) } },
            atMost: 4, stretch: 2)
    }

    private static func shared() -> Workload {
        let resolver = Resolver()
        resolver.register { KeptService() }.scope(.shared)
        // The closures that measure retain them.
        let held = (resolver.resolve(KeptService.self), KeptService())
        ByHand.shared = held.1
        return Workload(
            .init("shared") {
                for _ in 0..<$0 { sink(resolver.resolve(KeptService.self)) }
                sink(held.0)
            },
            byHand: .init("weak load") {
                for _ in 0..<$0 { if let service = ByHand.shared { sink(service) } }
                sink(held.1)
            },
            atMost: 2, stretch: 1.3)
    }

    private static func timed(_ start: Resolver.TimeToLiveStart) -> Workload {
        let resolver = Resolver()
        resolver.register { KeptService() }.scope(.cached).timeToLive(3600, from: start)
        let timed = Locked(Timed())
        let prolongs = start == .lastUse
        return Workload(
            .init("time to live, from \(prolongs ? "the last use" : "creation")") {
                for _ in 0..<$0 { sink(resolver.resolve(KeptService.self)) }
            },
            byHand: .init("clock, lock, instance") {
                for _ in 0..<$0 { sink(timed.withLock { $0.use(prolongs: prolongs) }) }
            },
            atMost: 2, stretch: 1.3)
    }

    private static func perArgument() -> [Workload] {
        let (typed, untyped) = (Resolver(), Resolver())
        typed.register { _, _ in KeptService() }.scope(.cached).scopeOnArguments(Int.self)
        untyped.register { _, _ in KeptService() }.scope(.cached).scopeOnArguments()
        let count = 64
        let services = Locked(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, KeptService()) }))
        func side(_ name: String, _ resolver: Resolver) -> Workload.Side {
            .init(name) { for round in 0..<$0 { sink(resolver.resolve(KeptService.self, args: round % count)) } }
        }
        let byHand = Workload.Side("locked [Int: Service]") {
            for round in 0..<$0 { if let service = services.withLock({ $0[round % count] }) { sink(service) } }
        }
        return [
            Workload(side("for each of 64 arguments, typed", typed), byHand: byHand),
            Workload(side("for each of 64 arguments, untyped", untyped), byHand: byHand),
        ]
    }
}
