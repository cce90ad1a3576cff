import Resolver
import ResolverDiagnostics
import Testing

extension RehearsalTests {
    @Test func `a captive dependency in a closure is found`() async throws {
        Resolver.register { A() }.scoped(to: .request)
        Resolver.register { r in B(r.resolve()) }.scope(.application)
        try expect(Resolver.verify().problems.isEmpty)
        try await expect(rehearse(), is: ["captive B>A"])
        Resolver.register { r in B(r.resolve()) }.scope(.application).accepting(.captive, because: "it keeps a copy")
        try await expect(rehearse(), is: [])
        try expect(Resolver.verify().problems.isEmpty)
        Resolver.register { B(A()) }.scope(.application).accepting(.captive, because: "it keeps a copy")
        try await expect(rehearse(), is: ["acceptedInVain B"])
    }

    @Test func `each failure is reported where it happens`() async throws {
        Resolver.register { () throws -> A in throw Broken() }
        Resolver.autoregister(B.init)
        Resolver.autoregister(C.init)
        Resolver.register(name: "twin") { r in Frame(try r.tryResolve()) }
        let report = await #expect(throws: WiringReport.self) { try await Resolver.rehearse() }
        let frame = String(reflecting: Frame.self)
        expect(report?.errors.map { $0.path.joined() }, is: [String(reflecting: A.self), "\(frame) \"twin\""])
        expect(report?.errors.first?.advice.contains("Broken"), is: true)
    }

    /// Most wirings have a closure, of which `verify` knows nothing.
    private static let rows: [VerifyTests.Row] = [
        .init("an asynchronous need of a synchronous closure", ["requiresAsync B>A"]) {
            $0.register { () async in A() }.scope(.cached)
            $0.register(name: "twin") { B(A()) }
            $0.register { r in B(try r.tryResolve()) }
        } without: {
            $0.register { (r) async throws in try await B(r.resolveAsync()) }
        },
        .init("an accepted asynchronous dependency, in either order", []) {
            let reason = "it is created when the app starts"
            $0.register { r in B(try r.tryResolve()) }.accepting(.requiresAsync, because: reason)
            $0.register { () async in A() }.scope(.cached)
            $0.register(name: "later") { r in B(try r.tryResolve()) }.accepting(.requiresAsync, because: reason)
            $0.autoregister(C.init)
        },
        .init("an alias of a cached asynchronous service that fails", ["failed Circle"]) {
            $0.register { () async throws -> Circle in throw Broken() }.scope(.cached).implements((any Shape).self)
        },
        .init("a failure that is accepted with a reason", []) {
            $0.register { () throws -> A in throw Broken() }.accepting(.failed, because: "there is no server here")
        },
        .init("a release hook that throws", ["failed A"]) {
            $0.register { A() }.scope(.cached).onRelease { _ in throw Broken() }
        } without: {
            $0.register { A() }.scope(.cached).onRelease { _ in throw Broken() }
                .accepting(.failed, because: "it is known")
        },
        .init("a class that two registrations cache", ["tornLifestyle Shape>Figure"]) {
            $0.register { Circle() as Shape }.scope(.application)
            $0.register { Circle() as Figure }.scope(.application)
        } without: {
            $0.register { r in r.resolve(Shape.self) as! Circle as Figure }.scope(.application)
        },
        .init("a class that one registration caches for two protocols", []) {
            $0.register { Circle() }.implements(Shape.self).implements(Figure.self).scope(.application)
        },
        .init("a class that is resolved beside its cached protocol", ["shortCircuited Frame>Circle"]) {
            $0.register { Circle() as Shape }.scope(.application)
            $0.register { Circle() }.scope(.unique)
            $0.autoregister(Frame.init)
        } without: {
            $0.register { Circle() as Shape }.scope(.unique)
        },
        .init("a service that a factory registers, in the scopes of those before it", []) {
            $0.register { A() }.scoped(to: .request, required: true)
            $0.register { () -> Circle in
                Resolver.register { r in B(try r.tryResolve()) }
                return Circle()
            }
        },
        .init("a dependency cycle, at one of its services", ["failed B"]) {
            $0.register { r in C(try r.tryResolve()) }
            $0.register { r in B(try r.tryResolve()) }
            $0.register { r -> A in
                _ = try r.tryResolve(B.self)
                return A()
            }
        },
        .init("an alias of an asynchronous service that fails", ["failed Circle", "A: its factory returned nil"]) {
            $0.register { () -> A? in nil }
            $0.register { r async throws -> Circle in
                _ = try await r.resolveAsync(A.self)
                return Circle()
            }.scope(.application).implements((any Shape).self)
        },
        .init("a service of another container", []) {
            let other = Resolver()
            other.register { A() }.scope(.application)
            $0.register { A() }.scoped(to: .request)
            $0.register { B(other.resolve()) }.scope(.application)
        },
        .init("a service of another container that needs one of this container", []) { resolver in
            let other = Resolver(child: resolver)
            other.register { r in B(try r.tryResolve()) }
            resolver.register { A() }.scoped(to: .request)
            resolver.register { B(A()) }.scope(.application)
            resolver.register { C(try other.tryResolve()) }.scope(.unique)
        },
        // Each of the first three needs the next one to be there, as after the start of an app.
        .init("services that wait for asynchronous services of each other", []) {
            let reason = "it is created when the app starts"
            $0.register { Frame(try $0.tryResolve()) }.accepting(.requiresAsync, because: reason)
            $0.register { r in Circle(try await r.resolveAsync()) }.scope(.cached)
            $0.register { r in
                _ = try r.tryResolve(Remote.self)
                return B(A())
            }.accepting(.requiresAsync, because: reason)
            $0.register { await Remote() }.scope(.cached)
        },
        .init("an alias of a service whose scope declines", ["failed Circle"]) {
            $0.register { Circle() }.scope(Declining()).implements((any Shape).self)
        },
        .init("two registrations that hand out one instance", []) {
            $0.register { Circle() as any Shape }.scope(.application)
            $0.register { r -> Circle in try r.tryResolve((any Shape).self) as! Circle }
            $0.autoregister(Frame.init)
        } without: {
            let circle = Circle()
            $0.register { circle as any Shape }.scope(.cached)
            $0.register { circle }.scope(.application)
        },
    ]

    @Test(arguments: rows)
    func `a rehearsal reports all problems of a wiring and none after a change`(_ row: VerifyTests.Row) async throws {
        row.register(.main)
        try await expect(rehearse(), is: row.problems)
        row.change?(.main)
        if row.change != nil { try await expect(rehearse(), is: []) }
    }

    @Test func `an acceptance without a problem is reported beside a skipped service`() async throws {
        Resolver.register(name: "skipped") { A() }
        Resolver.register { A() }.accepting(.failed, because: "there is no server here")
        Resolver.register { r in B(try r.tryResolve(name: "skipped")) }.accepting(.captive, because: "it keeps a copy")
        Resolver.register(name: "other") { B(A()) }.accepting(.captive, because: "it keeps a copy")
        let problems = try await rehearse { $0.skip(A.self, name: "skipped", because: "it costs money") }
        expect(problems.prefix(2), is: ["acceptedInVain A", "acceptedInVain B \"other\""])
        expect(problems.count, is: 4, "B was not created, so its problems are unknown")
    }

    @Test func `an alias of nil is no problem, and one of nothing or of what does not conform fails`() async throws {
        Resolver.register { () -> Circle? in nil }.implements(Shape.self)
        try await expect(Set(rehearse()), is: ["Circle: its factory returned nil", "Shape: its factory returned nil"])
        Resolver.register { Circle() }.implements(Shape.self).implements(C.self)
        try await expect(rehearse(), is: ["failed C"])
        Resolver.main.unregister(Circle.self)
        try await expect(Set(rehearse()), is: ["failed C", "failed Shape"])
    }

    @Test func `a mistake of the wiring that makes a service fail is reported once`() async throws {
        Resolver.register { A() }.scoped(to: .request, required: true)
        Resolver.register { r in B(try r.tryResolve()) }.scope(.application)
        Resolver.autoregister(C.init)
        try await expect(rehearse(), is: ["captive B>A"])
        Resolver.register { r in B(try r.tryResolve()) }.scope(.application).accepting(.captive, because: "of a reason")
        try await expect(rehearse(), is: ["failed B"], "the captive dependency is accepted, and its result is not")
    }

    @Test func `an acceptance is not in vain where a closure or a stub hides its problem`() async throws {
        Resolver.register { A() }.scoped(to: .request)
        Resolver.register { r in B(r.resolve()) }
        Resolver.autoregister(C.init).scope(.application).accepting(.captive, because: "it keeps a copy")
        try expect(Resolver.verify().problems.isEmpty)
        try await expect(rehearse(), is: [])
        try await expect(rehearse { $0.stub { A() } }, is: [])
    }

    @Test(arguments: [true, false])
    func `a class behind several protocols is short circuited in any order`(_ isUniqueFirst: Bool) async throws {
        if isUniqueFirst { Resolver.register { Circle() as Shape }.scope(.unique) }
        Resolver.register { Circle() as Figure }.scope(.cached)
        if !isUniqueFirst { Resolver.register { Circle() as Shape }.scope(.unique) }
        Resolver.register { Circle() }.scope(.unique)
        Resolver.autoregister(Frame.init)
        try await expect(rehearse(), is: ["shortCircuited Frame>Circle"])
    }

    @Test func `a trap in a rehearsal prints the problems found before`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Resolver.register { () throws -> A in throw Broken() }
            Resolver.register { r in B(r.resolve()) }
            Resolver.register { Circle() }
            try await Resolver.rehearse { $0.skip(Circle.self, because: "it costs money") }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        expect(text.contains("error: failed\n  \(own).A cannot be created."))
        expect(text.contains("Fatal error: RESOLVER: 'A:NONAME' not resolved"))
        expect(text.contains("RehearsalTests.B: its creation has not ended\n"))
        expect(text.contains("RehearsalTests.Circle: skipped, because: it costs money\n"))
    }

    @Test func `a trap for missing arguments prints the call that passes them`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Resolver.register { _, args in Numbered(args()) }
            try await Resolver.rehearse()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        expect(text.contains("\(own).Numbered: needs arguments: rehearsal.arguments(…, for: \(own).Numbered.self)\n"))
    }

    @Test func `a rehearsal report has each problem, its location and advice`() async throws {
        let hangs = Gate()
        let line: UInt = #line
        Resolver.register { () throws -> A in throw Broken() }
        Resolver.register { Circle() as Shape }.scope(.application)
        Resolver.register { Circle() as Figure }.scope(.application)
        Resolver.register { Circle() }
        Resolver.autoregister(Frame.init)
        Resolver.register { () async throws -> Remote in try await Self.hang(hangs) }
        let report = try await #require(throws: WiringReport.self) {
            try await Resolver.rehearse(until: { try await hangs.passUnlessCancelled() }) { _ in }
        }
        let place = "ResolverDiagnosticsTests/RehearsalTests+Problems.swift"
        let expected = """
            RESOLVER: the wiring has 2 errors and 2 warnings.

            error: failed
              \(own).A cannot be created.
              RESOLVER: 'A:NONAME' not resolved.
              Its factory threw Broken()
              Nothing was kept. The next call runs the factory again.
              To handle the error, call tryResolve() or resolveAsync(), and read it from underlying.
              Asked for at \(place):\(line + 1).
              Path:
                   \(own).A (registered at \(place):\(line + 1))
              Registered at \(place):\(line + 1)

            error: hangs
              \(own).Remote was still being created when the time of the rehearsal was over.
              Replace what it waits for with rehearsal.stub, or leave it out with rehearsal.skip.
              Registered at \(place):\(line + 6)

            warning: tornLifestyle
              \(own).Shape and \(own).Figure each keep an instance of the same class.
              Register the class once, with .implements(…) for each protocol.
              Registered at \(place):\(line + 2)

            warning: shortCircuited
              \(own).Frame needs \(own).Circle, which is graph; as \(own).Shape it is application.
              Ask for \(own).Shape, or register the class once, with .implements(…).
              Registered at \(place):\(line + 5)

            Branches that were not taken, lazy properties, and calls after the creation were not checked.
            """
        expect("\(report)", is: expected)
    }

    @Test func `an argument that is missing beside others is a failure`() async throws {
        Resolver.register { _, args in Numbered(try args.tryGet("first") + args.tryGet("second")) }
        let given = ["first": 1] as [String: any Sendable]
        let error = await #expect(throws: WiringReport.self) {
            try await Resolver.rehearse { $0.arguments(given, for: Numbered.self) }
        }
        expect(error?.problems.map(\.kind), is: [.failed])
        expect(error?.description.contains("second"), is: true)
    }
}
