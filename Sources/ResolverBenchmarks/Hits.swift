import Resolver

// Hits of kept services.

final class CachedService { let value = 1 }
protocol Greeting { func greet() -> Int }
final class CachedGreeter: Greeting { func greet() -> Int { 1 } }
final class CrowdService { let value = 1 }

/// Instances that are kept without a container.
private enum ByHand {
    nonisolated(unsafe) static var cached = CachedService()
    nonisolated(unsafe) static var greeter: any Greeting = CachedGreeter()

    /// Assigned unpredictably, because the optimizer would treat the variables as constants otherwise.
    static func assign() {
        if opaque(true) { cached = CachedService() }
        if opaque(true) { greeter = CachedGreeter() }
    }
}

extension WorkloadGroup {
    static func hits() -> WorkloadGroup {
        ByHand.assign()
        let resolver = Resolver()
        resolver.register { CachedService() }.scope(.cached)
        resolver.register { CachedGreeter() as Greeting }.scope(.cached)
        let staticRead = Workload.Side("static var read") { for _ in 0..<$0 { sink(ByHand.cached) } }
        return WorkloadGroup(
            title: "Hits",
            workloads: [
                Workload(
                    .init("cached hit") { for _ in 0..<$0 { sink(resolver.resolve(CachedService.self)) } },
                    byHand: staticRead, atMost: 1.5, stretch: 1.2),
                Workload(
                    .init("cached hit, static function") {
                        for _ in 0..<$0 { sink(Resolver.resolve(CachedService.self)) }
                    },
                    byHand: staticRead, atMost: 1.5, stretch: 1.2),
                Workload(
                    .init("cached hit behind a protocol") { for _ in 0..<$0 { sink(resolver.resolve(Greeting.self)) } },
                    byHand: .init("static var read") { for _ in 0..<$0 { sink(ByHand.greeter) } }),
            ] + [staticDoor()] + named() + crowded() + [throughContainers()])
    }

    /// The cost of a test's own root for an app: the branch before the root is read.
    private static func staticDoor() -> Workload {
        let main = Resolver.main
        return Workload(
            .init("hit on the static root") { for _ in 0..<$0 { sink(Resolver.resolve(CachedService.self)) } },
            byHand: .init("on a resolver at hand") { for _ in 0..<$0 { sink(main.resolve(CachedService.self)) } },
            atMost: 1.2, stretch: 1.05)
    }

    private static func named() -> [Workload] {
        let resolver = Resolver()
        resolver.register { CachedService() }.scope(.cached)
        resolver.register(name: "named") { CachedService() }.scope(.cached)
        let name: Resolver.Name = "named"
        let unnamed = Workload.Side("unnamed hit") { for _ in 0..<$0 { sink(resolver.resolve(CachedService.self)) } }
        return [
            Workload(
                .init("named hit, stored name") {
                    for _ in 0..<$0 { sink(resolver.resolve(CachedService.self, name: name)) }
                },
                byHand: unnamed, atMost: 1.2, stretch: 1.05),
            Workload(
                .init("named hit, literal") {
                    for _ in 0..<$0 { sink(resolver.resolve(CachedService.self, name: "named")) }
                },
                byHand: unnamed, atMost: 1.2, stretch: 1.05),
        ]
    }

    private static func crowded() -> [Workload] {
        let (few, many) = (resolver(registrations: 10), resolver(registrations: 1000))
        return [
            Workload(
                .init("hit with 1000 registrations") { for _ in 0..<$0 { sink(many.resolve(CachedService.self)) } },
                byHand: .init("with 10") { for _ in 0..<$0 { sink(few.resolve(CachedService.self)) } },
                atMost: 1.15, stretch: 1.05)
        ]
    }

    private static func resolver(registrations: Int) -> Resolver {
        let resolver = Resolver()
        resolver.register { CachedService() }.scope(.cached)
        for number in 1..<registrations {
            resolver.register(name: Resolver.Name("\(number)")) { CrowdService() }.scope(.cached)
        }
        return resolver
    }

    private static func throughContainers() -> Workload {
        let own = Resolver()
        own.register { CachedService() }.scope(.cached)
        let fourth = Resolver(child: Resolver(child: Resolver(child: own)))
        return Workload(
            .init("hit through 4 containers") { for _ in 0..<$0 { sink(fourth.resolve(CachedService.self)) } },
            byHand: .init("own container") { for _ in 0..<$0 { sink(own.resolve(CachedService.self)) } },
            atMost: 2, stretch: 1.4)
    }
}
