import Resolver

// The cost of one scope beside many others, or beside many resolvers.

extension Workload {
    static let scopesAmongOthers = [setScopes, observedScopes, newKeys]

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
}
