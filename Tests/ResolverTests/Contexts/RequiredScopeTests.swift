import Resolver
import Testing

/// What is registered with `required: true` is not made where its scope is missing.
@Suite struct RequiredScopeTests {
    private static let kind = ScopeKind("required", rank: 15, binding: .execution)

    private func error<Service>(of type: Service.Type, _ resolver: Resolver) -> ResolutionError? {
        do {
            _ = try resolver.tryResolve(type)
            return nil
        } catch {
            return error
        }
    }

    @Test func `without a scope there is none`() async throws {
        let resolver = Resolver(), runs = Box(0)
        resolver.register { () -> Leaf in
            runs.increment()
            return Leaf()
        }
        .scoped(to: Self.kind, required: true)
        #expect(resolver.optional(Leaf.self) == nil)
        #expect(resolver.existing(Leaf.self) == nil)
        #expect(error(of: Leaf.self, resolver)?.code == .scopeDeclined)
        #expect(try await resolver.optionalAsync(Leaf.self) == nil)
        let error = await #expect(throws: ResolutionError.self) { try await resolver.resolveAsync(Leaf.self) }
        #expect(error?.code == .scopeDeclined)
        #expect(runs.value == 0)
    }

    @Test func `in a scope it is made once`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: Self.kind, required: true)
        Resolver.withScope(Self.kind, id: "one") {
            #expect(resolver.resolve(Leaf.self) === resolver.resolve(Leaf.self))
        }
        #expect(resolver.optional(Leaf.self) == nil)
    }

    @Test func `after its end there is none`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: Self.kind, required: true)
        Resolver.withScope(Self.kind, id: "outer") {
            Resolver.withScope(Self.kind, id: "inner") {
                #expect(resolver.optional(Leaf.self) != nil)
                ScopeContext.shared.current(Self.kind)?.end()
                #expect(resolver.optional(Leaf.self) == nil)
            }
            #expect(resolver.optional(Leaf.self) != nil)
        }
    }

    @Test func `what lives longer cannot be made with it`() {
        final class Shop: Sendable {
            let leaf: Leaf
            init(_ leaf: Leaf) { self.leaf = leaf }
        }
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: Self.kind, required: true)
        resolver.register { Shop(try $0.tryResolve()) }.scope(.cached)
        Resolver.withScope(Self.kind, id: "first") {
            let error = error(of: Shop.self, resolver)
            #expect(error?.code == .scopeDeclined)
            #expect(error?.path.count == 2)
        }
    }

    @Test func `what is made asynchronously as well`() async throws {
        let resolver = Resolver(), runs = Box(0)
        resolver.register { () async -> Leaf in
            runs.increment()
            return Leaf()
        }
        .scoped(to: Self.kind, required: true)
        #expect(try await resolver.optionalAsync(Leaf.self) == nil)
        #expect(resolver.optional(Leaf.self) == nil)
        #expect(runs.value == 0)
        try await Resolver.withScope(Self.kind, id: "one") {
            let leaf = try await resolver.resolveAsync(Leaf.self)
            #expect(try await resolver.resolveAsync(Leaf.self) === leaf)
        }
        #expect(runs.value == 1)
    }

    @Test func `what is registered for the same kind without is not touched`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: Self.kind, required: true)
        resolver.register { OtherLeaf() }.scoped(to: Self.kind)
        #expect(resolver.optional(Leaf.self) == nil)
        #expect(resolver.optional(OtherLeaf.self) != nil)
    }
}
