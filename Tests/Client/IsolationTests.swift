import Resolver
import Testing

/// Factories that are isolated to the main actor.
@Suite struct IsolationTests {
    private static func resolver() -> Resolver {
        let resolver = Resolver()
        resolver.register { @MainActor in ViewModel() }
        resolver.register(name: "resolver") { @MainActor r in ViewModel(r.resolve(Sign.self).label) }
        resolver.register(name: "arguments") { @MainActor _, args in ViewModel(args()) }
        resolver.register(name: "properties") { @MainActor in ViewModel() }
            .resolveProperties { @MainActor _, model in model.title = "completed" }
        resolver.register { Sign(label: "sign") }
        return resolver
    }

    @Test @MainActor func `factories of the main actor run in a call on the main actor`() throws {
        let resolver = Self.resolver()
        #expect(try resolver.tryResolve(ViewModel.self).title == "title")
        #expect(try resolver.tryResolve(ViewModel.self, name: "resolver").title == "sign")
        #expect(try resolver.tryResolve(ViewModel.self, name: "arguments", args: "news").title == "news")
        #expect(try resolver.tryResolve(ViewModel.self, name: "properties").title == "completed")
    }

    /// The main actor is not bound to a thread: after a suspension it may run on another one.
    @Test @MainActor func `factories of the main actor run after a suspension`() async throws {
        let resolver = Self.resolver()
        await Task.detached {}.value
        #expect(try resolver.tryResolve(ViewModel.self).title == "title")
    }

    @Test(arguments: [nil, "resolver", "arguments", "properties"] as [Resolver.Name?])
    func `resolving a service of the main actor off it is an error`(name: Resolver.Name?) async {
        let resolver = Self.resolver()
        let error = await Task.detached {
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(ViewModel.self, name: name, args: "news") }
        }.value
        #expect(error?.code == .wrongIsolation)
        #expect(error?.service == String(reflecting: ViewModel.self))
        #expect(error?.description.contains("MainActor") == true)
    }

    @Test func `a nested isolated service is the same error with its path`() async {
        let resolver = Self.resolver()
        resolver.register { r in
            _ = try r.tryResolve(ViewModel.self)
            return Leaf()
        }
        let error = await Task.detached {
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
        }.value
        #expect(error?.code == .wrongIsolation)
        #expect(error?.path.map(\.service) == [String(reflecting: Leaf.self), String(reflecting: ViewModel.self)])
    }

    @Test func `a plain factory with an isolated property block is isolated`() async throws {
        let resolver = Resolver()
        resolver.register { Page() }.resolveProperties { @MainActor _, page in page.count = 1 }
        let error = await Task.detached {
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self) }
        }.value
        #expect(error?.code == .wrongIsolation)
        #expect(try await MainActor.run { try resolver.tryResolve(Page.self).count } == 1)
    }

    @Test func `a cached service of the main actor is returned off it`() async throws {
        let resolver = Resolver()
        resolver.register { @MainActor in ViewModel() }.scope(.container)
        let model = try await MainActor.run { try resolver.tryResolve(ViewModel.self) }
        let found = await Task.detached { try? resolver.tryResolve(ViewModel.self) }.value
        #expect(found === model)
    }

    @Test @MainActor func `a nonisolated factory is resolved on the main actor`() {
        #expect(Self.resolver().resolve(Sign.self).label == "sign")
    }

    @Test func `a synchronous call for a service of another global actor is an error`() async {
        let resolver = Resolver()
        resolver.register { @Workshop in Leaf() }
        let error = await Task.detached {
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
        }.value
        #expect(error?.code == .wrongIsolation)
        #expect(error?.description.contains("Workshop") == true)
    }
}

@globalActor
private actor Workshop { static let shared = Workshop() }
