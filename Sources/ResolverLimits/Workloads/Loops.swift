import Resolver

// Loops that run for ever and must not grow. The resolver lives on during the measurement, as in an app.

extension Workload {
    static let loops = [
        resolving, resolvingGraphs, resolvingByArgument, resolvingWithTimeToLive, failing, childResolvers,
        isolatingResolvers, requests,
        requestRegistrations, registeringAgain, resetScopes, resetAll, addingChildren, replacingCaches,
    ]

    private static let resolving = Workload(
        "resolve-unique", "Resolving a unique service", unit: "calls", upTo: 1_000_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.unique)
        recorder.loop("resolve", size) { for _ in $0 { _ = resolver.resolve(Leaf.self) } }
    }

    private static let resolvingGraphs = Workload(
        "resolve-graph", "Resolving a graph of three", unit: "calls", upTo: 1_000_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }
        resolver.register { Pair($0.resolve(), $0.resolve()) }
        recorder.loop("resolve", size) { for _ in $0 { _ = resolver.resolve(Pair.self) } }
    }

    /// Each value of the argument has an instance until the request ends.
    private static let resolvingByArgument = Workload(
        "arguments", "An instance for each argument, for the time of a request", unit: "values", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { (_, args) in
            _ = args() as Int; return Leaf()
        }
        .scoped(to: .request).scopeOnArguments(Int.self)
        recorder.loop("resolve", size) { rounds in
            for first in stride(from: rounds.lowerBound, to: rounds.upperBound, by: 100) {
                Resolver.withScope(.request, id: "one") {
                    for value in first..<min(first + 100, rounds.upperBound) {
                        _ = resolver.resolve(Leaf.self, args: value)
                    }
                }
            }
        }
        // All in one scope: each value costs the same, and is released with the scope.
        Resolver.withScope(.request, id: "many") {
            recorder.measure("resolve, all in one request", units: size, bytes: .flat) {
                for value in 0..<size { _ = resolver.resolve(Leaf.self, args: value) }
            }
            recorder.measure("resolve again", units: size, bytes: .nothing) {
                for value in 0..<size { _ = resolver.resolve(Leaf.self, args: value) }
            }
        }
    }

    private static let resolvingWithTimeToLive = Workload(
        "arguments-time", "An instance for each argument, for a limited time", unit: "values", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        // An instance expires after a microsecond, so most have expired at the next purge.
        resolver.register { (_, args) in
            _ = args() as Int; return Leaf()
        }
        .scope(.cached).scopeOnArguments(Int.self).timeToLive(0.000_001)
        recorder.loop("resolve and purge", size) { rounds in
            for value in rounds {
                _ = resolver.resolve(Leaf.self, args: value)
                // Empty branches are removed whenever their number has doubled, which limits them.
                if value % 10 == 9 { resolver.purgeExpired() }
            }
            resolver.purgeExpired()
        }
    }

    private static let failing = Workload(
        "errors", "Errors that are thrown and read", unit: "calls", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register(name: "other") { Leaf() }
        recorder.loop("message", size) {
            for _ in $0 { _ = recorder.message(of: resolver, missing: Leaf.self, "another") }
        }
    }

    private static let childResolvers = Workload(
        "child-resolvers", "Resolvers in front of another, made and dropped", unit: "resolvers", upTo: 100_000
    ) { recorder, size in
        let main = Resolver()
        main.register { Leaf() }.scope(.cached)
        recorder.loop("make, use and drop", size) {
            for _ in $0 {
                let resolver = Resolver(child: main)
                resolver.register { Pair($0.resolve(), $0.resolve()) }.scope(.container)
                _ = resolver.resolve(Pair.self)
            }
        }
    }

    private static let isolatingResolvers = Workload(
        "isolating-resolvers", "Isolating resolvers, made and dropped", unit: "resolvers", upTo: 100_000
    ) { recorder, size in
        let main = Resolver()
        main.register { Leaf() }.scope(.cached)
        main.register { Pair($0.resolve(), $0.resolve()) }.scope(.application)
        recorder.loop("make, use and drop", size) {
            for _ in $0 { _ = Resolver(isolating: main).resolve(Pair.self) }
        }
    }

    private static let requests = Workload(
        "requests", "Requests that open and end", unit: "requests", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        recorder.loop("open, resolve and end", size) {
            for number in $0 { Resolver.withScope(.request, id: "\(number)") { _ = resolver.resolve(Leaf.self) } }
        }
    }

    private static let requestRegistrations = Workload(
        "request-registrations", "Services that requests register under new names", unit: "requests", upTo: 100_000
    ) { recorder, size in
        recorder.loop("register and resolve", size) {
            for number in $0 {
                Resolver.withScope(.request, id: "one") {
                    let name = Resolver.Name("\(number)")
                    Resolver.registerScoped(Leaf.self, name: name, scope: .request) { Leaf() }
                    _ = Resolver.resolve(Leaf.self, name: name)
                }
            }
        }
    }
}
