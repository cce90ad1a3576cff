import Foundation
import Testing

// For the processes of exit tests. A failure ends the process, because what other tasks wait for may never happen then. Only
// the comment of a failure arrives in the process of the tests, so it says all.

func fail(_ text: String, fileID: StaticString = #fileID, line: UInt = #line) -> Never {
    Issue.record("\(fileID):\(line): \(text)")
    exit(EXIT_FAILURE)
}

func expect<Value: Equatable>(_ found: Value, is expected: Value, fileID: StaticString = #fileID, line: UInt = #line) {
    if found != expected { fail("\(found) is not \(expected)", fileID: fileID, line: line) }
}

/// Runs `body` for all elements at once, and returns when all have ended.
func all<Element: Sendable>(
    _ elements: some Sequence<Element>, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (Element) async throws -> Void
) async {
    await withTaskGroup { group in
        for element in elements {
            group.addTask { do { try await body(element) } catch { fail("\(error)", fileID: fileID, line: line) } }
        }
    }
}
