import Resolver
import Testing

/// The extensions that the documentation recommends to apps.
@Suite struct ExtensionTests {
    private final class MainOnly: Sendable {}
    private final class Mocked: Sendable {
        let isMock: Bool

        init(isMock: Bool) {
            self.isMock = isMock
        }
    }

    @Test func `a static name equals its literal`() {
        let resolver = Resolver()
        resolver.register(name: .fred) { Page("fred") }
        #expect(resolver.resolve(Page.self, name: "Fred").label == "fred")
        #expect(resolver.optional(Page.self, name: .barney) == nil)
    }

    @Test func `a session scope caches instances until its reset`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.session)
        let first: Leaf = resolver.resolve()
        #expect(first === resolver.resolve(Leaf.self))
        ResolverScope.session.reset()
        #expect(first !== resolver.resolve(Leaf.self))
    }

    @Test func `a mock resolver precedes main and falls back to it`() {
        Resolver.main.register { MainOnly() }
        Resolver.main.register { Mocked(isMock: false) }
        Resolver.mock.register { Mocked(isMock: true) }
        #expect(Resolver.mock.resolve(Mocked.self).isMock)
        #expect(!Resolver.main.resolve(Mocked.self).isMock)
        #expect(Resolver.mock.optional(MainOnly.self) != nil)
    }

    @Test func `resolvers, options, registrations and names are Sendable`() {
        func pass(_: some Sendable) {}
        let resolver = Resolver()
        let options = resolver.register { Page() }
        pass(resolver)
        pass(options)
        pass(options.registration)
        pass(Resolver.Name.fred)
        pass(ResolverScope.session)
        pass(ResolverScope.graph)
        pass(ResolutionError.Code.notRegistered)
    }

    @Test func `a task can capture and use a resolver`() async {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.container)
        let leaf: Leaf = resolver.resolve()
        let other = await Task.detached { resolver.resolve(Leaf.self) }.value
        #expect(leaf === other)
    }
}

extension ResolverOptions {
    /// A custom modifier of an app.
    @discardableResult
    func onInit(_ body: @escaping @Sendable (Service) -> Void) -> Self {
        registration.update { factory in
            { resolver, args in
                let service = factory(resolver, args)
                if let service { body(service) }
                return service
            }
        }
        return self
    }
}

@Suite struct ModifierTests {
    @Test func `a custom modifier sees each new instance`() {
        let resolver = Resolver()
        resolver.register { Page() }.onInit { $0.count += 1 }.scope(.container)
        #expect(resolver.resolve(Page.self).count == 1)
        #expect(resolver.resolve(Page.self).count == 1)
    }

    @Test func `an error passes through a custom modifier`() {
        let resolver = Resolver()
        resolver.register(name: .fred) { () throws -> Page in throw Unplugged(socket: 2) }.onInit { _ in }
        let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self, name: .fred) }
        #expect(error?.underlying as? Unplugged == Unplugged(socket: 2))
    }
}
