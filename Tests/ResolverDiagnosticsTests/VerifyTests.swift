import Resolver
import ResolverDiagnostics
import Testing

/// Each kind of problem with the smallest wiring that has it, and the nearest wiring without it.
@Suite struct VerifyTests {
    final class A: Sendable { init() {} }
    final class B: Sendable { init(_ a: A) {} }
    final class C: Sendable { init(_ b: B) {} }
    final class Ring: Sendable { init(_ other: Other) {} }
    final class Other: Sendable { init(_ ring: Ring) {} }
    final class Remote: Sendable { init() async {} }
    final class User: Sendable { init(_ remote: Remote) {} }
    final class AsyncUser: Sendable { init(_ remote: Remote) async {} }
    @MainActor final class Model { init() {} }
    @MainActor final class Page { init(_ model: Model) {} }
    final class Worker: @unchecked Sendable { init(_ model: Model) {} }
    final class AsyncWorker: Sendable { init(_ page: A) async {} }
    final class Optionals: Sendable { init(_ a: A?, _ resolver: Resolver) {} }
    protocol Shape: Sendable {}
    final class Circle: Shape { init() {} }
    final class Frame: Sendable { init(_ shape: any Shape) {} }

    private let resolver = Resolver()

    /// Returns the reported kinds and paths.
    private func problems() -> [String] {
        let report: WiringReport
        do { report = try resolver.verify() } catch let error as WiringReport { report = error } catch {
            return ["\(error)"]
        }
        return report.problems.map { problem in
            let path = problem.path.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
            return "\(problem.kind) \(path.joined(separator: ">"))"
        }
    }

    @Test func `a complete wiring has no problem`() {
        resolver.autoregister(C.init)
        resolver.autoregister(B.init)
        resolver.autoregister(A.init).scope(.application)
        #expect(problems() == [])
    }

    @Test func `a need without a registration is missing`() {
        resolver.autoregister(B.init)
        #expect(problems() == ["missing B>A"])
        resolver.register { A() }
        #expect(problems() == [])
    }

    @Test func `a named need without a registration is missing`() {
        resolver.register { A() }
        resolver.register { B(A()) }.needs(A.self, name: "blue")
        #expect(problems() == ["missing B>A \"blue\""])
        resolver.register(name: "blue") { A() }
        #expect(problems() == [])
    }

    @Test func `an optional need and the resolver need no registration`() {
        resolver.autoregister(Optionals.init)
        #expect(problems() == [])
        resolver.register { B(A()) }.needs(A?.self)
        #expect(problems() == [])
    }

    @Test func `a need that a child provides is not missing`() {
        let child = Resolver()
        child.register { A() }
        resolver.add(child: child)
        resolver.autoregister(B.init)
        #expect(problems() == [])
    }

    @Test func `services that need each other are a dependency cycle`() {
        resolver.autoregister(Ring.init)
        resolver.autoregister(Other.init)
        #expect(problems() == ["circularDependency Ring>Other>Ring"])
        resolver.register { Other(Resolver().resolve()) }
        #expect(problems() == [])
    }

    @Test func `a service that needs itself is a cycle without the services that need it`() {
        resolver.register { A() }.needs(A.self)
        resolver.autoregister(B.init)
        #expect(problems() == ["circularDependency A>A"])
    }

    @Test func `a request's service is a captive of a longer-lived one`() {
        resolver.autoregister(A.init).scoped(to: .request)
        resolver.autoregister(B.init).scope(.application)
        #expect(problems() == ["captive B>A"])
        resolver.autoregister(B.init).scoped(to: .request)
        #expect(problems() == [])
        resolver.autoregister(B.init).scope(.graph)
        #expect(problems() == [])
    }

    @Test func `a captive is found behind a transient service`() {
        resolver.autoregister(A.init).scoped(to: .request)
        resolver.autoregister(B.init).scope(.unique)
        resolver.autoregister(C.init).scoped(to: .session)
        #expect(problems() == ["captive C>B>A"])
        resolver.autoregister(A.init).scoped(to: .session)
        #expect(problems() == [])
    }

    @Test func `a captive is found behind a protocol`() {
        resolver.autoregister(Circle.init).scoped(to: .screen).implements((any Shape).self)
        resolver.autoregister(Frame.init).scope(.cached)
        #expect(problems() == ["captive Frame>Shape>Circle"])
    }

    @Test func `an asynchronous need of a synchronous factory is a problem`() {
        resolver.autoregister(Remote.init).scope(.application)
        resolver.autoregister(User.init)
        #expect(problems() == ["requiresAsync User>Remote"])
        resolver.autoregister(User.init).accepting(.requiresAsync, because: "it is created when the app starts")
        #expect(problems() == [])
        resolver.autoregister(AsyncUser.init)
        #expect(problems() == [])
    }

    @Test func `an actor's service as a need of a nonisolated factory is a problem`() {
        resolver.autoregister(Model.init)
        resolver.register { Worker(try Resolver.main.tryResolve()) }.needs(Model.self)
        #expect(problems() == ["wrongIsolation Worker>Model"])
        resolver.register { @MainActor in Worker(Model()) }.needs(Model.self)
        resolver.autoregister(Page.init)
        resolver.autoregister(AsyncWorker.init).needs(Model.self)
        resolver.register { A() }
        #expect(problems() == [])
    }

    @Test func `a modifier without effect in its scope is a warning`() throws {
        resolver.register { A() }.scope(.unique).timeToLive(5).onRelease { _ in }
        resolver.register(name: "b") { A() }.scope(.shared).onRelease { _ in }
        #expect(problems() == ["modifierWithoutEffect A", "modifierWithoutEffect A \"b\""])
        #expect(try resolver.verify().errors.isEmpty)
        resolver.register { A() }.scope(.cached).timeToLive(5).onRelease { _ in }
        resolver.register(name: "b") { A() }.scope(.shared).timeToLive(5)
        #expect(problems() == [])
    }

    @Test func `accepting a problem that does not exist is a problem`() {
        resolver.autoregister(A.init).accepting(.captive, because: "it has always been so")
        #expect(problems() == ["acceptedInVain A"])
        resolver.register { A() }.accepting(.captive, because: "what this closure needs is not known")
        #expect(problems() == [])
    }

    @Test func `a dependency cycle may be accepted by any of its services`() {
        resolver.autoregister(Ring.init)
        resolver.autoregister(Other.init).accepting(.circularDependency, because: "a block resolves it")
        #expect(problems() == [])
    }

    @Test func `all problems are reported at once with errors first`() {
        resolver.register { A() }.scope(.unique).timeToLive(5)
        resolver.autoregister(Ring.init)
        resolver.autoregister(User.init)
        #expect(
            problems() == ["missing Ring>Other", "missing User>Remote", "modifierWithoutEffect A"])
    }

    @Test func `a chain of twenty thousand services is verified`() {
        for number in 0..<20_000 {
            let registration = resolver.register(name: .init("\(number)")) { A() }
            if number > 0 { registration.needs(A.self, name: .init("\(number - 1)")) }
        }
        #expect(problems() == [])
        resolver.register(name: "0") { A() }.needs(A.self, name: "19999")
        #expect(problems().count == 1)
    }

    @Test func `verify creates no instance`() throws {
        let resolver = Resolver()
        resolver.register { () -> A in
            Issue.record("the factory has run")
            return A()
        }.scope(.cached)
        resolver.autoregister(B.init)
        try resolver.verify()
        #expect(resolver.registrations.allSatisfy { !$0.isKept })
    }

    @Test func `a verify report has each problem, its location and advice`() throws {
        let line: UInt = #line
        resolver.autoregister(A.init).scoped(to: .session)
        resolver.autoregister(B.init).scope(.unique).timeToLive(1)
        resolver.autoregister(C.init).scope(.application)
        resolver.autoregister(User.init)
        let report = try #require(throws: WiringReport.self) { try resolver.verify() }
        let own = "ResolverDiagnosticsTests.VerifyTests"
        let place = "ResolverDiagnosticsTests/VerifyTests.swift"
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
        #expect("\(report)" == expected)
    }

    @Test func `each other kind of problem has its own text`() throws {
        let line: UInt = #line
        resolver.autoregister(Ring.init)
        resolver.autoregister(Other.init)
        resolver.autoregister(Remote.init).scope(.cached)
        resolver.autoregister(User.init)
        resolver.autoregister(Model.init)
        resolver.autoregister(Worker.init)
        resolver.register { Circle() }.implements((any Shape).self)
        resolver.unregister(Circle.self)
        resolver.autoregister(A.init).accepting(.captive, because: "it has always been so")
        let report = try #require(throws: WiringReport.self) { try resolver.verify() }
        let own = "ResolverDiagnosticsTests.VerifyTests"
        let place = "ResolverDiagnosticsTests/VerifyTests.swift"
        let expected = """
            error: circularDependency
              \(own).Ring needs itself.
              Resolve one of them later: with @LazyInjected, or in .resolveProperties.
              Path: \(own).Ring -> \(own).Other -> \(own).Ring
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
              Register that service, or remove .implements(Shape.self).
              Registered at \(place):\(line + 7)

            error: acceptedInVain
              \(own).A accepts captive, because "it has always been so", but has no such problem.
              Remove .accepting(.captive, …).
              Registered at \(place):\(line + 9)
            """
        #expect(report.problems.map(\.description).joined(separator: "\n\n") == expected)
    }

    final class Listing<Content>: Sendable { init(_ title: String, _ load: @Sendable () -> Int) {} }

    @Test func `missing values and functions have the advice to pass them`() throws {
        resolver.autoregister(Listing<Int>.init)
        let report = try #require(throws: WiringReport.self) { try resolver.verify() }
        #expect(report.problems.count == 2)
        for problem in report.problems {
            #expect(problem.reason.contains("ResolverDiagnosticsTests.VerifyTests.Listing<Swift.Int> needs "))
            #expect(problem.advice == "Pass it in a closure: register { resolver in Listing<Int>(…) }.")
        }
    }

    final class Crowd: Sendable {
        init(_ a: A, _ b: A, _ c: A, _ d: A, _ e: A, _ f: A, _ g: A, _ h: A, _ i: A, _ j: A, _ k: A) {}
    }

    @Test func `autoregister traps on an initializer with too many parameters`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Resolver().autoregister(Crowd.init)
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("up to ten parameters, none of which is a tuple.\nWrite register { resolver in … }"))
    }

    @Test func `explain describes a service and its relations`() {
        let line: UInt = #line
        resolver.autoregister(Circle.init).implements((any Shape).self).scope(.cached)
        resolver.autoregister(Frame.init)
        resolver.autoregister(B.init)
        _ = resolver.resolve(Circle.self)
        let own = "ResolverDiagnosticsTests.VerifyTests", place = "ResolverDiagnosticsTests/VerifyTests.swift"
        #expect(
            resolver.explain((any Shape).self) == """
                \(own).Shape, alias, at \(place):\(line + 1)
                  stands for \(own).Circle, cached, at \(place):\(line + 1)
                  is needed by \(own).Frame
                """)
        #expect(
            resolver.explain(Circle.self) == """
                \(own).Circle, cached, at \(place):\(line + 1)
                  an instance is kept
                  is also \(own).Shape
                """)
        #expect(resolver.explain(B.self).contains("needs \(own).A\nerror: missing\n"))
        #expect(resolver.explain(A.self) == "\(own).A is not registered.")
    }

    @Test func `an alias of an unregistered service has no target`() {
        resolver.register { Circle() }.implements((any Shape).self)
        resolver.unregister(Circle.self)
        #expect(problems() == ["aliasWithoutTarget Shape"])
    }

    final class Left: Sendable { init(_ center: Center) {} }
    final class Right: Sendable { init(_ center: Center) {} }
    final class Center: Sendable { init(_ left: Left, _ right: Right) {} }

    @Test func `an accepted dependency cycle does not hide another`() {
        resolver.autoregister(Center.init)
        let left = resolver.autoregister(Left.init)
        resolver.autoregister(Right.init)
        left.accepting(.circularDependency, because: "a property")
        #expect(problems() == ["circularDependency Center>Right>Center"])
        resolver.autoregister(Left.init)
        resolver.autoregister(Right.init).accepting(.circularDependency, because: "a property")
        #expect(problems() == ["circularDependency Center>Left>Center"])
    }

    @Test func `a missing service that is needed twice is reported once`() {
        resolver.register { B(A()) }.needs(A.self).needs(A.self)
        #expect(problems() == ["missing B>A"])
    }

    final class AsyncCrowd: Sendable {
        init(_ a: A, _ b: A, _ c: A, _ d: A, _ e: A, _ f: A, _ g: A, _ h: A, _ i: A, _ j: A, _ k: A) async {}
    }

    @Test func `autoregister traps on an asynchronous initializer with too many parameters`() async {
        await #expect(processExitsWith: .failure) { Resolver().autoregister(AsyncCrowd.init) }
    }
}
