/// Every sentence that a user of the library can read. Each says what was asked, why it failed and what to do next.
enum Messages {
    // MARK: Headlines

    /// The first sentence is 1.5.1's, word for word: people search for it.
    private static func notResolved(_ type: Any.Type, _ name: Resolver.Name?) -> String {
        "RESOLVER: '\(TypeName.short(type)):\(name?.rawValue ?? "NONAME")' not resolved. "
            + "To disambiguate optionals use resolver.optional()."
    }

    private static func cannot(resolve service: ResolutionError.Hop) -> String {
        "RESOLVER: '\(service)' cannot be resolved: "
    }

    static func notRegistered(_ type: Any.Type, _ name: Resolver.Name?, _ missing: ResolutionError.Hop) -> String {
        notResolved(type, name) + "\nNothing is registered for \(missing)."
    }

    static func hidden(
        _ type: Any.Type, _ name: Resolver.Name?, _ service: ResolutionError.Hop, in scope: String, of kind: ScopeKind,
        from consumer: ResolutionError.Hop
    ) -> String {
        notResolved(type, name)
            + "\n\(service) is registered for \(scope) alone. It is hidden while \(consumer) is made, which lives longer and "
            + "would keep it."
            + "\nAsk for it where it is used, by @Inject or by resolve() in a method; or register \(consumer) with "
            + ".scoped(to: .\(kind))."
    }

    static func notOfTest(_ type: Any.Type, _ name: Resolver.Name?, registered: SourceLocation) -> String {
        "RESOLVER: '\(TypeName.short(type)):\(name?.rawValue ?? "NONAME")' is not the test's. "
            + "It was found where the app has registered it, \(registered). Register it in the test or its suite."
    }

    static func returnedNil(_ type: Any.Type, _ name: Resolver.Name?) -> String {
        notResolved(type, name)
            + "\nThe service is registered, but its factory returned nil. Use optional() if it may have nothing to give."
    }

    static func aliasIsNil(_ type: Any.Type, _ name: Resolver.Name?) -> String {
        notResolved(type, name)
            + "\nIt is registered by .implements, but what it stands for is nil or is no \(TypeName.short(type))."
    }

    static func scopeDeclined(_ type: Any.Type, _ name: Resolver.Name?, _ required: ScopeKind?) -> String {
        let reason =
            required.map {
                "The service is registered for scopes of the kind '\($0)' alone. None is current for the code that asks; or "
                    + "something that lives longer is being made, which gets nothing of such a scope."
            } ?? "The service is registered, but its scope returned nil without running the factory."
        return notResolved(type, name) + "\n" + reason
    }

    static func failed(_ type: Any.Type, _ name: Resolver.Name?, _ error: any Error) -> String {
        "RESOLVER: '\(TypeName.short(type)):\(name?.rawValue ?? "NONAME")' not resolved: its factory threw \(error)"
            + "\nNothing was kept; the next call runs the factory again."
    }

    static func cacheIsContainer(_ service: ResolutionError.Hop) -> String {
        cannot(resolve: service) + "the cache of its resolver is the container scope, which would ask itself."
            + "\nAssign a scope that keeps instances, such as ResolverScopeCache()."
    }

    static func scopeFailed(_ service: ResolutionError.Hop, _ error: any Error) -> String {
        cannot(resolve: service) + "its scope threw \(error)"
    }

    static func releaseFailed(_ service: ResolutionError.Hop, _ error: any Error) -> String {
        "RESOLVER: a release hook of '\(service)' threw \(error)\nThe instance was released all the same."
    }

    static func circle(_ path: [ResolutionError.Hop]) -> String {
        cannot(resolve: path[path.count - 1])
            + "making it needs the service itself (circular dependency)."
            + "\nBreak the ring: set one of the references in resolveProperties, or make one of them @LazyInjected."
    }

    static func tooDeep(_ path: [ResolutionError.Hop]) -> String {
        cannot(resolve: path[path.count - 1])
            + "\(path.count) factories are nested, and the stack of this thread is about to end."
            + "\nIf a service with arguments resolves itself, give it an end; if the chain is real, use a larger stack."
    }

    static func tooDeepInTask(_ path: [ResolutionError.Hop]) -> String {
        cannot(resolve: path[path.count - 1])
            + "\(path.count) asynchronous factories are nested."
            + "\nIf a service with arguments resolves itself, give it an end."
    }

    static func requiresAsync(_ service: ResolutionError.Hop, isKept: Bool) -> String {
        cannot(resolve: service) + "its factory is asynchronous, and "
            + (isKept ? "there is no instance yet." : "its scope keeps no instance.")
            + "\nResolve it with resolveAsync()"
            + (isKept ? " before, for instance when the app starts; " : "; ")
            + "or make the factory asynchronous that needs it, and await it there."
    }

    static func notBoundToProcess(_ kind: ScopeKind) -> String {
        "RESOLVER: '\(kind)' belongs to a task or thread: there is no current one for the process to be replaced."
    }

    static func scopeEnded(_ service: ResolutionError.Hop) -> String {
        cannot(resolve: service) + "the scope that it was being made for has ended."
    }

    static func replacementEnded(_ scope: String) -> String {
        "RESOLVER: \(scope) has not become current: it ended while replaceCurrent was preparing it."
            + "\nThe scope that was current before still is. Do not clear or end the new scope inside the closure."
    }

    static let unfinished = "RESOLVER: an asynchronous call has something to wait for, and then tries again."

    static func wrongIsolation(_ service: ResolutionError.Hop, actor: String) -> String {
        cannot(resolve: service) + "its factory is isolated to \(actor), and this call is not."
            + "\nResolve it in code that runs on that actor, or with resolveAsync(), where another service needs it in an "
            + "asynchronous factory."
    }

    static func argument(_ service: ResolutionError.Hop, _ problem: String) -> String {
        cannot(resolve: service) + problem
    }

    // MARK: Arguments

    static let noService = "a factory"

    static func missingArgument(_ key: String?, expected: Any.Type, passed: [String]) -> String {
        let wanted = key.map { "the argument \"\($0)\"" } ?? "an argument"
        let found = passed.isEmpty ? "none was passed" : "only \(list(passed)) were passed"
        return "its factory asks for \(wanted) of type \(TypeName.short(expected)), but \(found)."
            + "\nPass it: resolve(args: …)."
    }

    static func wrongArgument(_ key: String?, expected: Any.Type, actual: String) -> String {
        let wanted = key.map { "the argument \"\($0)\"" } ?? "its argument"
        return "its factory asks for \(wanted) as \(TypeName.short(expected)), but \(actual) was passed."
    }

    static func ambiguousArgument(_ keys: [String]) -> String {
        "its factory asks for the only argument, but several were passed: \(list(keys))."
            + "\nAsk for one by its key: args(\"\(keys.first ?? "key")\")."
    }

    static func argumentNotHashable(_ argument: Any) -> String {
        "it keeps an instance for each argument, and \(TypeName.short(type(of: argument))) cannot be compared."
            + "\nPass Hashable arguments that are equal to themselves, or do without scopeOnArguments()."
    }

    private static func list(_ keys: [String]) -> String {
        keys.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    // MARK: Paths

    static let bootstrap = "registerAllServices()"

    static func lazyProperty(of type: String) -> String {
        "lazy property of type \(type)"
    }

    static func childScope(of type: String) -> String {
        "child scope of type \(type)"
    }

    /// The whole text of an error: the headline, the path one line a hop, the call, the suggestions.
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

    /// A long path is cut in the middle: where it began and where it ended tell the story.
    private static func pathLines(_ path: [ResolutionError.Hop]) -> [String] {
        let shown = 12
        let lines = path.enumerated().map { index, hop in
            let place = hop.location.map { " (registered at \($0))" } ?? ""
            return index == 0 ? "     \(hop)\(place)" : "  -> \(hop)\(place)"
        }
        guard lines.count > 2 * shown else { return lines }
        return lines.prefix(shown) + ["     … \(lines.count - 2 * shown) more …"] + lines.suffix(shown)
    }

    // MARK: Scope trees

    static func ownerIsGone(_ child: Any.Type, _ owner: Any.Type) -> String {
        "RESOLVER: the child scope '\(TypeName.qualified(child))' cannot be made: its owner, of type "
            + "'\(TypeName.qualified(owner))', is gone."
            + "\nHold the owner for as long as its Weak(of:) is asked for children, or ask \"current\", which makes none."
    }

    static func childNeedsItself(_ circle: ResolutionError) -> String {
        "\(circle)\nA scope must not ask for itself while it is being made: what needs a child of its parent asks later, "
            + "for instance in a lazy property."
    }

    // MARK: Suggestions

    static func isEmpty(_ resolver: String) -> String {
        "There are no registrations at all in \(resolver): is there a registerAllServices, and does Resolver adopt "
            + "ResolverRegistering?"
    }

    static func registeredUnderName(_ hop: ResolutionError.Hop) -> String {
        "\(hop.service) is registered under the name \"\(hop.name ?? "")\"\(at(hop))."
    }

    static func registeredWithoutName(_ hop: ResolutionError.Hop) -> String {
        "\(hop.service) is registered without a name\(at(hop))."
    }

    static func registeredUnwrapped(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)), and an Optional of it was asked for: use optional(), or name the type."
    }

    static func registeredAsOptional(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)): its factory seems to be registered under the Optional type."
    }

    static func conformingService(_ hop: ResolutionError.Hop, to type: String) -> String {
        "\(hop) is registered\(at(hop)) and is a \(type): add .implements(…) to it, or ask for it directly."
    }

    static func registeredAsProtocol(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)), which the type asked for conforms to: ask for that."
    }

    static func similarName(_ hop: ResolutionError.Hop) -> String {
        "\(hop) is registered\(at(hop)) and has a similar name."
    }

    static func registeredElsewhere(_ hop: ResolutionError.Hop, in resolver: String) -> String {
        "\(hop) is registered\(at(hop)) in \(resolver), which this resolver does not search."
    }

    static func resolverLabel(isMain: Bool, isRoot: Bool, location: SourceLocation) -> String {
        if isMain { return "Resolver.main" }
        if isRoot { return "Resolver.root" }
        return "the resolver made at \(location)"
    }

    private static func at(_ hop: ResolutionError.Hop) -> String {
        hop.location.map { " at \($0)" } ?? ""
    }
}
