import Resolver

// Repeated changes of a resolver that lives for ever.

extension Workload {
    static let registeringAgain = Workload(
        "registering-again", "Registering the same service again", unit: "registrations", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        recorder.loop("register", size) { for _ in $0 { resolver.register { Leaf() }.scope(.cached) } }
    }

    static let resetScopes = Workload(
        "reset-scopes", "reset(.scopes) and resolving", unit: "resets", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.cached)
        recorder.loop("reset and resolve", size) {
            for _ in $0 {
                resolver.reset(.scopes)
                _ = resolver.resolve(Leaf.self)
            }
        }
    }

    static let resetAll = Workload(
        "reset-all", "reset(.all) and registering", unit: "resets", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        recorder.loop("reset and register", size) {
            for _ in $0 {
                resolver.reset(.all)
                resolver.register { Leaf() }.scope(.cached)
                _ = resolver.resolve(Leaf.self)
            }
        }
    }

    /// The children stay: a fixed number of bytes for each.
    static let addingChildren = Workload(
        "adding-children", "add(child:) and asking for what is missing", unit: "children", upTo: 8000
    ) { recorder, size in
        let resolver = Resolver()
        recorder.loop("add and miss", size, bytes: .flat) {
            for _ in $0 {
                resolver.add(child: Resolver())
                _ = resolver.optional(Leaf.self)
            }
        }
    }

    static let replacingCaches = Workload(
        "replacing-caches", "Another cache for a resolver", unit: "caches", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.container)
        recorder.loop("replace and resolve", size) {
            for _ in $0 {
                resolver.cache = ResolverScopeCache()
                _ = resolver.resolve(Leaf.self)
            }
        }
    }
}
