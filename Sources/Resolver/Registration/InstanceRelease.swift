/// Instances that are to be released, and the registrations whose scopes are told afterwards.
struct InstanceRelease: Sendable {
    var cells: [InstanceCell] = []
    var registrations: [AnyResolverRegistration] = []
    /// Whether the registrations are no longer in their resolver.
    var isEnd = false

    /// Releases the instances, the youngest first. Hooks that have to be awaited run in tasks of their own.
    func run() {
        InstanceCell.empty(cells)
        finish()
    }

    /// Releases the instances, the youngest first, each when the hooks of the one before have run.
    nonisolated(nonsending) func runAndWait() async {
        await InstanceCell.emptyAndWait(cells)
        finish()
    }

    private func finish() {
        for registration in registrations {
            if isEnd, registration.hasCells { registration.forgetCells() }
            registration.tellScope(registration.plan)
        }
    }
}
