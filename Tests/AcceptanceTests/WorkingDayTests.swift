import Foundation
import Testing

/// Features together, as an app uses them, in a process of its own: its singletons, scopes and resets reach everything.
@Suite struct WorkingDayTests {
    @Test func `every claim of a working day is true`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                try await WorkingDay.run()
            })
        let text = String(decoding: result.standardOutputContent, as: UTF8.self)
        expect(text.split(separator: "\n").filter { $0.contains("✗ FALSE:") }, is: [])
        try expectGolden(text)
    }

    /// Compares what a day prints, whole, with `WorkingDay.txt`. `RESOLVER_UPDATE_GOLDEN=1` writes the file anew.
    private func expectGolden(_ text: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("WorkingDay.txt")
        if ProcessInfo.processInfo.environment["RESOLVER_UPDATE_GOLDEN"] != nil { try Data(text.utf8).write(to: file) }
        let expected = try String(contentsOf: file, encoding: .utf8)
        // As lines, so that a failure names the ones that differ.
        expect(text.components(separatedBy: "\n"), is: expected.components(separatedBy: "\n"))
    }
}
