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
    final class Circle: Shape, Figure {
        init() {}
        init(_ b: B) {}
    }

    final class Numbered: Shape { init(_ number: Int) {} }
    final class Frame: Sendable { init(_ circle: Circle) {} }
    struct Broken: Error {}

    let log = Box<[String]>([]), own = "ResolverDiagnosticsTests.RehearsalTests"

    /// Other tests of the process have registered on the previous `main`.
    init() {
        Resolver.main = Resolver()
        Resolver.root = .main
    }

    /// Returns the reported kinds and paths, and the services that were not created.
    func rehearse(
        until deadline: Gate = Gate(), _ prepare: @escaping @Sendable (inout Rehearsal) throws -> Void = { _ in }
    ) async throws -> [String] {
        let report: WiringReport
        do {
            report = try await Resolver.rehearse(until: { try await deadline.passUnlessCancelled() }, prepare)
        } catch let error as WiringReport {
            report = error
        }
        return (report.problems.map { "\($0.kind) \($0.path.joined(separator: ">"))" } + report.notCreated)
            .map { $0.replacingOccurrences(of: "ResolverDiagnosticsTests.RehearsalTests.", with: "") }
    }

    private class Base: @unchecked Sendable { init() {} }
    private final class Derived: Base, @unchecked Sendable {}

    protocol Outline: AnyObject {}
    @MainActor final class Sketch: @MainActor Outline { init() {} }
    @MainActor final class Frieze { init(_ outline: Outline) {} }

    @Test @MainActor func `a kept service with a conformance of its actor is created there`() async throws {
        Resolver.register { @MainActor in Sketch() }.scope(.cached).implements(Outline.self)
        try await expect(rehearse(), is: [])
        Resolver.unregister(Sketch.self)
        Resolver.register { @MainActor resolver in Frieze(try resolver.tryResolve()) }
        Resolver.register { @MainActor in Sketch() as Outline }.scope(.cached)
        try await expect(rehearse(), is: [])
    }

    @Test func `a runtime type and the type itself are two services`() async throws {
        let type: Base.Type = Derived.self, main = Resolver.main, recording = Resolver.recordWiring()
        main.register(type, fileID: "App/A.swift", line: 1) { [log] in log.adding("Base", Base()) }
        main.register(fileID: "App/A.swift", line: 2) { [log] in log.adding("Derived", Derived()) }
        expect(main.explain(type).contains("App/A.swift:1"))
        expect(main.explain(Derived.self).contains("App/A.swift:2"))
        expect(recording.notCreated(of: main.registrations).count, is: 2)
        _ = main.resolve(type)
        expect(recording.notCreated(of: main.registrations).map(\.location.line), is: [2])
        try await expect(rehearse { $0.stub { [log] in log.adding("stub", Derived()) } }, is: [])
        expect(log.value, is: ["Base", "Base", "stub"])
    }

    @Test func `a rehearsal creates each service once, releases it at the end and leaves the app's`() async throws {
        Resolver.register { [log] in log.adding("A", A()) }.scope(.application)
            .onRelease { [log] _ in log.append("-A") }
        Resolver.register { [log] r in log.adding("B", B(r.resolve())) }.scope(.cached)
            .onRelease { [log] _ in log.append("-B") }
        let a: A = Resolver.resolve()
        log.set([])
        try await expect(rehearse(), is: [])
        expect(Set(log.value.prefix(2)), is: ["A", "B"])
        expect(Set(log.value.dropFirst(2)), is: ["-A", "-B"])
        expect(log.value.count, is: 4)
        expect(Resolver.existing(A.self) === a)
    }

    @Test func `services of asynchronous and isolated factories, of contexts and of children are created`() async throws
    {
        let child = Resolver()
        child.register { [log] in log.adding("child's", A()) }
        Resolver.main.add(child: child)
        Resolver.autoregister(B.init).scoped(to: .session).onRelease { [log] _ in log.append("session") }
        Resolver.register { [log] () async in log.adding("remote", await Remote()) }.scope(.cached)
        Resolver.register { @MainActor [log] in log.adding("model", Model()) }
        Resolver.register { r in C(try r.tryResolve()) }.scoped(to: .request).onRelease { [log] _ in
            log.append("request")
        }
        try await expect(rehearse(), is: [])
        expect(log.value.sorted(), is: ["child's", "child's", "model", "remote", "request", "session"])
        expect(log.value.filter { ["request", "session"].contains($0) }, is: ["request", "session"])
        let skipping = try await rehearse { $0.skip(A.self, because: "it costs money") }
        expect(skipping.contains("B: needs A, which is skipped"))
        expect(skipping.last, is: "A: skipped, because: it costs money")
    }

    @Test func `services that a factory registers are created`() async throws {
        Resolver.register { [log] r in
            r.register { log.adding("B", B(A())) }
            return A()
        }
        try await expect(rehearse(), is: [])
        expect(log.value, is: ["B"])
        expect(!Resolver.isRegistered(B.self))
    }

    @Test func `neither a reset by a factory nor a thread with its resolver changes the app`() async throws {
        Resolver.register { A() }.scope(.cached)
        Resolver.register(name: "of a thread") { A() }.scope(.cached)
        Resolver.register { resolver in
            RunningThread { _ = resolver.resolve(A.self, name: "of a thread") }.join()
            Resolver.reset()
            return B(A())
        }
        let a: A = Resolver.resolve()
        try await expect(rehearse(), is: [])
        expect(Resolver.existing(A.self) === a)
        expect(Resolver.existing(A.self, name: "of a thread"), is: nil)
    }

    @Test func `concurrent rehearsals do not see each other`() async throws {
        Resolver.register { [log] in log.adding("A", A()) }.scope(.application)
        Resolver.autoregister(B.init).scope(.cached)
        try await Tasks.results(8) { _ in try await Resolver.rehearse() }
        expect(log.value.count, is: 8)
    }

    /// Opens the gate, and waits until the task is cancelled.
    @Sendable static func hang<Service>(_ hasBegun: Gate) async throws -> Service {
        hasBegun.open()
        try await Gate().passUnlessCancelled()
        throw CancellationError()
    }

    /// Registers services of which one hangs, and the problems. What is registered first hangs first, and others have no turn.
    private static let hanging: [(register: @Sendable (Gate) -> Void, problems: [String])] = [
        (
            { hangs in
                Resolver.register { (r: Resolver, args: Resolver.Args) async throws -> A in
                    let depth: Int = try args.tryGet()
                    return depth > 0 ? try await r.resolveAsync(args: depth - 1) : try await RehearsalTests.hang(hangs)
                }
            }, ["hangs A>A>A>A"]
        ),
        (
            { hangs in
                Resolver.register { A() }.scope(.cached).onRelease { _ in
                    let _: A = try await RehearsalTests.hang(hangs)
                }
            },
            ["hangs "]
        ),
        (
            { hangs in
                Resolver.register { () async throws -> A in try await RehearsalTests.hang(hangs) }
                Resolver.register { (r) async throws -> B in try await B(r.resolveAsync()) }
            }, ["hangs A", "B: the time of the rehearsal was over"]
        ),
        (
            { hangs in
                Resolver.register { (r) async throws -> B in try await B(r.resolveAsync(A.self, name: "slow")) }
                Resolver.register(name: "slow") { () async throws -> A in try await RehearsalTests.hang(hangs) }
            }, ["hangs B>A \"slow\"", "A \"slow\": the time of the rehearsal was over"]
        ),
        (
            { hangs in
                Resolver.register { (r) async throws -> B in
                    _ = try await r.resolveAsync((any Shape).self)
                    return B(A())
                }
                Resolver.register { () async throws -> Circle in try await RehearsalTests.hang(hangs) }
                    .implements((any Shape).self)
            },
            [
                "hangs B>Circle", "Circle: the time of the rehearsal was over",
                "Shape: the time of the rehearsal was over",
            ]
        ),
    ]

    @Test(arguments: hanging.indices)
    func `a factory, a dependency or a hook that hangs is reported with a finite path`(_ number: Int) async throws {
        let hangs = Gate(), (register, problems) = Self.hanging[number]
        register(hangs)
        try await expect(rehearse(until: hangs) { $0.arguments(3, for: A.self) }, is: problems)
    }

    @Test func `a factory that blocks its thread is reported`() async {
        await #expect(processExitsWith: .success) {
            let hangs = Gate()
            Resolver.register {
                hangs.open()
                Gate().wait()
                return A()
            }
            let report = await #expect(throws: WiringReport.self) {
                try await Resolver.rehearse(until: { try await hangs.passUnlessCancelled() }) { _ in }
            }
            expect(report?.problems.map(\.kind), is: [.hangs])
        }
    }

    @Test func `a rehearsal whose task is cancelled ends`() async throws {
        let hangs = Gate()
        Resolver.register { () async throws -> A in try await Self.hang(hangs) }
        let task = Task { try await Resolver.rehearse() }
        try await hangs.passUnlessCancelled()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a rehearsal accepts zero and infinite time`() async throws {
        Resolver.register { A() }
        let report = try? await Resolver.rehearse(within: 0)
        expect(report.map { $0.problems.isEmpty } ?? true)
        await #expect(throws: Never.self) { try await Resolver.rehearse(within: .infinity) }
    }

    @Test func `a stub replaces a registration, also behind an alias`() async throws {
        Resolver.register { () throws -> Circle in throw Broken() }.implements(Shape.self)
        try await expect(rehearse { $0.stub { Circle() } }, is: [])
        try await expect(rehearse { $0.stub { Circle() as Shape } }, is: ["failed Circle"])
    }

    @Test func `skipped services and those that need them, also behind an alias, are not created`() async throws {
        Resolver.register { [log] in log.adding("Circle", Circle()) }.implements(Shape.self)
        Resolver.register(name: "blue") { () throws -> A in throw Broken() }
        Resolver.register { A() }
        Resolver.register { r in
            _ = try r.tryResolve(Shape.self)
            return C(B(A()))
        }
        Resolver.register { r in B(try r.tryResolve(name: "blue")) }
        Resolver.register { r in Frame(r.optional() ?? Circle()) }
        let problems = try await rehearse {
            $0.skip(Circle.self, because: "it costs money")
            $0.skip(A.self, name: "blue", because: "it fails")
        }
        let skipped = ["Circle: skipped, because: it costs money", "A \"blue\": skipped, because: it fails"]
        let needing = ["C", "Shape"].map { "\($0): needs Circle, which is skipped" }
        expect(Set(problems), is: Set(skipped + needing + ["B: needs A \"blue\", which is skipped"]))
        expect(problems.count, is: 5, "Frame needs no circle")
        expect(log.value, is: [])
    }

    @Test func `a rehearsal passes the given arguments`() async throws {
        Resolver.register { [log] (_: Resolver, args: Resolver.Args) in log.adding("\(try args.tryGet() as Int)", A()) }
        try await expect(rehearse().map { $0.split(separator: ":")[0] }, is: ["A"])
        try await expect(rehearse { $0.arguments(42, for: A.self) }, is: [])
        expect(log.value, is: ["42"])
        Resolver.autoregister(B.init)
        try await expect(rehearse { $0.arguments(42, for: A.self) }, is: ["failed B"], "B passes none")
    }

    @Test func `an error of the closure that prepares the rehearsal is thrown`() async {
        await #expect(throws: Broken.self) { try await Resolver.rehearse { _ in throw Broken() } }
    }

    @Test func `an alias gets the arguments of its service, and needs them as that does`() async throws {
        Resolver.register { _, args in Numbered(try args.tryGet()) }.implements((any Shape).self)
        try await expect(rehearse().filter { !$0.contains("needs arguments") }, is: [])
        try await expect(rehearse { $0.arguments(3, for: Numbered.self) }, is: [])
    }

    @Test(.resolver(.strict)) func `a strict test may rehearse the app`() async throws {
        let app = await Task.detached { Resolver() }.value
        app.register { A() }
        Resolver.root.add(child: app)
        try await expect(rehearse(), is: [])
    }
}

extension Box<[String]> {
    /// Notes an instance that a factory returns.
    fileprivate func adding<Instance>(_ text: String, _ instance: Instance) -> Instance {
        append(text)
        return instance
    }
}
