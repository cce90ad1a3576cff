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

    @Test func `the advice on what is missing writes the type, the name and the closure that can be written`() throws {
        resolver.register { B(A()) }.needs(String.self, name: "baseURL")
        resolver.autoregister(Price.init, name: "guest")
        resolver.autoregister { (path: String) -> any Shape in Circle() }
        resolver.autoregister { (path: Int) -> any Shape & Codable in preconditionFailure() }
        resolver.register { Circle() }.implements((any Shape & Figure).self, name: "round")
        resolver.unregister(Circle.self)
        try expectAdvice(
            "missing: Register it with this name: register(String.self, name: \"baseURL\") { … }; or take it as an optional.",
            "missing: Pass it in a closure: register(Price.self, name: \"guest\") { resolver in … }.",
            "missing: Pass it in a closure: register((any Shape).self) { resolver in … }.",
            "missing: Pass it in a closure: register((any Decodable & Encodable & Shape).self) { resolver in … }.",
            "aliasWithoutTarget: Register that service, or remove .implements((any Figure & Shape).self, name: \"round\")."
        )
    }

    final class Listing<Content>: Sendable { init(_ title: String, _ load: @Sendable () -> Int) {} }

    @Test func `missing values and functions have the advice to pass them`() throws {
        resolver.autoregister(Listing<Int>.init)
        let advice = "missing: Pass it in a closure: register(Listing<Int>.self) { resolver in … }."
        try expectAdvice(advice, advice)
    }

    @Test func `the advice on a service that has other names says where the name is written`() throws {
        resolver.register(name: "red") { A() }
        resolver.register { B(A()) }.needs(A.self, name: "blue")
        resolver.autoregister(Twice.init)
        let advice = try #require(throws: WiringReport.self) { try resolver.verify() }.errors.map(\.advice)
        expect(advice.count, is: 2)
        expect(advice.contains { $0.hasSuffix("with this name too, or declare and resolve another one.") })
        expect(advice.contains { $0.hasSuffix("declare the name with .needs(…, name:).") })
    }

    @Test(arguments: [("job", ".scoped(to: .job)"), ("night job", ".scoped(to:) and the kind 'night job'")])
    func `the advice on a captive has the modifier only if the kind has the name of a constant`(
        _ name: String, written: String
    ) throws {
        resolver.autoregister(A.init).scoped(to: ScopeKind(name, rank: 5, binding: .execution))
        resolver.autoregister(B.init).scope(.application)
        let report = try #require(throws: WiringReport.self) { try resolver.verify() }
        expect(report.errors.map { $0.advice.hasSuffix("with \(written).") }, is: [true])
    }
}
