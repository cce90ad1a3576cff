import Foundation
import Resolver
import ResolverDiagnostics
import ResolverTesting
import Testing

/// Each kind of problem that a rehearsal finds, with the nearest wiring without it, and the state that a rehearsal does
/// not change.
@Suite(.resolver) struct RehearsalTests {
    final class A: Sendable { init() {} }
    final class B: Sendable { init(_ a: A) {} }
    final class C: Sendable { init(_ b: B) {} }
    final class Remote: Sendable { init() async {} }
    @MainActor final class Model { init() {} }
    protocol Shape: Sendable {}
    protocol Figure: Sendable {}
    final class Circle: Shape, Figure { init() {} }
    final class Frame: Sendable { init(_ circle: Circle) {} }
    struct Broken: Error {}

    /// Other tests of the process have registered on the previous `main`.
    init() {
        Resolver.main = Resolver()
        Resolver.root = .main
    }

    private final class Log: Sendable {
        private let texts = Guarded(holding: [String]())
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    /// Returns the reported kinds and paths, and the services that were not created.
    private func rehearse(
        until deadline: Gate = Gate(),
        _ prepare: @escaping @Sendable (inout Rehearsal) throws -> Void = { _ in }
    ) async throws -> [String] {
        let report: WiringReport
        do {
            report = try await Resolver.rehearse(until: { try await deadline.passUnlessCancelled() }, prepare)
        } catch let error
            as WiringReport
        {
            report = error
        }
        func short(_ text: String) -> String {
            text.replacingOccurrences(of: "ResolverDiagnosticsTests.RehearsalTests.", with: "")
        }
        return report.problems.map { short("\($0.kind) \($0.path.joined(separator: ">"))") }
            + report.notCreated.map(short)
    }

    // MARK: Creating

    @Test func `each service is created once and released at the end`() async throws {
        let log = Log()
        Resolver.register {
            log.add("A"); return A()
        }.scope(.application).onRelease { _ in log.add("-A") }
        Resolver.register { r in
            log.add("B"); return B(r.resolve())
        }.scope(.cached).onRelease { _ in log.add("-B") }
        #expect(try await rehearse() == [])
        #expect(Set(log.all.prefix(2)) == ["A", "B"])
        #expect(Set(log.all.dropFirst(2)) == ["-A", "-B"])
        #expect(log.all.count == 4)
    }

    @Test func `a rehearsal creates its own instance and leaves the app's`() async throws {
        let log = Log()
        Resolver.register {
            log.add("made"); return A()
        }.scope(.application).onRelease { _ in log.add("released") }
        let a: A = Resolver.resolve()
        #expect(try await rehearse() == [])
        #expect(log.all == ["made", "made", "released"])
        #expect(Resolver.existing(A.self) === a)
    }

    @Test func `services of asynchronous and isolated factories are created`() async throws {
        let log = Log()
        Resolver.register { () async in
            log.add("remote"); return await Remote()
        }.scope(.cached)
        Resolver.register { @MainActor in
            log.add("model"); return Model()
        }
        #expect(try await rehearse() == [])
        #expect(log.all == ["remote", "model"])
    }

    @Test func `services of a context are created in an open context`() async throws {
        let log = Log()
        Resolver.register { A() }.scoped(to: .session).onRelease { _ in log.add("A") }
        Resolver.register { r in B(r.resolve()) }.scoped(to: .request).onRelease { _ in log.add("B") }
        #expect(try await rehearse() == [])
        #expect(log.all == ["B", "A"])
    }

    @Test func `a captive dependency in a closure is found`() async throws {
        Resolver.register { A() }.scoped(to: .request)
        Resolver.register { r in B(r.resolve()) }.scope(.application)
        #expect(try Resolver.verify().problems.isEmpty)
        #expect(try await rehearse() == ["captive B>A"])
        Resolver.register { r in B(r.resolve()) }.scope(.application).accepting(.captive, because: "it keeps a copy")
        #expect(try await rehearse() == [])
        #expect(try Resolver.verify().problems.isEmpty)
        Resolver.register { B(A()) }.scope(.application).accepting(.captive, because: "it keeps a copy")
        #expect(try await rehearse() == ["acceptedInVain B"])
    }

    @Test func `an asynchronous dependency of a synchronous closure is found`() async throws {
        Resolver.register { () async in A() }.scope(.cached)
        Resolver.register(name: "twin") { B(A()) }
        Resolver.register { r in B(try r.tryResolve()) }
        #expect(try await rehearse() == ["requiresAsync B>A"])
        Resolver.register { (r) async throws in try await B(r.resolveAsync()) }
        #expect(try await rehearse() == [])
    }

    @Test func `services that a factory registers are created`() async throws {
        let log = Log()
        Resolver.register { r in
            r.register {
                log.add("B"); return B(A())
            }
            return A()
        }
        #expect(try await rehearse() == [])
        #expect(log.all == ["B"])
        #expect(!Resolver.isRegistered(B.self))
    }

    @Test func `a factory that calls reset does not reset the app`() async throws {
        Resolver.register { A() }.scope(.cached)
        Resolver.register {
            Resolver.reset()
            return B(A())
        }
        let a: A = Resolver.resolve()
        #expect(try await rehearse() == [])
        #expect(Resolver.existing(A.self) === a)
    }

    @Test func `a thread that uses the factory's resolver is isolated from the app`() async throws {
        Resolver.register { A() }.scope(.cached)
        Resolver.register { resolver in
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                _ = resolver.resolve(A.self)
                done.signal()
            }
            done.wait()
            return B(A())
        }
        #expect(try await rehearse() == [])
        #expect(Resolver.existing(A.self) == nil)
    }

    @Test func `services of children are created`() async throws {
        let log = Log()
        let child = Resolver()
        child.register {
            log.add("A")
            return A()
        }
        Resolver.main.add(child: child)
        Resolver.autoregister(B.init)
        #expect(try await rehearse() == [])
        #expect(log.all == ["A", "A"])
        #expect(
            try await rehearse { $0.skip(A.self, because: "it costs money") } == [
                "B: needs A, which is skipped", "A: skipped, because: it costs money",
            ])
    }

    @Test func `concurrent rehearsals do not see each other`() async throws {
        let log = Log()
        Resolver.register {
            log.add("A")
            return A()
        }.scope(.application)
        Resolver.autoregister(B.init).scope(.cached)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await Resolver.rehearse() } }
            try await group.waitForAll()
        }
        #expect(log.all.count == 8)
    }

    @Test func `a hang in a recursion is reported with a finite path`() async throws {
        let hangs = Gate()
        Resolver.register { (r: Resolver, args: Resolver.Args) async throws -> A in
            let depth: Int = try args.tryGet()
            if depth > 0 { return try await r.resolveAsync(A.self, args: depth - 1) }
            hangs.open()
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return A()
        }
        #expect(try await rehearse(until: hangs) { $0.arguments(3, for: A.self) } == ["hangs A>A>A>A"])
    }

    @Test func `a dependency cycle is reported once`() async throws {
        Resolver.register { r in B(try r.tryResolve()) }
        Resolver.register { r -> A in
            _ = try r.tryResolve(B.self)
            return A()
        }
        #expect(try await rehearse() == ["failed B"])
    }

    @Test func `a factory that blocks its thread is reported`() async {
        await #expect(processExitsWith: .success) {
            let hangs = Gate()
            Resolver.register {
                hangs.open()
                DispatchSemaphore(value: 0).wait()
                return A()
            }
            let report = await #expect(throws: WiringReport.self) {
                try await Resolver.rehearse(until: { try await hangs.passUnlessCancelled() }) { _ in }
            }
            #expect(report?.problems.map(\.kind) == [.hangs])
        }
    }

    @Test func `a hook that hangs is reported`() async throws {
        let hangs = Gate()
        Resolver.register { A() }.scope(.cached).onRelease { _ in
            hangs.open()
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
        }
        #expect(try await rehearse(until: hangs) == ["hangs "])
    }

    @Test func `a rehearsal accepts zero and infinite time`() async throws {
        Resolver.register { A() }
        let report = try? await Resolver.rehearse(within: 0)
        #expect(report.map { $0.problems.isEmpty } ?? true)
        await #expect(throws: Never.self) { try await Resolver.rehearse(within: .infinity) }
    }

    // MARK: Stubs, skips and arguments

    @Test func `a stub replaces a registration`() async throws {
        Resolver.register { () throws -> A in throw Broken() }
        Resolver.autoregister(B.init)
        #expect(try await rehearse() == ["failed A"])
        #expect(try await rehearse { $0.stub { A() } } == [])
    }

    @Test func `a stub replaces the service of an alias`() async throws {
        Resolver.register { () throws -> Circle in throw Broken() }.implements(Shape.self)
        #expect(try await rehearse { $0.stub { Circle() } } == [])
        #expect(try await rehearse { $0.stub { Circle() as Shape } } == ["failed Circle"])
    }

    @Test func `one name of a service can be skipped`() async throws {
        Resolver.register { A() }
        Resolver.register(name: "blue") { () throws -> A in throw Broken() }
        Resolver.register { r in B(try r.tryResolve(name: "blue")) }
        #expect(
            try await rehearse { $0.skip(A.self, name: "blue", because: "it costs money") } == [
                "B: needs A \"blue\", which is skipped", "A \"blue\": skipped, because: it costs money",
            ])
    }

    @Test func `skipped services and services that need them are not created`() async throws {
        let log = Log()
        Resolver.register {
            log.add("A"); return A()
        }
        Resolver.autoregister(B.init)
        Resolver.register { C(B(A())) }
        #expect(
            try await rehearse { $0.skip(A.self, because: "it costs money") } == [
                "B: needs A, which is skipped", "A: skipped, because: it costs money",
            ])
        #expect(log.all == [])
    }

    @Test func `a service with a skipped optional dependency is created`() async throws {
        Resolver.register { r in
            let a: A? = r.optional()
            return B(a ?? A())
        }
        #expect(
            try await rehearse { $0.skip(A.self, because: "it costs money") } == ["A: skipped, because: it costs money"]
        )
    }

    @Test func `a trap in a rehearsal prints the problems found before`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Resolver.register { () throws -> A in throw Broken() }
                Resolver.register { r in B(r.resolve()) }
                try await Resolver.rehearse()
            })
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("error: failed\n  ResolverDiagnosticsTests.RehearsalTests.A cannot be created."))
        #expect(text.contains("Fatal error: RESOLVER: 'A:NONAME' not resolved"))
    }

    @Test func `a rehearsal passes the given arguments`() async throws {
        let log = Log()
        Resolver.register { (_: Resolver, args: Resolver.Args) throws -> A in
            let page: Int = try args.tryGet()
            log.add("\(page)")
            return A()
        }
        #expect(try await rehearse().map { $0.split(separator: ":")[0] } == ["A"])
        #expect(try await rehearse { $0.arguments(42, for: A.self) } == [])
        #expect(log.all == ["42"])
    }

    @Test func `a dependency that requires arguments is a problem`() async throws {
        Resolver.register { (_: Resolver, args: Resolver.Args) throws -> A in
            let _: Int = try args.tryGet()
            return A()
        }
        Resolver.autoregister(B.init)
        #expect(try await rehearse { $0.arguments(42, for: A.self) } == ["failed B"])
    }

    @Test func `a factory that returns nil is no problem`() async throws {
        Resolver.register { () -> A? in nil }
        #expect(try await rehearse() == ["A: its factory returned nil"])
    }

    @Test func `an error of the closure that prepares the rehearsal is thrown`() async throws {
        await #expect(throws: Broken.self) { try await Resolver.rehearse { _ in throw Broken() } }
    }

    // MARK: Kinds

    @Test func `each failure is reported where it happens`() async throws {
        Resolver.register { () throws -> A in throw Broken() }
        Resolver.autoregister(B.init)
        Resolver.autoregister(C.init)
        Resolver.register { r in Frame(r.resolve()) }.needs(Circle.self)
        let report = await #expect(throws: WiringReport.self) {
            Resolver.register(name: "twin") { r in Frame(try r.tryResolve()) }
            Resolver.unregister(Frame.self)
            try await Resolver.rehearse()
        }
        #expect(report?.errors.map { $0.path.joined() } == ["\(name(A.self))", "\(name(Frame.self)) \"twin\""])
        #expect(report?.errors.first?.advice.contains("Broken") == true)
    }

    private func name(_ type: Any.Type) -> String { String(reflecting: type) }

    @Test func `a release hook that throws is a problem`() async throws {
        Resolver.register { A() }.scope(.cached).onRelease { _ in throw Broken() }
        #expect(try await rehearse() == ["failed A"])
    }

    @Test func `a class cached by two registrations is a torn lifestyle`() async throws {
        Resolver.register { Circle() as Shape }.scope(.application)
        Resolver.register { Circle() as Figure }.scope(.application)
        #expect(try await rehearse() == ["tornLifestyle Shape>Figure"])
        Resolver.register { Circle() }.implements(Shape.self).implements(Figure.self).scope(.application)
        #expect(try await rehearse() == [])
    }

    @Test func `one instance cached by two registrations is not a torn lifestyle`() async throws {
        Resolver.register { Circle() as Shape }.scope(.application)
        Resolver.register { r in r.resolve(Shape.self) as! Circle as Figure }.scope(.application)
        #expect(try await rehearse() == [])
    }

    @Test func `resolving a class beside its cached protocol is short-circuited`() async throws {
        Resolver.register { Circle() as Shape }.scope(.application)
        Resolver.register { Circle() }.scope(.unique)
        Resolver.autoregister(Frame.init)
        #expect(try await rehearse() == ["shortCircuited Frame>Circle"])
        Resolver.register { Circle() as Shape }.scope(.unique)
        #expect(try await rehearse() == [])
    }

    @Test func `a problem is accepted with a reason`() async throws {
        Resolver.register { () throws -> A in throw Broken() }.accepting(.failed, because: "there is no server here")
        #expect(try await rehearse() == [])
        Resolver.register { A() }.accepting(.failed, because: "there is no server here")
        #expect(try await rehearse() == ["acceptedInVain A"])
        #expect(try Resolver.verify().problems.isEmpty)
    }

    @Test func `a factory that hangs is reported and later services are not created`() async throws {
        let hangs = Gate()
        Resolver.register { () async throws -> A in
            hangs.open()
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return A()
        }
        Resolver.register { (r) async throws -> B in try await B(r.resolveAsync()) }
        let problems = try await rehearse(until: hangs)
        // `A` is registered first, so it hangs first and `B` has no turn.
        #expect(problems == ["hangs A", "B: the time of the rehearsal was over"])
        Resolver.register { A() }
        #expect(try await rehearse() == [])
    }

    @Test func `a dependency that hangs is reported with its path`() async throws {
        let hangs = Gate()
        Resolver.register { (r) async throws -> B in try await B(r.resolveAsync(A.self, name: "slow")) }
        Resolver.register(name: "slow") { () async throws -> A in
            hangs.open()
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return A()
        }
        #expect(
            try await rehearse(until: hangs) == [
                "hangs B>A \"slow\"", "A \"slow\": the time of the rehearsal was over",
            ])
    }

    @Test func `a rehearsal whose task is cancelled ends`() async throws {
        let hangs = Gate()
        Resolver.register { () async throws -> A in
            hangs.open()
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return A()
        }
        let task = Task { try await Resolver.rehearse() }
        try await hangs.passUnlessCancelled()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a rehearsal report has each problem, its location and advice`() async throws {
        let hangs = Gate()
        let line: UInt = #line
        Resolver.register { () throws -> A in throw Broken() }
        Resolver.register { Circle() as Shape }.scope(.application)
        Resolver.register { Circle() as Figure }.scope(.application)
        Resolver.register { Circle() }
        Resolver.autoregister(Frame.init)
        Resolver.register { () async throws -> Remote in
            hangs.open()
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            return await Remote()
        }
        let report = try await #require(throws: WiringReport.self) {
            try await Resolver.rehearse(until: { try await hangs.passUnlessCancelled() }) { _ in }
        }
        let own = "ResolverDiagnosticsTests.RehearsalTests"
        let place = "ResolverDiagnosticsTests/RehearsalTests.swift"
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
        #expect("\(report)" == expected)
    }

    @Test func `the report lists services that were not created`() async throws {
        Resolver.register { A() }
        let report = try await Resolver.rehearse { $0.skip(A.self, because: "it costs money") }
        #expect(
            report.description == """
                RESOLVER: the wiring has 0 errors and 0 warnings.

                Not created:
                  ResolverDiagnosticsTests.RehearsalTests.A: skipped, because: it costs money
                Branches that were not taken, lazy properties, and calls after the creation were not checked.
                """)
    }
}
