import Foundation
import Testing

/// Compares a text, whole, with the file of this name. `RESOLVER_UPDATE_GOLDEN=1 swift test` writes the files anew.
func expectGolden(_ text: String, _ name: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["RESOLVER_UPDATE_GOLDEN"] != nil {
        try Data((text + "\n").utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    expect(text + "\n", is: expected, sourceLocation: sourceLocation)
}
