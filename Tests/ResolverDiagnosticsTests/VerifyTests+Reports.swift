import Resolver
import ResolverDiagnostics
import Testing

/// The texts of `verify`, `explain` and `autoregister`.
extension VerifyTests {
    private var place: String { "ResolverDiagnosticsTests/VerifyTests+Reports.swift" }

    @Test func `a verify report has each problem, its location and advice`() throws {
        let line: UInt = #line
        resolver.autoregister(A.init).scoped(to: .session)
        resolver.autoregister(B.init).scope(.unique).timeToLive(1)
        resolver.autoregister(C.init).scope(.application)
        resolver.autoregister(User.init)
        let report = try #require(throws: WiringReport.self) { try resolver.verify() }
        let expected = """
            RESOLVER: the wiring has 2 errors and 1 warning.

            error: captive
              \(own).C needs \(own).A, which belongs to a session and does not live as long.
              Resolve it where it is used, with @Inject or in a method; or register \(own).C with .scoped(to: .session).
              Path: \(own).C -> \(own).B -> \(own).A
              Registered at \(place):\(line + 3)

            error: missing
              \(own).User needs \(own).Remote, which is not registered.
              Register it, or take it as an optional.
              Registered at \(place):\(line + 4)

            warning: modifierWithoutEffect
              \(own).B has .timeToLive, but its lifetime, unique, does not keep instances.
              Remove .timeToLive, or use a scope that keeps instances, such as .cached.
              Registered at \(place):\(line + 2)

            4 of 4 registrations declare their dependencies, with autoregister or .needs(…). Dependencies of other \
            closures, lazy properties, and calls after the creation were not checked.
            """
        expect("\(report)", is: expected)
    }

    @Test func `each other kind of problem has its own text`() throws {
        let line: UInt = #line
        resolver.autoregister(Parent.init)
        resolver.autoregister(Child.init)
        resolver.autoregister(Remote.init).scope(.cached)
        resolver.autoregister(User.init)
        resolver.autoregister(Model.init)
        resolver.autoregister(Worker.init)
        resolver.register { Circle() }.implements((any Shape).self)
        resolver.unregister(Circle.self)
        resolver.autoregister(A.init).accepting(.captive, because: "it has always been so")
        let report = try #require(throws: WiringReport.self) { try resolver.verify() }
        let expected = """
            error: circularDependency
              \(own).Parent needs itself.
              Resolve one of them later: with @LazyInjected, or in .resolveProperties.
              Path: \(own).Parent -> \(own).Child -> \(own).Parent
              Registered at \(place):\(line + 1)

            error: requiresAsync
              \(own).User is created synchronously and needs \(own).Remote, which is created asynchronously.
              Make its factory asynchronous and call resolveAsync() in it; or create \(own).Remote earlier and write \
            .accepting(.requiresAsync, because: …).
              Registered at \(place):\(line + 4)

            error: wrongIsolation
              \(own).Model is created on the main actor, where the factory of \(own).Worker does not run.
              Isolate that factory to the same actor, or make it asynchronous and call resolveAsync() in it.
              Registered at \(place):\(line + 6)

            error: aliasWithoutTarget
              \(own).Shape is an alias of a service that is not registered.
              Register that service, or remove .implements((any Shape).self).
              Registered at \(place):\(line + 7)

            error: acceptedInVain
              \(own).A accepts captive, because "it has always been so", but has no such problem.
              Remove .accepting(.captive, …).
              Registered at \(place):\(line + 9)
            """
        expect(report.problems.map(\.description).joined(separator: "\n\n"), is: expected)
    }

    final class Many: Sendable {
        init(_ a: A, _ b: A, _ c: A, _ d: A, _ e: A, _ f: A, _ g: A, _ h: A, _ i: A, _ j: A, _ k: A) {}
    }

    final class ManyAsync: Sendable {
        init(_ a: A, _ b: A, _ c: A, _ d: A, _ e: A, _ f: A, _ g: A, _ h: A, _ i: A, _ j: A, _ k: A) async {}
    }

    @Test(arguments: [false, true])
    func `autoregister traps on an initializer with too many parameters`(_ isAsync: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isAsync] in
            if isAsync { Resolver().autoregister(ManyAsync.init) } else { Resolver().autoregister(Many.init) }
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        expect(output.contains("up to ten parameters, none of which is a tuple.\nWrite register { resolver in … }"))
    }

    @Test func `explain describes a service and its relations`() {
        let line: UInt = #line
        resolver.autoregister(Circle.init).implements((any Shape).self).scope(.cached)
        resolver.autoregister(Frame.init)
        resolver.autoregister(B.init)
        _ = resolver.resolve(Circle.self)
        expect(
            resolver.explain((any Shape).self),
            is: """
                \(own).Shape, alias, at \(place):\(line + 1)
                  stands for \(own).Circle, cached, at \(place):\(line + 1)
                  an instance is kept
                  is needed by \(own).Frame
                """)
        expect(
            resolver.explain(Circle.self),
            is: """
                \(own).Circle, cached, at \(place):\(line + 1)
                  an instance is kept
                  is needed by \(own).Frame
                  is also \(own).Shape
                """)
        expect(resolver.explain(B.self).contains("needs \(own).A\nerror: missing\n"))
        expect(resolver.explain(A.self), is: "\(own).A is not registered.")
        Resolver.withScope(.request, id: "1") {
            Resolver.registerScoped(A.self, scope: .request) { A() }
            expect(
                resolver.explain(A.self),
                is: """
                    \(own).A, context(request), at \(place):\(line + 24)
                      is registered by a current scope, for that scope alone
                    """)
        }
    }
}
