import Resolver
import Testing

/// Dependency cycles of asynchronous factories: every caller in a cycle gets an error, and none hangs.
@Suite struct AsyncDependencyCycleTests {
    /// Registers services that each need the next one.
    private static func cycle(
        _ names: [String], _ scopes: [ResolverScope], before: @escaping @Sendable () async -> Void = {}
    ) -> Resolver {
        let resolver = Resolver()
        for (index, name) in names.enumerated() {
            let next = Resolver.Name(names[(index + 1) % names.count])
            resolver.register(name: .init(name)) { r -> Leaf in
                await before()
                _ = try await r.resolveAsync(Leaf.self, name: next)
                return Leaf()
            }.scope(scopes[index])
        }
        return resolver
    }

    /// The path may begin at any member if several tasks enter the cycle.
    private static func requireCycle(_ error: ResolutionError?, _ names: Set<String>, _ mix: String, line: UInt = #line)
    {
        Child.require(error?.code == .circularDependency, "\(mix): \(String(describing: error))", line: line)
        let path = error?.path.map(\.name) ?? []
        Child.require(path.first == path.last && path.count == names.count + 1, "\(mix): \(path)", line: line)
        Child.require(Set(path) == Set(names.map(Optional.some)), "\(mix): \(path)", line: line)
    }

    /// Registering `name` again breaks the cycle.
    private static func requireAllWork(
        _ names: [String], in resolver: Resolver, without name: String, _ mix: String, line: UInt = #line
    ) async {
        resolver.register(name: .init(name)) { Leaf() }
        for name in names {
            let error = await resolver.asyncFailure(Leaf.self, name: .init(name))
            Child.require(error == nil, "\(mix): \(String(describing: error))", line: line)
        }
    }

    // MARK: One task

    @Test func `a service that needs itself is a dependency cycle in every scope`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for (kind, scope) in ResolverScope.oneOfEachKind {
                let resolver = AsyncDependencyCycleTests.cycle(["a"], [scope])
                let error = await resolver.asyncFailure(Leaf.self, name: "a")
                AsyncDependencyCycleTests.requireCycle(error, ["a"], kind)
                await AsyncDependencyCycleTests.requireAllWork(["a"], in: resolver, without: "a", kind)
            }
        }
    }

    @Test func `two services that need each other are a dependency cycle in every mix of scopes`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for (first, one) in ResolverScope.oneOfEachKind {
                for (second, other) in ResolverScope.oneOfEachKind {
                    let mix = "\(first), \(second)"
                    let resolver = AsyncDependencyCycleTests.cycle(["a", "b"], [one, other])
                    for name in ["a", "b", "a"] {
                        let error = await resolver.asyncFailure(Leaf.self, name: .init(name))
                        AsyncDependencyCycleTests.requireCycle(error, ["a", "b"], mix)
                    }
                    await AsyncDependencyCycleTests.requireAllWork(["a", "b"], in: resolver, without: "b", mix)
                }
            }
        }
    }

    @Test(arguments: [ResolverScope.unique, .graph])
    func `the path of a cycle in the caller's own task begins with the requested service`(_ scope: ResolverScope)
        async throws
    {
        let resolver = AsyncDependencyCycleTests.cycle(["a", "b", "c"], [scope, scope, scope])
        let error = try await #require(throws: ResolutionError.self) {
            try await resolver.resolveAsync(Leaf.self, name: "b")
        }
        #expect(error.path.map(\.name) == ["b", "c", "a", "b"])
        #expect(error.name == "b")
    }

    @Test func `the path of a dependency cycle omits the services that only lead to it`() async throws {
        let resolver = AsyncDependencyCycleTests.cycle(["a", "b"], [ResolverScopeCache(), .unique])
        resolver.register(name: "entry") { r in try await r.resolveAsync(Leaf.self, name: "a") }
        let error = try await #require(throws: ResolutionError.self) {
            try await resolver.resolveAsync(Leaf.self, name: "entry")
        }
        #expect(error.path.map(\.name) == ["a", "b", "a"])
    }

    @Test func `a dependency cycle through an alias is detected in every scope`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for (kind, scope) in ResolverScope.oneOfEachKind {
                let resolver = Resolver()
                resolver.register(name: "real") { r -> Player in
                    _ = try await r.resolveAsync((any Role).self, name: "alias")
                    return Player()
                }.implements((any Role).self, name: "alias").scope(scope)
                for _ in 0..<2 {
                    let direct = await resolver.asyncFailure(Player.self, name: "real")
                    Child.require(direct?.code == .circularDependency, "\(kind): \(String(describing: direct))")
                    let through = await resolver.asyncFailure((any Role).self, name: "alias")
                    Child.require(through?.code == .circularDependency, "\(kind): \(String(describing: through))")
                }
            }
        }
    }

    // MARK: Several tasks

    @Test func `two tasks that enter a dependency cycle at both ends both get an error`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for (first, one) in ResolverScope.oneOfEachKind {
                for (second, other) in ResolverScope.oneOfEachKind {
                    let mix = "\(first), \(second)"
                    let bothInside = Rendezvous(2)
                    let resolver = AsyncDependencyCycleTests.cycle(["a", "b"], [one, other]) {
                        await bothInside.arriveAndPass()
                    }
                    async let a = resolver.asyncFailure(Leaf.self, name: "a")
                    async let b = resolver.asyncFailure(Leaf.self, name: "b")
                    for error in await [a, b] { AsyncDependencyCycleTests.requireCycle(error, ["a", "b"], mix) }
                    await AsyncDependencyCycleTests.requireAllWork(["a", "b"], in: resolver, without: "a", mix)
                }
            }
        }
    }

    @Test func `three tasks that enter a dependency cycle all get an error`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for round in 0..<50 {
                let allInside = Rendezvous(3)
                let scopes = [ResolverScopeCache(), ResolverScopeCache(), ResolverScope.container]
                let resolver = AsyncDependencyCycleTests.cycle(["a", "b", "c"], scopes) {
                    await allInside.arriveAndPass()
                }
                async let a = resolver.asyncFailure(Leaf.self, name: "a")
                async let b = resolver.asyncFailure(Leaf.self, name: "b")
                async let c = resolver.asyncFailure(Leaf.self, name: "c")
                for error in await [a, b, c] {
                    AsyncDependencyCycleTests.requireCycle(error, ["a", "b", "c"], "round \(round)")
                }
                await AsyncDependencyCycleTests.requireAllWork(
                    ["a", "b", "c"], in: resolver, without: "c", "round \(round)")
            }
        }
    }
}
