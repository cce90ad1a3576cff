import Resolver

/// What was made in the whole day, by scope.
func closeTheBooks() {
    section("Closing the books")
    let made = Journal.entries.value.filter { $0.event == .made }
    let released = Journal.entries.value.filter { $0.event == .released }

    step("Everything that was made")
    for (scope, entries) in Dictionary(grouping: made, by: \.scope).sorted(by: { $0.key < $1.key }) {
        let counts = entries.counts.sorted { $0.key < $1.key }
        quote("\(scope): \(counts.map { "\($1) \($0)" }.joined(separator: ", "))")
    }
    let releasedByApplication = released.filter { $0.scope == "application" }
    let left = made.filter { $0.scope == "application" }.counts.merging(releasedByApplication.counts) { $0 - $1 }
    claim("each application service has one instance", left.values.allSatisfy { $0 == 1 })
    claim("only the rehearsal released others", Set(releasedByApplication.map(\.step)).count == 1)

    step("Sessions and screens")
    claim("none of them is open", ScopeContext.shared.openScopes().isEmpty)
    let kinds = ScopeKind.builtIn.map(\.label)
    let kept = made.count { kinds.contains($0.scope) }
    let ended = released.count { kinds.contains($0.scope) }
    claim("all \(kept) instances made for one were released", ended == kept && kept > 0)
}

extension [Journal.Entry] {
    /// How many entries there are of each service.
    fileprivate var counts: [String: Int] { reduce(into: [:]) { $0[$1.service, default: 0] += 1 } }
}
