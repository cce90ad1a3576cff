import Resolver
import ResolverDiagnostics
import Testing

/// What a rehearsal does not report, because it is the consequence of another problem, or no problem.
extension RehearsalTests {
    final class Page: Sendable { init(_ a: A) {} }
    final class Wall: Sendable { init(_ page: Page) {} }
    final class Gallery: Sendable { init(_ shape: any Shape) {} }

    @Test(arguments: [true, false])
    func `a captive dependency behind an alias, or that fails further down, is reported once`(_ isAsync: Bool)
        async throws
    {
        let options = isAsync ? Resolver.register { () async in Circle() } : Resolver.register { Circle() }
        options.implements((any Shape).self).scoped(to: .request, required: true)
        Resolver.register { r in Gallery(try r.tryResolve()) }.scope(.application)
        let parts = isAsync ? Resolver.register { () async in A() } : Resolver.register { A() }
        parts.scoped(to: .request, required: true)
        Resolver.autoregister(Page.init).scoped(to: .request)
        Resolver.autoregister(Wall.init).scope(.application)
        let problems = try await rehearse().filter { !$0.hasPrefix("requiresAsync") }
        expect(Set(problems), is: ["captive Gallery>Shape>Circle", "captive Wall>Page"])
        expect(problems.count, is: 2)
    }

    @Test func `a captive dependency that fails by itself is reported too`() async throws {
        Resolver.register { () throws -> A in throw Broken() }
        Resolver.autoregister(Page.init).scoped(to: .request)
        Resolver.autoregister(Wall.init).scope(.application)
        try await expect(Set(rehearse()), is: ["failed A", "captive Wall>Page"])
        Resolver.register { A() }
        Resolver.register { () throws -> Wall in throw Broken() }.needs(Page.self).scope(.application)
        try await expect(Set(rehearse()), is: ["failed Wall", "captive Wall>Page"])
    }

    final class Library: Sendable { init(_ page: Page, _ a: A) {} }
    final class Pen: Sendable { init(_ model: Model) {} }
    final class Letter: Sendable { init(_ pen: Pen) {} }
    @MainActor final class Board { init(_ pen: Pen) {} }

    @Test func `a failure inside a service that is created elsewhere, or by another actor, is reported once`()
        async throws
    {
        Resolver.register { () async in A() }.scoped(to: .request)
        Resolver.autoregister(Page.init)
        Resolver.autoregister(Library.init).scope(.cached)
        Resolver.autoregister(Model.init)
        Resolver.autoregister(Letter.init)
        Resolver.autoregister(Board.init)
        Resolver.autoregister(Pen.init).scope(.cached)
        let problems = try await rehearse()
        let elsewhere: Set = ["captive Library>A", "requiresAsync Library>A", "requiresAsync Page>A"]
        expect(Set(problems), is: elsewhere.union(["wrongIsolation Pen>Model"]))
        expect(problems.count, is: 4)
    }

    final class Declining: ResolverScopeType {
        func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? { nil }
        func reset() {}
    }

    @Test(arguments: [true, false])
    func `a registration that passes an instance on is no short circuit`(_ isFirst: Bool) async throws {
        func forward() { Resolver.register { r in try r.tryResolve(Circle.self) as any Shape } }
        if isFirst { forward() }
        let circle = Resolver.register { Circle() }.scope(.application)
        if !isFirst { forward() }
        Resolver.register { r in try r.tryResolve((any Shape).self) as! Circle as any Figure }
        Resolver.autoregister(Frame.init)
        try await expect(rehearse(), is: [])
        circle.scope(.shared)
        try await expect(rehearse(), is: [])
    }

    @Test func `a protocol that keeps an unkept class's instance is short circuited by others alone`() async throws {
        Resolver.register { r in try r.tryResolve(Circle.self) as any Shape }.scope(.application)
        Resolver.register { Circle() }
        try await expect(rehearse(), is: [])
        Resolver.autoregister(Frame.init)
        try await expect(rehearse(), is: ["shortCircuited Frame>Circle"])
    }

    @Test func `any of its registrations accepts a torn lifestyle`() async throws {
        let shape = Resolver.register { Circle() as any Shape }.scope(.application)
        let figure = Resolver.register { Circle() as any Figure }.scope(.application)
        figure.accepting(.tornLifestyle, because: "two on purpose")
        try await expect(rehearse(), is: [])
        shape.accepting(.tornLifestyle, because: "two on purpose")
        try await expect(rehearse(), is: [])
        Resolver.register { Circle() as any Shape }
        try await expect(rehearse(), is: ["acceptedInVain Figure"])
    }

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
