import Resolver
import Testing

@Suite struct BasicTests {
    nonisolated private final class Cover: Page {}

    let resolver = Resolver()

    @Test func `a factory resolves its dependencies from the resolver that it gets or was registered on`() {
        resolver.register { Page("news") }
        resolver.register { Leaf() }
        resolver.register { r in Sign(label: r.resolve(Page.self).label) }
        expect(resolver.resolve(Sign.self).label, is: "news")
        resolver.register { Branch($0.resolve()) }
        expect(resolver.optional(Branch.self) != nil)
        resolver.register(name: .fred) { [unowned resolver] in Branch(resolver.resolve()) }
        expect(resolver.optional(Branch.self, name: .fred) != nil)
    }

    @Test func `optional returns nil without a registration and for a factory's nil`() {
        expect(resolver.optional(Leaf.self), is: nil)
        resolver.register(Labelled.self) { nil }
        resolver.register(Leaf.self) { _ in nil }
        resolver.register(Page.self) { _, _ in nil }
        expect(resolver.optional(Labelled.self), is: nil)
        expect(resolver.optional(Leaf.self), is: nil)
        expect(resolver.optional(Page.self), is: nil)
    }

    @Test func `a factory that returns an optional registers the wrapped type`() {
        let known = ["news": Sign(label: "news")]
        resolver.register { known["news"] }
        expect(resolver.resolve(Sign.self).label, is: "news")
    }

    @Test
    func `a value and a subclass can be registered for what they implement, and a factory may forward a protocol`() {
        resolver.register { Sign(label: "stop") }.implements(Labelled.self).scope(.cached)
        expect(resolver.resolve(Labelled.self).label, is: "stop")
        resolver.register { r in r.resolve(Sign.self) as Labelled }
        expect(resolver.resolve(Labelled.self).label, is: "stop")
        resolver.register { Cover("cover") }.implements(Page.self)
        expect(resolver.resolve(Page.self) is Cover)
    }

    @available(swift, deprecated: 5.0, message: "Tests a deprecated initializer.")
    @Test func `the deprecated parent is a child`() {
        resolver.register { Page("child") }
        expect(Resolver(parent: resolver).resolve(Page.self).label, is: "child")
    }

    @Test func `names are equal if their strings are, and a string or its absence can be converted to one`() {
        let text = "Fred", missing: String? = nil
        resolver.register { Page("unnamed") }
        resolver.register(name: .fred) { Page("fred") }
        expect(resolver.resolve(Page.self, name: .name(fromString: text)).label, is: "fred")
        expect(Resolver.Name.name(fromString: missing), is: nil)
        expect(resolver.resolve(Page.self, name: .name(fromString: missing)).label, is: "unnamed")
        let ages: [Resolver.Name: Int] = [.fred: 40, "Barney": 38]
        expect([ages["Fred"], ages[.barney]], is: [40, 38])
        expect(Resolver.Name("Fred").hashValue, is: Resolver.Name.fred.hashValue)
        expect(Resolver.Name.fred.rawValue, is: "Fred")
        expect(Resolver.Name(stringLiteral: "Fred"), is: .fred)
        expect(Resolver.Name.fred != .barney)
    }
}
