/// Every instance that the container has made: of which type, by which scope, in which step.
final class Journal: Sendable {
    static let shared = Journal()

    struct Entry: Sendable {
        let service: String
        let scope: String
        let step: String
    }

    private let entries = Protected<[Entry]>([])

    /// Notes an instance, and prints it where the tour stands.
    func note(_ service: String, scope: String) {
        let entry = Entry(service: service, scope: scope, step: Narrator.shared.currentStep)
        entries.withLock { $0.append(entry) }
        say("       made \(entry.service) (\(entry.scope))")
    }

    var all: [Entry] { entries.withLock { $0 } }

    /// What was made in the step that runs, in the order of making.
    var madeInThisStep: [String] {
        let step = Narrator.shared.currentStep
        return all.filter { $0.step == step }.map(\.service)
    }

    /// How many of a type have been made since the start.
    func count<Service>(of type: Service.Type) -> Int {
        all.count { $0.service == "\(type)" }
    }
}
