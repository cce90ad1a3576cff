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

    @Test func `a value and a subclass can be registered for what they implement`() {
        resolver.register { Sign(label: "stop") }.implements(Labelled.self).scope(.cached)
        #expect(resolver.resolve(Labelled.self).label == "stop")
        resolver.register { Cover("cover") }.implements(Page.self)
        #expect(resolver.resolve(Page.self) is Cover)
    }
}
