import ConcurrencySupport
import Resolver

// Many instances whose `deinit` resolves, released at once on the stack of a secondary thread. No release may run inside
// another.

extension Workload {
    static let releases =
        [
            release("end of the resolver", "cached", .cached) { _, resolver in resolver = nil },
            release("reset", "container", .container) { held, resolver in held.reset(.all) },
            release("reset", "cache", ResolverScopeCache()) { held, resolver in held.reset(.scopes) },
        ] + [graphRelease, requestRelease]

    private static let stackSize = 512 << 10

    private static func release(
        _ step: String, _ name: String, _ scope: ResolverScope,
        by end: @escaping @Sendable (Resolver, inout Resolver?) -> Void
    ) -> Workload {
        Workload(
            "release-\(name)", "Instances that resolve when they go: \(step), .\(name)", unit: "instances",
            upTo: 100_000
        ) { recorder, size in
            let names = names(size), other = resolverOfLeaf()
            var resolver: Resolver? = Resolver()
            for name in names { resolver?.register(name: name) { Parting(other) }.scope(scope) }
            for name in names { _ = resolver?.resolve(Parting.self, name: name) }
            Threads.withStack(of: stackSize) {
                recorder.measure(step, units: size, time: .logarithmic) {
                    if let held = resolver { end(held, &resolver) }
                }
            }
        }
    }

    private static let graphRelease = Workload(
        "release-graph", "Instances that resolve when they go: end of a resolution cycle", unit: "instances",
        upTo: 100_000
    ) { recorder, size in
        let names = names(size), other = resolverOfLeaf(), resolver = Resolver()
        for name in names { resolver.register(name: name) { Parting(other) } }
        resolver.register { resolver -> Leaf in
            for name in names { _ = resolver.resolve(Parting.self, name: name) }
            return Leaf()
        }
        Threads.withStack(of: stackSize) {
            recorder.measure("make and release", units: size) { _ = resolver.resolve(Leaf.self) }
        }
    }

    private static let requestRelease = Workload(
        "release-request", "Instances that resolve when they go: end of a request", unit: "instances", upTo: 100_000
    ) { recorder, size in
        let names = names(size), other = resolverOfLeaf(), resolver = Resolver()
        for name in names { resolver.register(name: name) { Parting(other) }.scoped(to: .request) }
        let request = ScopeContext.shared.open(.request, id: "one")
        recorder.measure("make", units: size, bytes: .flat) {
            request.run { for name in names { _ = resolver.resolve(Parting.self, name: name) } }
        }
        Threads.withStack(of: stackSize) {
            recorder.measure("end", units: size, time: .logarithmic) { request.end() }
        }
    }

    private static func resolverOfLeaf() -> Resolver {
        let resolver = Resolver()
        resolver.register { Leaf() }
        return resolver
    }

    /// Each resolver knows the order of all below it, if it is asked while it is the last.
    static let askedResolverChain = Workload(
        "resolver-chain-asked", "A chain of resolvers, each of which is asked", unit: "resolvers", upTo: 2000
    ) { recorder, size in
        var last = Resolver()
        last.register { Leaf() }.scope(.cached)
        recorder.measure("make and search", units: size, time: .linear, bytes: .linear) {
            for _ in 0..<size {
                last = Resolver(child: last)
                _ = last.resolve(Leaf.self)
            }
        }
    }

    /// Each is above the one before, so the last one retains all.
    static let resolverChain = Workload(
        "resolver-chain", "A chain of resolvers", unit: "resolvers", upTo: 20_000
    ) { recorder, size in
        Threads.withStack(of: stackSize) {
            var last: Resolver? = Resolver()
            last?.register { Leaf() }.scope(.cached)
            recorder.measure("make", units: size, bytes: .flat) { for _ in 0..<size { last = Resolver(child: last) } }
            recorder.measure("search for the first time", units: size, bytes: .flat) { _ = last?.resolve(Leaf.self) }
            recorder.measure("search again", units: size, bytes: .nothing) { _ = last?.resolve(Leaf.self) }
            recorder.measure("release", units: size) { last = nil }
        }
    }
}
