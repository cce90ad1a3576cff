import Foundation
import Resolver
import ResolverDiagnostics
import ResolverTesting
import Testing

/// What a recording sees of concurrent tests. Other tests may run too, so the services belong to this suite, and its
/// tests run one after the other.
@Suite(.serialized) struct RecordingTests {
    final class A: Sendable { init() {} }
    final class B: Sendable { init(_ a: A) {} }
    final class Unused: Sendable { init() {} }
    protocol Shape: Sendable {}
    final class Circle: Shape { init() {} }

    private func own(_ recording: WiringRecording) -> RecordedWiring {
        RecordedWiring(services: recording.wiring.services.filter { $0.service.contains("RecordingTests") })
    }

    @Test func `services that isolated tests create are recorded once, and those that fail are not`() {
        let recording = Resolver.recordWiring()
        for _ in 0..<2 {
            Resolver.runTest {
                Resolver.register { A() }
                Resolver.register { r in B(r.resolve()) }
                Resolver.register { Circle() }
                Resolver.register { (r) throws -> Unused in
                    _ = try r.tryResolve(A.self)
                    throw CancellationError()
                }
                _ = Resolver.resolve(B.self)
                #expect(throws: ResolutionError.self) { try Resolver.tryResolve(Unused.self) }
            }
        }
        expect(
            own(recording).description,
            is: """
                ResolverDiagnosticsTests.RecordingTests.A
                ResolverDiagnosticsTests.RecordingTests.B: ResolverDiagnosticsTests.RecordingTests.A
                """)
    }

    @Test func `a recording reports registrations that were never created`() {
        Resolver.runTest {
            let recording = Resolver.recordWiring()
            Resolver.register { A() }
            Resolver.register { Unused() }
            Resolver.register { Circle() }.implements(Shape.self)
            _ = Resolver.resolve(A.self)
            let mine = Resolver.main.registrations.filter { "\($0)".contains("RecordingTests") }
            expect(recording.notCreated(of: mine).map { "\($0.type)" }, is: ["Unused", "Circle"])
            _ = Resolver.resolve(Shape.self)
            expect(recording.notCreated(of: mine).count, is: 1)
        }
    }

    @Test func `a recording is equal after encoding and decoding`() throws {
        let recording = Resolver.recordWiring()
        Resolver.runTest {
            Resolver.register(name: "blue") { A() }
            Resolver.register { r in B(r.resolve(name: "blue")) }
            _ = Resolver.resolve(B.self)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try encoder.encode(own(recording))
        let text = String(decoding: data, as: UTF8.self)
            .replacingOccurrences(of: "ResolverDiagnosticsTests.RecordingTests.", with: "")
        let golden = #"""
            {"services":[{"needs":[],"service":"A \"blue\""},{"needs":["A \"blue\""],"service":"B"}]}
            """#
        expect(text, is: golden)
        try expect(JSONDecoder().decode(RecordedWiring.self, from: data), is: own(recording))
    }

    @Test func `a recording is released with its last reference`() {
        weak let recording = Resolver.recordWiring()
        expect(recording, is: nil)
    }

    @Test func `a test with withTestResolver is verified`() throws {
        Resolver.withTestResolver {
            Resolver.main = Resolver()
            Resolver.root = .main
            Resolver.autoregister(B.init)
            #expect(throws: WiringReport.self) { try Resolver.verify() }
            Resolver.register { A() }
            #expect(throws: Never.self) { try Resolver.verify() }
        }
    }
}
