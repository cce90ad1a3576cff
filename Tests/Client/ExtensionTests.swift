import Resolver
import Testing

// Extensions as an app writes them, without annotations.

extension Resolver.Name { fileprivate static let wilma = Self("Wilma") }

extension ResolverScope { fileprivate static let visit = ResolverScopeCache() }

extension Resolver { fileprivate static let mock = Resolver(child: .main) }

@Suite struct ExtensionTests {
    nonisolated private final class MainOnly: Sendable {}
    nonisolated private final class Mocked: Sendable {
        let isMock: Bool
        init(isMock: Bool) { self.isMock = isMock }
    }

    @Test func `a scope of an app caches a service with a name of the app until its reset`() {
        let resolver = Resolver()
        resolver.register(name: .wilma) { Leaf() }.scope(.visit)
        let first: Leaf = resolver.resolve(name: "Wilma")
        expect(first === resolver.resolve(Leaf.self, name: .wilma))
        ResolverScope.visit.reset()
        expect(first !== resolver.resolve(Leaf.self, name: .wilma))
    }

    @Test func `a mock resolver precedes main and falls back to it`() {
        Resolver.main.register { MainOnly() }
        Resolver.main.register { Mocked(isMock: false) }
        Resolver.mock.register { Mocked(isMock: true) }
        expect(Resolver.mock.resolve(Mocked.self).isMock)
        expect(!Resolver.main.resolve(Mocked.self).isMock)
        expect(Resolver.mock.optional(MainOnly.self) != nil)
    }

    @Test func `resolvers, options, registrations and names are Sendable`() {
        func pass(_: some Sendable) {}
        let resolver = Resolver()
        let options = resolver.register { Page() }
        pass(resolver)
        pass(options)
        pass(options.registration)
        pass(Resolver.Name.wilma)
        pass(ResolverScope.visit)
        pass(ResolverScope.graph)
        pass(ResolutionError.Code.notRegistered)
    }
}
