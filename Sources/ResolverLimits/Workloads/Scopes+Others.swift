import Resolver
import Synchronization

// The cost of one scope beside many others, or beside many resolvers.

extension Workload {
    static let scopesAmongOthers = [setScopes, observedScopes, newKeys, returningKeys, tenantCaches, connections]

    /// Each hides the one before, as where `clear` is forgotten.
    private static let setScopes = Workload(
        "set-scopes", "Requests that one thread sets and does not clear", unit: "scopes", upTo: 8000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        recorder.measure("set", units: size, bytes: .flat) {
            for number in 0..<size { ScopeContext.shared.setCurrent(.request, id: "\(number)") }
        }
        recorder.measure("resolve", units: 1000) { for _ in 0..<1000 { _ = resolver.resolve(Leaf.self) } }
        recorder.measure("clear", units: size) { for _ in 0..<size { ScopeContext.shared.clear(.request) } }
    }

    private static let observedScopes = Workload(
        "observed-scopes", "Open scopes, observed, and ended by their ids", unit: "scopes", upTo: 8000
    ) { recorder, size in
        let observation = ScopeContext.shared.observe { _ in }
        var scopes: [ScopeHandle] = []
        recorder.measure("open", units: size) {
            for number in 0..<size { scopes.append(ScopeContext.shared.open(.session, id: "\(number)")) }
        }
        recorder.measure("end by id", units: size) {
            for number in 0..<size { ScopeContext.shared.end(.session, id: "\(number)") }
        }
        observation.cancel()
    }

    private static let newKeys = Workload(
        "scoped-names", "Ever new names that a request registers, among resolvers", unit: "resolvers", upTo: 8000
    ) { recorder, size in
        let others = (0..<size).map { _ in Resolver() }
        recorder.loop("register", 1000) {
            for number in $0 {
                Resolver.withScope(.request, id: "one") {
                    Resolver.registerScoped(Leaf.self, name: .init("\(number)"), scope: .request) { Leaf() }
                }
            }
        }
        withExtendedLifetime(others) {}
    }

    private static let returningKeys = Workload(
        "returning-names", "Names that requests register again and again, among resolvers and sessions",
        unit: "resolvers", upTo: 8000
    ) { recorder, size in
        let others = (0..<size).map { _ in Resolver() }
        let sessions = (0..<size).map { _ in ScopeContext.shared.open(.session, id: "") }
        for session in sessions { session.register { Leaf() } }
        recorder.loop("register", 4000) {
            for number in $0 {
                Resolver.withScope(.request, id: "one") {
                    Resolver.registerScoped(Leaf.self, name: .init("\(number % 300)"), scope: .request) { Leaf() }
                }
            }
        }
        for session in sessions { session.end() }
        withExtendedLifetime(others) {}
    }

    private static let connections = Workload(
        "connections", "Resolvers that serve one request each, beside open sessions", unit: "sessions", upTo: 16_000
    ) { recorder, size in
        let sessions = (0..<size).map { ScopeContext.shared.open(.session, id: "\($0)") }
        recorder.loop("connect", 1000) {
            for _ in $0 {
                let resolver = Resolver()
                resolver.register { Leaf() }.scoped(to: .request)
                Resolver.withScope(.request, id: "one") { _ = resolver.resolve(Leaf.self) }
            }
        }
        for session in sessions { session.end() }
    }

    private final class TenantScope: ResolverScopeType {
        let caches: [ResolverScopeCache]
        let current = Mutex(0)

        init(_ count: Int) {
            caches = (0..<count).map { _ in ResolverScopeCache() }
        }

        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            caches[current.withLock { $0 }].resolve(registration: registration, resolver: resolver, args: args)
        }

        func reset() {}
    }

    private static let tenantCaches = Workload(
        "tenant-caches", "One registration with a cache for each tenant", unit: "caches", upTo: 16_000
    ) { recorder, size in
        let resolver = Resolver(), tenants = TenantScope(size)
        resolver.register { Leaf() }.scope(tenants)
        let resolveAll = {
            for tenant in 0..<size {
                tenants.current.withLock { $0 = tenant }
                _ = resolver.resolve(Leaf.self)
            }
        }
        recorder.measure("first", units: size, bytes: .flat, resolveAll)
        recorder.measure("hit", units: size, resolveAll)
    }
}
