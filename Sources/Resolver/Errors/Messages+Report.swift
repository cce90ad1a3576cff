// The whole text of an error: the headline, the call, the path and the suggestions.

extension Messages {
    /// Returns the whole text of an error. The path has one line for each hop.
    static func report(
        headline: String, path: [ResolutionError.Hop], callSite: SourceLocation?, suggestions: [String]
    ) -> String {
        var lines = [headline]
        if let callSite { lines.append("Asked for at \(callSite).") }
        if !path.isEmpty {
            lines.append("Path:")
            lines += pathLines(path)
        }
        if !suggestions.isEmpty {
            lines.append("Suggestions:")
            lines += suggestions.map { "  - \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the lines of a path. A long path is cut in the middle, because its two ends are the most useful.
    private static func pathLines(_ path: [ResolutionError.Hop]) -> [String] {
        let shown = 12
        let lines = path.enumerated().map { index, hop in
            let location = hop.location.map { " (registered at \($0))" } ?? ""
            return index == 0 ? "     \(hop)\(location)" : "  -> \(hop)\(location)"
        }
        guard lines.count > 2 * shown else { return lines }
        return lines.prefix(shown) + ["     … \(lines.count - 2 * shown) more …"] + lines.suffix(shown)
    }

    // MARK: Suggestions

    static func isEmpty(_ resolver: String) -> String {
        "There are no registrations in \(resolver). Register services on it, or check that Resolver implements "
            + "registerAllServices and conforms to ResolverRegistering."
    }

    static func registeredUnderName(_ hop: ResolutionError.Hop) -> String {
        "\(hop.service) is registered under the name \"\(hop.name ?? "")\"\(at(hop)). Pass that name."
    }

    static func registeredWithoutName(_ hop: ResolutionError.Hop) -> String {
        "\(hop.service) is registered without a name\(at(hop)). Pass no name."
    }

    static func registeredByOwnType(_ hop: ResolutionError.Hop, askedAs service: String) -> String {
        "\(hop) is registered\(at(hop)) by its own type, and the call asks for it with a value of type \(service).Type. "
            + "Register it by \(hop.service).self as \(service).Type."
    }

    static func registeredUnwrapped(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)), but the call asked for an Optional of it: use optional(), or write the type without Optional."
    }

    static func registeredAsOptional(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)). Register the wrapped type itself."
    }

    static func conformingService(_ hop: ResolutionError.Hop, to type: String) -> String {
        "\(hop) is registered\(at(hop)) and is a \(type): add .implements(…) to it, or resolve it directly."
    }

    static func registeredAsProtocol(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)), and the requested type conforms to it or inherits from it. Resolve \(hop) instead."
    }

    static func similarName(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)) and has a similar name. Resolve it instead, or register the requested type."
    }

    static func registeredElsewhere(_ hop: ResolutionError.Hop, in resolver: String) -> String {
        "\(hop) is registered\(at(hop)) in \(resolver), which this resolver does not search. Register it "
            + "here, or resolve it there."
    }

    static func resolverLabel(isMain: Bool, isRoot: Bool, location: SourceLocation) -> String {
        if isMain { return "Resolver.main" }
        if isRoot { return "Resolver.root" }
        return "the resolver created at \(location)"
    }

    private static func at(_ hop: ResolutionError.Hop) -> String { hop.location.map { " at \($0)" } ?? "" }
}

/// The spelling of types in messages.
enum TypeName {
    /// Returns the name as 1.5.1 spelled it in its messages: `Service`.
    static func short(_ type: Any.Type) -> String { "\(type)" }

    /// Returns the name with its module, which distinguishes types of one simple name: `Shop.Service`.
    ///
    /// Swift writes private and local types as `Shop.(unknown context at $5581c8).Service`. The address differs in every run and is
    /// of no use to a reader, so it is left out.
    static func qualified(_ type: Any.Type) -> String {
        let full = String(reflecting: type)
        // To split a text takes longer than the rest of this function, and few names need it.
        guard full.utf8.contains(UInt8(ascii: "$")) else { return full }
        let parts = full.split(separator: "(", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { name, part in
            guard part.hasPrefix("unknown context at $"), let end = part.firstIndex(of: ")") else {
                return name += "(\(part)"
            }
            let rest = part[end...].dropFirst()
            name += rest.first == "." ? rest.dropFirst() : rest
        }
    }
}
