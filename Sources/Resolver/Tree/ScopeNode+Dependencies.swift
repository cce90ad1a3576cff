extension ScopeNode {
    /// What the tree has for this scope, and who provides it: a line for each service, the nearest first.
    ///
    ///     Shop.Ticket from Booth, kept
    ///     Shop.Guide from Hall
    ///
    /// What a node above has too, but does not provide because a nearer one does, is not listed. `kept` is what has an instance
    /// now; singletons belong to no node, and what `.implements` has registered keeps none of its own. What only the fallback has
    /// is not of the tree.
    public var dependencyReport: String {
        var seen: Set<String> = []
        let lines = sequence(first: self, next: \.parent).flatMap { node in
            node.resolver.table.all.map { registration in
                let isKept = registration.cellsAtHome(includingShared: false).flatMap(\.withBranches)
                    .contains { $0.kept != nil }
                let service = ResolutionStep.registration(registration).hop.description
                return (service: service, line: "\(service) from \(node.name)\(isKept ? ", kept" : "")")
            }
            .sorted { $0.service < $1.service }
        }
        return lines.filter { seen.insert($0.service).inserted }.map(\.line).joined(separator: "\n")
    }
}
