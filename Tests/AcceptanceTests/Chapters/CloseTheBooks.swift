import Resolver

/// What was made in the whole day, by scope.
func closeTheBooks() {
    section("Closing the books")

    step("Everything that was made")
    let all = Journal.shared.all
    let services = Dictionary(grouping: all) { "\($0.scope.padded(to: 17))\($0.service.padded(to: 17))" }
    quote("\("scope".padded(to: 17))\("service".padded(to: 17))made, in the steps")
    for (title, entries) in services.sorted(by: { $0.key < $1.key }) {
        let steps: [String] = entries.map(\.step).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        quote("\(title)\("\(entries.count)".padded(to: 6))\(steps.joined(separator: " "))")
    }
    var made = Dictionary(grouping: all.filter { $0.scope == "application" }, by: \.service).mapValues(\.count)
    let released = Journal.shared.allReleases.filter { $0.scope == "application" }
    for entry in released { made[entry.service, default: 0] -= 1 }
    claim("each application service has one instance", made.values.allSatisfy { $0 == 1 })
    claim("only the rehearsal released others", Set(released.map(\.step)).count == 1)

    step("Sessions, screens and requests")
    claim("none of them is open", ScopeContext.shared.openScopes().isEmpty)
    let kinds = ScopeKind.builtIn.map(\.label)
    let kept = all.count { kinds.contains($0.scope) }
    let letGo = Journal.shared.allReleases.count { kinds.contains($0.scope) }
    claim("of \(kept) instances made for one, \(letGo) were released, all but the doorkeeper's log", letGo == kept - 1)
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
