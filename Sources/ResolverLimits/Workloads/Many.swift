import Resolver

// Many resolvers, nodes and observers at one time, and many shared instances one after the other.

extension Workload {
    static let many = [isolatingResolversAtOnce, scopeNodesAtOnce, observersAtOnce, shared]

    private static let isolatingResolversAtOnce = Workload(
        "isolating-at-once", "Isolating resolvers that exist at the same time", unit: "resolvers", upTo: 20_000
    ) { recorder, size in
        let main = Resolver()
        main.register { Leaf() }.scope(.cached)
        var resolvers: [Resolver] = []
        resolvers.reserveCapacity(size)
        let resolveInAll = {
            for resolver in resolvers { _ = resolver.resolve(Leaf.self) }
        }
        recorder.measure("make", units: size, bytes: .flat) {
            for _ in 0..<size { resolvers.append(Resolver(isolating: main)) }
        }
        recorder.measure("resolve first", units: size, bytes: .flat, resolveInAll)
        recorder.measure("resolve again", units: size, bytes: .nothing, resolveInAll)
        // The instances of the old registration are released, the youngest first.
        recorder.measure("register again", units: size, time: .logarithmic) { main.register { Leaf() }.scope(.cached) }
        recorder.measure("resolve the new one", units: size, bytes: .flat, resolveInAll)
        recorder.measure("end of all", units: size) { resolvers = [] }
        // Takes no longer because of those that have ended.
        recorder.measure("register again, afterwards", units: size) {
            for _ in 0..<size {
                main.register { Leaf() }.scope(.cached)
                _ = main.resolve(Leaf.self)
            }
        }
    }

    private static let scopeNodesAtOnce = Workload(
        "nodes-at-once", "Nodes below one parent", unit: "nodes", upTo: 20_000
    ) { recorder, size in
        let parent = ScopeNode()
        parent.resolver.register { Leaf() }.scope(.cached)
        var nodes: [ScopeNode] = []
        nodes.reserveCapacity(size)
        recorder.measure("make", units: size, bytes: .flat) {
            for _ in 0..<size { nodes.append(ScopeNode(parent: parent)) }
        }
        recorder.measure("resolve what the parent has", units: size, bytes: .flat) {
            for node in nodes { _ = node.resolver.resolve(Leaf.self) }
        }
        recorder.measure("list the children", units: size, time: .logarithmic) { _ = parent.children }
        recorder.measure("print the tree", units: size, time: .logarithmic) { _ = parent.treeDescription }
        recorder.measure("end of all", units: size) { nodes = [] }
    }

    private static let observersAtOnce = Workload(
        "observers-at-once", "Observers that exist at the same time", unit: "observers", upTo: 20_000
    ) { recorder, size in
        var observations: [ResolverObservation] = []
        observations.reserveCapacity(size)
        recorder.measure("add", units: size, bytes: .flat) {
            for _ in 0..<size { observations.append(ScopeContext.shared.observe { _ in }) }
        }
        recorder.measure("cancel", units: size) { for observation in observations { observation.cancel() } }
    }

    private static let shared = Workload(
        "shared", "Shared instances that are made, held and let go", unit: "instances", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.shared)
        recorder.loop("make, use and let go", size) {
            for _ in $0 {
                let leaf = resolver.resolve(Leaf.self)
                recorder.require(resolver.resolve(Leaf.self) === leaf, "another instance")
            }
        }
    }
}
