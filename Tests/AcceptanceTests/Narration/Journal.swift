/// Every instance that the container has made, and has let go of: of which type, by which scope, in which step.
final class Journal: Sendable {
    static let shared = Journal()

    struct Entry: Sendable {
        let service: String, scope: String, step: String
    }

    private let entries = Box<[Entry]>([]), releases = Box<[Entry]>([])

    /// Notes an instance.
    ///
    /// - Parameter isTold: whether it is printed, too.
    func note(_ service: String, scope: String, isTold: Bool = true) {
        let entry = Entry(service: service, scope: scope, step: Narrator.shared.currentStep)
        entries.append(entry)
        if isTold { say("       made \(entry.service) (\(entry.scope))") }
    }

    /// Notes that a scope has let go of an instance.
    func noteRelease(_ service: String, scope: String, isTold: Bool = true) {
        let entry = Entry(service: service, scope: scope, step: Narrator.shared.currentStep)
        releases.append(entry)
        if isTold { say("       released \(entry.service) (\(entry.scope))") }
    }

    var all: [Entry] { entries.value }
    var allReleases: [Entry] { releases.value }

    /// What was made in the step that runs, in the order of making.
    var madeInThisStep: [String] { services(inThisStep: all) }

    /// What was let go of in the step that runs, in that order.
    var releasedInThisStep: [String] { services(inThisStep: allReleases) }

    private func services(inThisStep entries: [Entry]) -> [String] {
        let step = Narrator.shared.currentStep
        return entries.filter { $0.step == step }.map(\.service)
    }

    /// How many of a type have been made since the start.
    func count<Service>(of type: Service.Type) -> Int { all.count { $0.service == "\(type)" } }
}
