import Resolver
import ResolverDiagnostics
import Testing

/// What the advice of `verify` depends on, and when an acceptance is in vain.
extension VerifyTests {
    /// Expects this advice on the problems, each behind its kind.
    private func expectAdvice(_ advice: String..., at location: Testing.SourceLocation = #_sourceLocation) throws {
        let problems = try #require(throws: WiringReport.self) { try resolver.verify() }.problems
        expect(problems.map { "\($0.kind): \($0.advice)" }, is: advice, sourceLocation: location)
    }

    @Test(arguments: [true, false])
    func `the advice on an asynchronous dependency gives it a scope where it has none`(_ isUnique: Bool) throws {
        let remote = resolver.autoregister(Remote.init)
        if isUnique { remote.scope(.unique) }
        resolver.autoregister(User.init)
        try expectAdvice(
            """
            requiresAsync: Make its factory asynchronous and call resolveAsync() in it; or register \(own).Remote with a \
            scope that keeps its instance, such as .application, create it earlier and write \
            .accepting(.requiresAsync, because: …).
            """)
    }

    @Test func `an accepted dependency cycle is not in vain where a closure may hide it`() throws {
        resolver.autoregister(Parent.init).accepting(.circularDependency, because: "the child asks later")
        resolver.register { r in Child(try r.tryResolve()) }
        try expect(resolver.verify().problems.isEmpty)
        resolver.register { r in Child(try r.tryResolve()) }.needs(A.self)
        resolver.register { A() }.scope(.application)
        try expect(resolver.verify().problems.isEmpty)
        resolver.autoregister(A.init).scope(.application)
        try expectAdvice("acceptedInVain: Remove .accepting(.circularDependency, …).")
    }

    struct Price: Sendable { init(_ text: String) {} }

    @Test func `the advice on a missing name is to register it`() throws {
        resolver.register { B(A()) }.needs(String.self, name: "baseURL")
        try expectAdvice(
            "missing: Register it with this name: register(String.self, name: \"baseURL\") { … }; or take it as an optional."
        )
    }

    @Test func `the advice on a missing value keeps the name of the service`() throws {
        resolver.autoregister(Price.init, name: "guest")
        try expectAdvice("missing: Pass it in a closure: register(Price.self, name: \"guest\") { resolver in … }.")
    }

    @Test func `the advice on a missing value of a protocol's factory calls no protocol`() throws {
        resolver.autoregister { (path: String) -> any Shape in Circle() }
        resolver.autoregister { (path: Int) -> any Shape & Codable in preconditionFailure() }
        try expectAdvice(
            "missing: Pass it in a closure: register((any Shape).self) { resolver in … }.",
            "missing: Pass it in a closure: register((any Decodable & Encodable & Shape).self) { resolver in … }.")
    }

    @Test func `the advice on an alias of nothing writes the type of a composition and the name`() throws {
        resolver.register { Circle() }.implements((any Shape & Figure).self, name: "round")
        resolver.unregister(Circle.self)
        try expectAdvice(
            "aliasWithoutTarget: Register that service, or remove .implements((any Figure & Shape).self, name: \"round\")."
        )
    }
}
