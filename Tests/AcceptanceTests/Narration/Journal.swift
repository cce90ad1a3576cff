import Foundation
import Resolver

/// Every instance that the container has made or released: of which type, by which scope, in which step.
enum Journal {
    enum Event { case made, released }

    struct Entry: Sendable { let event: Event, service: String, scope: String, step: String }

    static let entries = Box<[Entry]>([])

    /// Notes and prints an instance.
    static func note(_ event: Event, _ service: String, scope: String) {
        entries.append(Entry(event: event, service: service, scope: scope, step: currentStep))
        list(service, "\(scope) \(event)")
    }

    /// What was made in the step that runs, and what was released in it, in that order.
    static var made: [String] { services(.made) }
    static var released: [String] { services(.released) }

    private static func services(_ event: Event) -> [String] {
        let step = currentStep
        return entries.value.filter { $0.event == event && $0.step == step }.map(\.service)
    }

    /// How many of a type have been made since the start.
    static func count<Service>(of type: Service.Type) -> Int {
        entries.value.count { $0.event == .made && $0.service == "\(type)" }
    }
}
