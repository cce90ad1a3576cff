import Resolver

// A request: a scope is opened, three services are made for it and resolved ten more times, and all are released.

private final class Visitor { let value = 1 }
private final class Journal { let value = 2 }
private final class Till { let value = 3 }
/// A service that requests register for themselves, which the others do not pay for.
private final class Badge {}

/// A request without a container.
private final class RequestByHand {
    lazy var visitor = Visitor()
    lazy var journal = Journal()
    lazy var till = Till()
}

extension WorkloadGroup {
    static func requests() -> WorkloadGroup {
        let resolver = Resolver()
        resolver.register { Visitor() }.scoped(to: .request)
        resolver.register { Journal() }.scoped(to: .request)
        resolver.register { Till() }.scoped(to: .request)
        @inline(__always)
        func serve() {
            for _ in 0..<4 { sink(resolver.resolve(Visitor.self)) }
            for _ in 0..<4 { sink(resolver.resolve(Journal.self)) }
            for _ in 0..<5 { sink(resolver.resolve(Till.self)) }
        }
        let byHand = Workload.Side("an object of three") {
            for _ in 0..<$0 {
                let request = opaque(RequestByHand())
                for _ in 0..<4 { sink(request.visitor) }
                for _ in 0..<4 { sink(request.journal) }
                for _ in 0..<5 { sink(request.till) }
            }
        }
        let context = ScopeContext.shared
        return WorkloadGroup(
            title: "Requests: open, make three services, ask ten times more, end",
            workloads: [
                Workload(
                    .init("in a closure") { for _ in 0..<$0 { Resolver.withScope(.request, id: "42") { serve() } } },
                    byHand: byHand, atMost: 8, stretch: 4),
                Workload(
                    .init("set and cleared") {
                        for _ in 0..<$0 {
                            context.setCurrent(.request, id: "42")
                            defer { context.clear(.request) }
                            serve()
                        }
                    },
                    byHand: byHand),
                Workload(
                    .init("empty, in a closure") { for _ in 0..<$0 { Resolver.withScope(.request, id: "42") {} } },
                    byHand: byHand),
                hit(resolver),
            ] + besides(resolver))
    }

    /// Calls that do not use requests cost no more than without them.
    private static func besides(_ requests: Resolver) -> [Workload] {
        let resolver = Resolver()
        resolver.register { Visitor() }.scope(.cached)
        resolver.register { Journal() }.scope(.unique)
        func beside(_ body: @escaping (Int) -> Void) -> (Int) -> Void {
            { rounds in
                ScopeContext.shared.setCurrent(.session, id: "user")
                defer { ScopeContext.shared.clear(.session) }
                Resolver.withScope(.request, id: "42") {
                    Resolver.registerScoped(Badge.self, scope: .request) { Badge() }
                    sink(requests.resolve(Visitor.self))
                    body(rounds)
                }
            }
        }
        let hits = { (rounds: Int) in for _ in 0..<rounds { sink(resolver.resolve(Visitor.self)) } }
        let makes = { (rounds: Int) in for _ in 0..<rounds { sink(resolver.resolve(Journal.self)) } }
        return [
            Workload(.init("cached hit, in a request", beside(hits)), byHand: .init("without a request", hits)),
            Workload(.init("unique, in a request", beside(makes)), byHand: .init("without a request", makes)),
        ]
    }

    private static func hit(_ resolver: Resolver) -> Workload {
        Workload(
            .init("hit in a request") { rounds in
                Resolver.withScope(.request, id: "42") {
                    for _ in 0..<rounds { sink(resolver.resolve(Visitor.self)) }
                }
            },
            byHand: .init("an object of three") { rounds in
                let request = opaque(RequestByHand())
                for _ in 0..<rounds { sink(request.visitor) }
            })
    }
}
