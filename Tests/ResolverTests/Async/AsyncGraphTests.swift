import Resolver
import Testing

@Suite struct AsyncGraphTests {
    private let resolver = Resolver()

    @Test func `the outermost call releases its graph instances in reverse order when it returns`() async throws {
        let released = Box<[String]>([])
        resolver.register(name: "first") { DeinitCallback { released.append("first") } }
        resolver.register(name: "second") { await yielding(DeinitCallback { released.append("second") }) }
        resolver.register(name: "third") { DeinitCallback { released.append("third") } }
        resolver.register { r -> Int in
            _ = r.resolve(DeinitCallback.self, name: "first")
            _ = try await r.resolveAsync(DeinitCallback.self, name: "second")
            _ = r.resolve(DeinitCallback.self, name: "third")
            return await yielding(released.value.count)
        }
        try await expect(resolver.resolveAsync(Int.self), is: 0)
        expect(released.value, is: ["third", "second", "first"])
    }

    enum Form: String, CaseIterable, Codable { case asynchronous, withArgument, synchronous }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test(arguments: Form.allCases)
    func `child tasks that create a graph service concurrently all get the same instance`(_ form: Form) async {
        await #expect(processExitsWith: .success) { [form] in
            let made = Box(0), bothInside = Rendezvous(2), resolver = Resolver()
            let make: @Sendable () async -> Leaf = { made.counting(Leaf(after: await bothInside.arriveAndPass())) }
            switch form {
            case .asynchronous: resolver.register(factory: make)
            case .withArgument: resolver.register { _, _ in await make() }
            case .synchronous: resolver.register { made.counting(Leaf(after: bothInside.arriveAndWait())) }
            }
            let args = form == .withArgument ? 1 : nil
            resolver.register { r -> [Leaf] in
                let leaves = try await Tasks.results(2) { _ in
                    try await withTaskExecutorPreference(Callers()) { try await r.resolveAsync(Leaf.self, args: args) }
                }
                return leaves + [form == .synchronous ? r.resolve() : try await r.resolveAsync(args: args)]
            }
            let leaves = try await resolver.resolveAsync([Leaf].self)
            expect(made.value, is: 2)
            expect(leaves.count == 3 && leaves.allSatisfy { $0 === leaves[0] })
        }
    }

    @Test func `a task that outlives a call shares no graph instance after it`() async throws {
        let started = Box<Task<[Leaf], any Error>?>(nil), callIsOver = Gate()
        resolver.register { Leaf() }
        resolver.register { r -> [Leaf] in
            let during = Task { [r.resolve(Leaf.self), r.resolve(Leaf.self)] }
            started.set(
                Task {
                    await callIsOver.pass()
                    async let child = r.resolveAsync(Leaf.self)
                    async let secondChild = r.resolveAsync(Leaf.self)
                    return [r.resolve(Leaf.self), r.resolve(Leaf.self), try await child, try await secondChild]
                })
            return [r.resolve()] + (await during.value)
        }
        let during = try await resolver.resolveAsync([Leaf].self)
        callIsOver.open()
        let after = try #require(try await started.value?.value)
        expect(Set((during + after).map(ObjectIdentifier.init)).count, is: 7)
    }

    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache()], [false, true])
    func `the path of an error includes the parents of child tasks alone`(_ scope: ResolverScope, isChild: Bool) async {
        resolver.register(name: "b") { r -> Leaf in
            async let leaf = r.resolveAsync(Leaf.self, name: "missing")
            return try await leaf
        }.scope(scope)
        resolver.register(name: "a") { r -> Leaf in
            if !isChild { return try await Task { try await r.resolveAsync(Leaf.self, name: "b") }.value }
            async let leaf = r.resolveAsync(Leaf.self, name: "b")
            return try await leaf
        }
        let error = await resolver.asyncFailure(Leaf.self, name: "a")
        expect(error?.path.map(\.name), is: isChild ? ["a", "b", "missing"] : ["b", "missing"])
        if isChild { expect(error?.code, is: .notRegistered) }
    }

    private final class Found: Sendable {
        let leaf: Leaf, other: OtherLeaf
        init(_ leaf: Leaf, _ other: OtherLeaf) { (self.leaf, self.other) = (leaf, other) }
    }

    @Test func `all factories of one outermost call share graph instances, on whichever actor they run`() async throws {
        resolver.register { Leaf() }
        resolver.register { await yielding(OtherLeaf()) }
        resolver.register(name: "synchronous") { r in Found(r.resolve(), r.resolve()) }
        resolver.register(name: "asynchronous") { r in Found(r.resolve(), try await r.resolveAsync()) }
        resolver.register(name: "on the main actor") { @MainActor r in Found(r.resolve(), r.resolve()) }
        resolver.register(name: "child") { r in
            async let leaf = r.resolveAsync(Leaf.self)
            async let other = r.resolveAsync(OtherLeaf.self)
            return try await Found(leaf, other)
        }
        resolver.register { r -> [Found] in
            let first = Found(try await r.resolveAsync(), try await r.resolveAsync())
            let synchronous = r.resolve(Found.self, name: "synchronous")
            let asynchronous = try await r.resolveAsync(Found.self, name: "asynchronous")
            let onTheMainActor = try await r.resolveAsync(Found.self, name: "on the main actor")
            let alsoThere = await MainActor.run { Found(r.resolve(), r.resolve()) }
            async let child = r.resolveAsync(Found.self, name: "child")
            let back = Found(r.resolve(), r.resolve())
            return [first, synchronous, asynchronous, onTheMainActor, alsoThere, try await child, back]
        }
        let found = try await resolver.resolveAsync([Found].self)
        expect(found.count, is: 7)
        expect(found.allSatisfy { $0.leaf === found[0].leaf && $0.other === found[0].other })
    }
}
