import Resolver

// Services that are made for each call.

final class UniqueService { let value = 1 }

final class Amount {
    let value: Int
    init(_ value: Int) { self.value = value }
}

extension WorkloadGroup {
    static func making() -> WorkloadGroup {
        let resolver = Resolver()
        resolver.register { UniqueService() }.scope(.unique)
        resolver.register { (_, args) in Amount(args()) }.scope(.unique)
        let makeUnique = opaque(making: { UniqueService() })
        let makeAmount = opaque(making: { (value: Int) in Amount(value) })
        let graphResolver = resolverWithGraph()
        let makeGraph = opaque(making: makeGraphByHand)
        let chainResolver = resolverWithChain()
        let makeChain = opaque(making: makeChainByHand)
        let graphByHand = Workload.Side("initializers") { for _ in 0..<$0 { sink(makeGraph()) } }
        let chainByHand = Workload.Side("initializers") { for _ in 0..<$0 { sink(makeChain()) } }
        return WorkloadGroup(
            title: "Making",
            workloads: [
                Workload(
                    .init("unique") { for _ in 0..<$0 { sink(resolver.resolve(UniqueService.self)) } },
                    byHand: .init("closure") { for _ in 0..<$0 { sink(makeUnique()) } },
                    atMost: 1.6, stretch: 1.2),
                Workload(
                    .init("unique with an Int") {
                        for number in 0..<$0 { sink(resolver.resolve(Amount.self, args: number)) }
                    },
                    byHand: .init("closure with an Int") { for number in 0..<$0 { sink(makeAmount(number)) } },
                    atMost: 3, stretch: 2),
                Workload(
                    .init("graph, explicit") { for _ in 0..<$0 { sink(graphResolver.resolve(Root.self)) } },
                    byHand: graphByHand, atMost: 2.5, stretch: 1.8),
                Workload(
                    .init("graph, ambient") { for _ in 0..<$0 { sink(Resolver.resolve(Root.self)) } },
                    byHand: graphByHand, atMost: 2.5, stretch: 1.8),
                Workload(
                    .init("chain of 10, explicit") { for _ in 0..<$0 { sink(chainResolver.resolve(Link1.self)) } },
                    byHand: chainByHand, atMost: 1.8, stretch: 1.3),
                Workload(
                    .init("chain of 10, ambient") { for _ in 0..<$0 { sink(Resolver.resolve(Link1.self)) } },
                    byHand: chainByHand, atMost: 1.8, stretch: 1.3),
                injected(),
            ])
    }
}
