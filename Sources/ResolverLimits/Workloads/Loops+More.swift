import BenchmarkSupport
import Resolver

// Further loops that must not grow: the process's list of resolvers, and asynchronous calls.

extension Workload {
    static let moreLoops = [
        newSingletons, modifying, scopeKinds, observing, withRoot, scopeNodes, asyncCalls, asyncFlights,
    ]

    /// Each name is a definition of its own, which is forgotten with the resolver that registered it.
    private static let newSingletons = Workload(
        "new-singletons", "Singletons under ever new names", unit: "singletons", upTo: 100_000
    ) { recorder, size in
        recorder.loop("register, resolve and reset", size) {
            for number in $0 {
                let resolver = Resolver(), name = Resolver.Name("\(number)")
                resolver.register(name: name) { Leaf() }.scope(.application)
                _ = resolver.resolve(Leaf.self, name: name)
                resolver.reset(scope: .application)
            }
        }
    }

    private static let modifying = Workload(
        "modifying", "Changing the scope of a registration", unit: "changes", upTo: 100_000
    ) { recorder, size in
        let resolver = Resolver(), options = resolver.register { Leaf() }
        recorder.loop("change", size) { for number in $0 { options.scope(number % 2 == 0 ? .cached : .unique) } }
    }

    private static let scopeKinds = Workload(
        "scope-kinds", "Scopes of ever new kinds", unit: "kinds", upTo: 100_000
    ) { recorder, size in
        recorder.loop("make, open and end", size) {
            for number in $0 {
                let kind = ScopeKind("kind of scope number \(number)", rank: 10, binding: .execution)
                Resolver.withScope(kind, id: "one") {}
            }
        }
    }

    private static let observing = Workload(
        "observers", "Observers that come and go", unit: "observers", upTo: 100_000
    ) { recorder, size in
        recorder.loop("observe and cancel", size) {
            for _ in $0 {
                let observation = ScopeContext.shared.observe { _ in }
                Resolver.withScope(.request, id: "one") {}
                observation.cancel()
            }
        }
    }

    private static let withRoot = Workload(
        "with-root", "A root for some code", unit: "calls", upTo: 100_000
    ) { recorder, size in
        recorder.loop("make, use and drop", size) {
            for _ in $0 {
                let resolver = Resolver()
                resolver.register { Leaf() }.scope(.cached)
                Resolver.withRoot(resolver) { _ = Resolver.resolve(Leaf.self) }
            }
        }
    }

    private static let scopeNodes = Workload(
        "scope-nodes", "Nodes below a parent, made and dropped", unit: "nodes", upTo: 100_000
    ) { recorder, size in
        let parent = ScopeNode()
        parent.resolver.register { Leaf() }.scope(.cached)
        recorder.loop("make, use and drop", size) {
            for _ in $0 { _ = ScopeNode(parent: parent).resolver.resolve(Leaf.self) }
        }
    }

    private static let asyncCalls = Workload(
        "resolve-async", "Resolving what is made asynchronously", unit: "calls", upTo: 100_000, isConcurrent: true
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { () async -> Leaf in Leaf() }.scope(.unique)
        recorder.loop("resolve", size, clock: processorTimeOfAllThreads) { rounds in
            waitForTask {
                for _ in rounds { recorder.require(await resolver.isMadeAsync(), "not made") }
            }
        }
    }

    private static let asyncFlights = Workload(
        "resolve-async-anew", "Resolving what is kept and made asynchronously, after a reset", unit: "calls",
        upTo: 100_000, isConcurrent: true
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { () async -> Leaf in Leaf() }.scope(.cached)
        recorder.loop("reset and resolve", size, clock: processorTimeOfAllThreads) { rounds in
            waitForTask {
                for _ in rounds {
                    resolver.reset(.scopes)
                    recorder.require(await resolver.isMadeAsync(), "not made")
                }
            }
        }
    }
}

extension Resolver {
    nonisolated(nonsending) fileprivate func isMadeAsync() async -> Bool { (try? await resolveAsync(Leaf.self)) != nil }
}
