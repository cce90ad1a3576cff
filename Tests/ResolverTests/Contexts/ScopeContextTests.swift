import Resolver
import Testing

/// Setting, asking and clearing.
@Suite struct ScopeContextTests {
    private let context = ScopeContext.shared

    @Test(arguments: ["user/123", "Detail 42", "👩‍👩‍👧 ü", "", " a\n", String(repeating: "long", count: 2500)])
    func `an id is kept as it is`(_ id: String) {
        let kind = ScopeKind.ofTest("verbatim"), scope = context.setCurrent(kind, id: id)
        #expect(context.currentID(for: kind) == id)
        #expect(scope.id == id)
        scope.end()
    }

    @Test(.ownResolver) func `a scope that was never cleared is found with its kind id age and count`() async {
        let time = ManualTime(100)
        Resolver.main.clock = time.clock
        Resolver.register { Leaf() }.scoped(to: .request)
        await Task {
            ScopeContext.shared.setCurrent(.request, id: "forgotten")
            _ = Resolver.resolve(Leaf.self)
        }.value
        time.advance(by: 60)
        ScopeContext.shared.setCurrent(.screen, id: "home")
        time.advance(by: 2.5)
        #expect(ScopeContext.shared.currentID(for: .request) == nil)
        let open = ScopeContext.shared.openScopes()
        #expect(open.map(\.kind) == [.request, .screen])
        #expect(open.map(\.id) == ["forgotten", "home"])
        #expect(open.map(\.age) == [62.5, 2.5])
        #expect(open.map(\.instanceCount) == [1, 0])
        #expect(open.filter { $0.age > 60 }.map(\.id) == ["forgotten"])
        open[0].end()
        #expect(ScopeContext.shared.openScopes().map(\.id) == ["home"])
    }
}
