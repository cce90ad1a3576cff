import Resolver
import Testing

@Suite struct ProtocolTests {
    nonisolated private final class Cover: Page {}

    private let resolver = Resolver()

    @Test func `a factory may forward a protocol to the class`() {
        resolver.register { Page("news") }
        resolver.register { r in r.resolve(Page.self) as Labelled }
        #expect(resolver.resolve(Labelled.self).label == "news")
    }

    @Test func `implements registers several protocols besides the class`() {
        resolver.register { Page("news", count: 2) }
            .implements(Labelled.self)
            .implements(Counting.self)
        #expect(resolver.resolve(Labelled.self) is Page)
        #expect(resolver.resolve(Labelled.self).label == "news")
        #expect(resolver.resolve(Counting.self).count == 2)
        #expect(resolver.optional(Page.self) != nil)
    }

    @Test func `a protocol can be registered under several names`() {
        resolver.register { Page("fred") }.implements(Labelled.self, name: .fred)
        resolver.register { Sign(label: "barney") }.implements(Labelled.self, name: .barney)
        #expect(resolver.resolve(Labelled.self, name: .fred).label == "fred")
        #expect(resolver.resolve(Labelled.self, name: .barney).label == "barney")
        #expect(resolver.optional(Labelled.self) == nil)
    }

    /// The order of `scope` and `implements` does not matter.
    @Test(arguments: [true, false])
    func `a shared service is one instance behind all its protocols`(scopeIsFirst: Bool) {
        let options = resolver.register { Page() }, scope = ResolverScopeShare()
        if scopeIsFirst { options.scope(scope) }
        options.implements(Labelled.self).implements(Counting.self)
        if !scopeIsFirst { options.scope(scope) }
        let page: Page = resolver.resolve()
        #expect(resolver.resolve(Labelled.self) as? Page === page)
        #expect(resolver.resolve(Counting.self) as? Page === page)
    }

    @Test func `a reset applies to a service and its protocol`() {
        let cache = ResolverScopeCache()
        resolver.register { Page() }.implements(Labelled.self).scope(cache)
        let page: Page = resolver.resolve()
        #expect(resolver.resolve(Labelled.self) as? Page === page)
        cache.reset()
        let renewed: Labelled = resolver.resolve()
        #expect(renewed as? Page !== page)
        #expect(renewed as? Page === resolver.resolve(Page.self))
    }

    @Test func `a value and a subclass can be registered for what they implement`() {
        resolver.register { Sign(label: "stop") }.implements(Labelled.self).scope(.cached)
        #expect(resolver.resolve(Labelled.self).label == "stop")
        resolver.register { Cover("cover") }.implements(Page.self)
        #expect(resolver.resolve(Page.self) is Cover)
    }
}
