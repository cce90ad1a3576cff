import Foundation
import Resolver

private let sections = Box(0), steps = Box(0), claims = Box(0), falseClaims = Box(0)

/// How the last line begins, if it is a list that may go on.
private let openList = Box<String?>(nil)

/// Begins a part of the day.
func section(_ title: String) {
    steps.set(0)
    say("\n\(sections.increment()). \(title)")
}

/// Begins a step: what is made and released from here on is noted as of this step.
func step(_ title: String) {
    steps.increment()
    say("\n   \(currentStep) \(title)")
}

/// The number of the step that runs, such as `2.3`.
var currentStep: String { "\(sections.value).\(steps.value)" }

/// Prints a statement together with whether it is so.
func claim(_ statement: String, _ holds: Bool) {
    claims.increment()
    if !holds { falseClaims.increment() }
    say("       \(holds ? "✓" : "✗ FALSE:") \(statement)")
}

/// Ends the day.
func countClaims() {
    let wrong = falseClaims.value
    say("\n\(claims.value) claims, \(wrong == 0 ? "all of them true" : "\(wrong) of them false").")
}

/// Prints a text of several lines as it is, indented.
func quote(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { say("       | \(line)") }
}

/// Returns the container's error, or nil if there is none.
func failure(_ body: () throws -> Any?) -> ResolutionError? {
    do { _ = try body() } catch { return error as? ResolutionError }
    return nil
}

/// Returns the container's error, and prints what it says.
func quotedFailure(_ body: () throws -> Any?) -> ResolutionError? {
    let error = failure(body)
    quote(error?.description ?? "no error")
    return error
}

/// Prints an item of a list, in the line of the item before if that one belongs to the same list.
func list(_ item: String, _ beginning: String) {
    let before = openList.exchange(beginning)
    let separator = before == beginning ? "," : "\(before == nil ? "" : "\n")       \(beginning)"
    print(separator, item, terminator: "")
    fflush(nil)
}

/// Prints at once, even into a pipe: if a step traps, what led there is to be seen.
private func say(_ line: String) {
    print(openList.exchange(nil) == nil ? line : "\n\(line)")
    fflush(nil)
}
