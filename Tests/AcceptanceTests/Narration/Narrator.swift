import Foundation
import Resolver

/// Prints the day in sections and steps, and counts what it claims.
final class Narrator: Sendable {
    static let shared = Narrator()

    private struct State {
        var section = 0
        var step = 0
        var claims = 0
        var falseClaims: [String] = []
    }

    private let state = Box(State())

    func section(_ title: String) {
        let number = state.update { state in
            state.section += 1
            state.step = 0
            return state.section
        }
        say("\n\(number). \(title)")
    }

    func step(_ title: String) {
        state.update { $0.step += 1 }
        say("\n   \(currentStep) \(title)")
    }

    /// The number of the step that runs, such as `2.3`.
    var currentStep: String { state.update { "\($0.section).\($0.step)" } }

    func claim(_ statement: String, _ holds: Bool) {
        state.update { state in
            state.claims += 1
            if !holds { state.falseClaims.append("\(state.section).\(state.step) \(statement)") }
        }
        say("       \(holds ? "✓" : "✗ FALSE:") \(statement)")
    }

    func summary() {
        let (claims, falseClaims) = state.update { ($0.claims, $0.falseClaims) }
        for statement in falseClaims { say("✗ FALSE: \(statement)") }
        say("\n\(claims) claims, \(falseClaims.isEmpty ? "all of them true" : "\(falseClaims.count) of them false").")
    }
}

/// Prints at once, even into a pipe: if a step traps, what led there is to be seen.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// Begins a part of the day.
func section(_ title: String) { Narrator.shared.section(title) }

/// Begins a step: what is made from here on is noted as made in it.
func step(_ title: String) { Narrator.shared.step(title) }

/// Prints a statement together with whether it is so.
func claim(_ statement: String, _ holds: Bool) { Narrator.shared.claim(statement, holds) }

/// Prints a text of several lines as it is, indented.
func quote(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { say("       | \(line)") }
}

/// Returns the container's error, or nil if there is none.
func failure(_ body: () throws -> Any?) -> ResolutionError? {
    do { _ = try body() } catch { return error as? ResolutionError }
    return nil
}
