import Resolver
import ResolverDiagnostics
import Testing

/// What a rehearsal does not report, because it is the consequence of another problem, or no problem.
extension RehearsalTests {
    final class Page: Sendable { init(_ a: A) {} }
    final class Wall: Sendable { init(_ page: Page) {} }
    final class Gallery: Sendable { init(_ shape: any Shape) {} }

    // MARK: Asynchronous services that are created earlier

    @Test(arguments: [true, false])
    func `what an accepted asynchronous dependency waits for is created first`(_ isDeclared: Bool) async {
        await #expect(processExitsWith: .success) { [isDeclared] in
            Resolver.register { r in C(r.resolve()) }
            if isDeclared {
                Resolver.register { (r) async in Circle(r.resolve(B.self)) }.needs(B.self).scope(.application)
            }
            let user = Resolver.register { r in B(r.resolve()) }
                .accepting(.requiresAsync, because: "it is created when the app starts")
            if isDeclared {
                Resolver.register { r in Frame(r.resolve()) }.needs(Circle.self)
                    .accepting(.requiresAsync, because: "it is created when the app starts")
                user.needs((any Sendable).self, name: "a")
            }
            Resolver.register { () async in A() }.scope(.application)
                .implements((any Sendable).self, name: "a")
            try await Resolver.rehearse()
        }
    }
}
