import Resolver
import Testing

/// What kinds of scopes there are, and how they differ.
@Suite struct ScopeKindTests {
    @Test func screenSessionAndRequestAreBuiltIn() {
        #expect(ScopeKind.builtIn == [.screen, .session, .request])
    }

    @Test func theBuiltInKindsDiffer() {
        #expect(Set(ScopeKind.builtIn).count == 3)
    }

    @Test(arguments: zip(ScopeKind.builtIn, ["screen", "session", "request"]))
    func aKindIsPrintedByItsName(_ kind: ScopeKind, _ name: String) {
        #expect("\(kind)" == name)
    }

    @Test func aRequestRanksBelowAScreenAndAScreenBelowASession() {
        #expect(ScopeKind.request.rank < ScopeKind.screen.rank)
        #expect(ScopeKind.screen.rank < ScopeKind.session.rank)
    }

    @Test func screenAndSessionBelongToTheProcessAndARequestToTheExecution() {
        #expect(ScopeKind.screen.binding == .process)
        #expect(ScopeKind.session.binding == .process)
        #expect(ScopeKind.request.binding == .execution)
    }

    @Test func aKindOfOnesOwnIsTheSameWhereverItIsWritten() {
        let written = ScopeKind("job", rank: 15, binding: .execution)
        #expect(written == ScopeKind("job", rank: 15, binding: .execution))
        #expect(!ScopeKind.builtIn.contains(written))
    }

    @Test func aKindMayBeSentToAnotherTask() async {
        let kind = ScopeKind.session
        #expect(await Task.detached { kind.name }.value == "session")
    }
}
