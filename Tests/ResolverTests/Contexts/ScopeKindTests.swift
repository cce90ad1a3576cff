import Resolver
import Testing

/// What kinds of scopes there are, and how they differ.
@Suite struct ScopeKindTests {
    @Test func `screen session and request are built in and differ in name rank and binding`() {
        #expect(ScopeKind.builtIn == [.screen, .session, .request])
        #expect(ScopeKind.builtIn.map { "\($0)" } == ["screen", "session", "request"])
        #expect(Set(ScopeKind.builtIn).count == 3)
        #expect(ScopeKind.builtIn.sorted { $0.rank < $1.rank } == [.request, .screen, .session])
        #expect(ScopeKind.builtIn.map(\.binding) == [.process, .process, .execution])
    }

    @Test func `a kind of one's own is the same wherever it is written`() {
        let written = ScopeKind("job", rank: 15, binding: .execution)
        #expect(written == ScopeKind("job", rank: 15, binding: .execution))
        #expect(!ScopeKind.builtIn.contains(written))
    }

    @Test func `a kind may be sent to another task`() async {
        let kind = ScopeKind.session
        #expect(await Task.detached { kind.name }.value == "session")
    }
}
