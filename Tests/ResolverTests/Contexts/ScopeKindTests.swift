import Resolver
import Testing

/// What kinds of scopes there are, and how they differ.
@Suite struct ScopeKindTests {
    @Test func `screen session and request are built in`() {
        #expect(ScopeKind.builtIn == [.screen, .session, .request])
    }

    @Test func `the built in kinds differ`() {
        #expect(Set(ScopeKind.builtIn).count == 3)
    }

    @Test(arguments: zip(ScopeKind.builtIn, ["screen", "session", "request"]))
    func `a kind is printed by its name`(_ kind: ScopeKind, _ name: String) {
        #expect("\(kind)" == name)
    }

    @Test func `a request ranks below a screen and a screen below a session`() {
        #expect(ScopeKind.request.rank < ScopeKind.screen.rank)
        #expect(ScopeKind.screen.rank < ScopeKind.session.rank)
    }

    @Test func `screen and session belong to the process and a request to the execution`() {
        #expect(ScopeKind.screen.binding == .process)
        #expect(ScopeKind.session.binding == .process)
        #expect(ScopeKind.request.binding == .execution)
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
