import Foundation
import Resolver

private let sections = Box(0), steps = Box(0)

/// Begins a part of the day.
func section(_ title: String) {
    steps.set(0)
    say("\n\(sections.increment()). \(title)")
}

/// Begins a step, with an empty journal.
func step(_ title: String) {
    for list in [Journal.made, Journal.released] { list.set([]) }
    say("\n   \(sections.value).\(steps.increment()) \(title)")
}

/// Prints a statement together with whether it is so.
func claim(_ statement: String, _ holds: Bool) { say("       \(holds ? "✓" : "✗ FALSE:") \(statement)") }

/// Prints a text of several lines as it is, indented.
func quote(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { say("       | \(line)") }
}

/// Returns the container's error, and prints what it says.
func failure(_ body: () throws -> Any?) -> ResolutionError? {
    do { _ = try body() } catch {
        quote("\(error)")
        return error as? ResolutionError
    }
    return nil
}

/// Prints at once, even into a pipe: if a step traps, what led there is to be seen.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
