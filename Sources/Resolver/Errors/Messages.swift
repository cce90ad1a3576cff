/// The texts that users of the library read.
///
/// A text says what failed, then why, then what to write instead. `report` adds the call, the path and the suggestions.
enum Messages {
    // MARK: Services

    /// Returns the sentence of 1.5.1, word for word, because people search for it.
    private static func notResolved(_ type: Any.Type, _ name: Resolver.Name?) -> String {
        "RESOLVER: '\(TypeName.short(type)):\(name?.rawValue ?? "NONAME")' not resolved. "
            + "To disambiguate optionals use resolver.optional()."
    }

    /// Returns the first line of an error whose service is registered.
    @inline(never)
    static func cannot(resolve service: ResolutionError.Hop) -> String {
        "RESOLVER: '\(service)' cannot be resolved.\n"
    }

    static func notRegistered(_ type: Any.Type, _ name: Resolver.Name?, _ missing: ResolutionError.Hop) -> String {
        notResolved(type, name) + "\nNothing is registered for \(missing)."
    }

    static func hidden(
        _ type: Any.Type, _ name: Resolver.Name?, _ service: ResolutionError.Hop, in scope: String, of kind: ScopeKind,
        from consumer: ResolutionError.Hop
    ) -> String {
        notResolved(type, name)
            + "\n\(service) is registered only for \(scope). That scope is \(hidden(kind, from: consumer))"
    }

    /// Returns the reason why a consumer does not see the scopes of a kind, and the advice.
    ///
    /// - Parameter consumer: a registration; or `registerAllServices`, which has no location.
    private static func hidden(_ kind: ScopeKind, from consumer: ResolutionError.Hop) -> String {
        let isService = consumer.location != nil
        return
            "hidden while \(consumer) \(isService ? "is created" : "runs"), because \(consumer) lives longer and must not "
            + "capture it.\nResolve it where it is used, with @Inject or with resolve() in a method"
            + (isService ? "; or register \(consumer) with \(kind.modifier)." : ".")
    }

    static func notOfTest(_ type: Any.Type, _ name: Resolver.Name?, registered: SourceLocation) -> String {
        "RESOLVER: '\(TypeName.short(type)):\(name?.rawValue ?? "NONAME")' is not registered by the test or its suite."
            + "\nThe call used the app's registration at \(registered)."
            + "\nRegister the service in the test or its suite."
    }

    static func returnedNil(_ type: Any.Type, _ name: Resolver.Name?) -> String {
        notResolved(type, name)
            + "\nThe service is registered, but its factory returned nil."
            + "\nIf nil is expected, use optional()."
    }

    static func aliasIsNil(_ type: Any.Type, _ name: Resolver.Name?) -> String {
        notResolved(type, name)
            + "\nThe type is registered with .implements, but its service is no longer registered, is nil, or is not a "
            + "\(TypeName.short(type)) for code of this actor, or its scope returned nil."
            + "\nCheck that the service is registered and conforms, and that its scope is open. If nil is expected, use optional()."
    }

    static func scopeDeclined(_ type: Any.Type, _ name: Resolver.Name?, _ required: ScopeKind?) -> String {
        let reason =
            required.map {
                "The service needs a \($0) scope. None is active here, or a longer-lived service is being created and must not "
                    + "capture one."
                    + "\nPut the code into \($0.block). Detached tasks, threads and callbacks inherit "
                    + "no scope. A longer-lived service resolves it where it is used, with @Inject or with resolve() in a method."
            }
            ?? "The service is registered, but its scope returned nil."
            + "\nCheck what the scope returns from resolve(registration:resolver:args:)."
        return notResolved(type, name) + "\n" + reason
    }

    static func failed(_ type: Any.Type, _ name: Resolver.Name?, _ error: any Error, isMade: Bool) -> String {
        "RESOLVER: '\(TypeName.short(type)):\(name?.rawValue ?? "NONAME")' not resolved."
            + "\nIts \(isMade ? "resolveProperties block" : "factory") threw \(error)"
            + "\nNothing was kept. The next call runs the factory again."
            + "\n\(handling)"
    }

    /// The advice for an error of the user's own code.
    private static let handling =
        "To handle the error, call tryResolve() or resolveAsync(), and read it from underlying."

    static func cacheIsContainer(_ service: ResolutionError.Hop) -> String {
        cannot(resolve: service)
            + "The cache of its resolver is the container scope, which would use itself as its cache."
            + "\nAssign a scope that keeps instances, such as ResolverScopeCache()."
    }

    static func scopeFailed(_ service: ResolutionError.Hop, _ error: any Error) -> String {
        cannot(resolve: service)
            + "Its scope threw \(error)"
            + "\n\(handling)"
    }

    static func releaseFailed(_ service: ResolutionError.Hop, _ error: any Error) -> String {
        "RESOLVER: a release hook of '\(service)' threw \(error)"
            + "\nThe scope has released the instance anyway."
            + "\nCatch the error inside the hook, because no call throws it."
    }

    /// - Parameter unique: a unique service of the cycle that sets references in resolveProperties already.
    static func dependencyCycle(_ path: [ResolutionError.Hop], unique: ResolutionError.Hop?) -> String {
        let scope = unique.map {
            "\n'\($0)' is unique, so no reference that its resolveProperties sets can lead back to it. "
                + "Give it another scope, such as .graph."
        }
        return cannot(resolve: path[path.count - 1]) + "Its creation needs the service itself (circular dependency)."
            + "\nBreak the dependency cycle: set one of the references in resolveProperties, or make one of them "
            + "@LazyInjected." + (scope ?? "")
    }

    /// - Parameter path: the nested factories; the service alone if the outermost call has too little stack.
    static func tooDeep(_ path: [ResolutionError.Hop]) -> String {
        // For a path that is too short to exhaust a stack.
        let hint = "If a decorator, a clock or a deinit resolves the service that calls it, leave that service out. "
        return cannot(resolve: path[path.count - 1])
            + "The thread's stack is nearly exhausted"
            + (path.count > 1 ? ": \(path.count) factories are nested." : ".")
            + "\nIf a service with arguments resolves itself, add a base case to the recursion. "
            + (path.count < 10 ? hint : "") + "Otherwise use a thread with a larger stack."
    }

    static func tooDeepInTask(_ path: [ResolutionError.Hop]) -> String {
        cannot(resolve: path[path.count - 1])
            + "\(path.count) asynchronous factories are nested."
            + "\nIf a service with arguments resolves itself, add a base case to the recursion."
    }

    /// - Parameter reason: why no instance is kept: one of the texts below.
    static func requiresAsync(_ service: ResolutionError.Hop, _ reason: String) -> String {
        cannot(resolve: service) + "Its factory is asynchronous, and " + reason
    }

    static let notKeptYet =
        "no instance is kept yet.\nCall `await resolveAsync()` first, for example at app start; \(orAwait)"
    static let neverKept = "its scope keeps no instance.\nCall `await resolveAsync()` instead; \(orAwait)"
    /// Its scope keeps no instance if that is a value.
    static let notKept = "no instance is kept.\nCall `await resolveAsync()` instead; \(orAwait)"

    static func notKept(without kind: ScopeKind) -> String {
        "no \(kind) scope is active here to keep its instance."
            + "\nPut the code into \(kind.block), and call `await resolveAsync()` there first; \(orAwait)"
    }

    /// - Parameter consumer: the service during whose creation the scope is hidden.
    static func notKept(in kind: ScopeKind, hiddenFrom consumer: ResolutionError.Hop) -> String {
        "the \(kind) scope that keeps its instance is \(hidden(kind, from: consumer))"
    }

    private static let orAwait = "or make the factory that needs the service asynchronous, and await the service there."

    static func notBoundToProcess(_ kind: ScopeKind) -> String {
        "RESOLVER: replaceCurrent cannot replace a scope of the kind '\(kind)'."
            + "\nScopes of this kind belong to a task or thread, not to the process."
            + "\nUse withScope, or setCurrent and clear."
    }

    static func scopeEnded(_ service: ResolutionError.Hop) -> String {
        cannot(resolve: service)
            + "Its scope ended while the instance was being created."
            + "\nAwait the call before the scope ends."
    }

    static func replacementEnded(_ scope: String) -> String {
        "RESOLVER: \(scope) has not become current."
            + "\nIt ended while replaceCurrent was preparing it. The previous scope is still current."
            + "\nDo not clear or end the new scope inside the closure."
    }

    /// The text of an error that only custom scopes see.
    static let unfinished = "RESOLVER: an asynchronous call must wait before it can try again."

    static func wrongIsolation(_ service: ResolutionError.Hop, actor: String) -> String {
        cannot(resolve: service)
            + "It is created on \(actor), and this call does not run there."
            + "\nResolve it in code that runs on that actor, or call `await resolveAsync()`. A factory that needs the service "
            + "can be asynchronous and await it."
    }

    static func severalActors(_ service: ResolutionError.Hop, _ actors: [String], isAsync: Bool) -> String {
        cannot(resolve: service)
            + "\(isAsync ? "Its" : "Together, its factory and its") `resolveProperties` blocks belong to "
            + "\(actors.joined(separator: " and ")), and no call can run on all of them."
            + "\nIsolate them to one actor, or set the properties in \(isAsync ? "the" : "an") asynchronous factory."
    }

    // MARK: Arguments

    /// The service named in an error that occurs outside of any factory.
    static let noService = "a factory"

    /// - Parameter passed: the keys of the arguments; nil for one argument without a key.
    static func missingArgument(_ key: String?, expected: Any.Type, passed: [String]?) -> String {
        let wanted = key.map { "the argument \"\($0)\"" } ?? "an argument"
        let found = passed.map { $0.isEmpty ? "none" : "only \(list($0))" } ?? "an argument without a key"
        let argument = key.map { "[\"\($0)\": …]" } ?? "…"
        return "Its factory needs \(wanted) of type \(TypeName.short(expected)), but the call passed \(found)."
            + "\nPass it: resolve(args: \(argument))."
    }

    /// - Parameter actual: nil if nil was passed.
    static func wrongArgument(_ key: String?, expected: Any.Type, actual: Any.Type?) -> String {
        let wanted = key.map { "the argument \"\($0)\"" } ?? "the argument"
        // Two modules may have a type of one name each.
        let name = actual.map(TypeName.short) == TypeName.short(expected) ? TypeName.qualified : TypeName.short
        let (needed, passed) = (name(expected), actual.map(name) ?? "nil")
        let isLocal = passed == needed
        let given = isLocal ? "another type of that name" : passed
        return "Its factory needs \(wanted) as \(needed), but \(given) was passed."
            + "\nPass a value of type \(needed)\(isLocal ? ", the private or local type that the factory names" : "")."
    }

    static func wrongKey(of argument: Any, _ keys: [String], _ type: Any.Type) -> String {
        let passed =
            keys.count > 1
            ? "several arguments: \(list(keys))" : "an argument of type \(TypeName.short(Swift.type(of: argument)))"
        return "Its scope keeps one instance for each \(TypeName.short(type)), but the call passed \(passed)."
            + "\nPass one \(TypeName.short(type)), or keep an instance for any arguments with scopeOnArguments()."
    }

    static func ambiguousArgument(_ keys: [String]) -> String {
        "Its factory asks for the only argument, but the call passed several: \(list(keys))."
            + "\nAsk for one by its key: args(\"\(keys.first ?? "key")\")."
    }

    static func argumentNotHashable(_ argument: Any) -> String {
        "Its scope keeps one instance for each argument, but this \(TypeName.short(type(of: argument))) is not Hashable for code of this "
            + "actor, or is not equal to itself."
            + "\nPass Hashable arguments that are equal to themselves, or remove scopeOnArguments()."
    }

    private static func list(_ keys: [String]) -> String { keys.map { "\"\($0)\"" }.joined(separator: ", ") }

    // MARK: Paths

    static let bootstrap = "registerAllServices()"

    static func lazyProperty(of type: String) -> String { "lazy property of type \(type)" }

    static func childScope(of type: String) -> String { "child scope of type \(type)" }

    // MARK: Scope trees

    static func ownerIsGone(_ child: Any.Type, _ owner: Any.Type) -> String {
        "RESOLVER: the child scope '\(TypeName.qualified(child))' cannot be created."
            + "\nIts owner, of type '\(TypeName.qualified(owner))', has been released."
            + "\nKeep a reference to the owner while Weak(of:) creates children, or read current, which creates none."
    }

    static func childNeedsItself(_ error: ResolutionError) -> String {
        "\(error)"
            + "\nA scope must not ask for itself while it is being created. Read a child of its parent later, for example "
            + "in a lazy property."
    }

    static func heldScopeNeedsItself(_ scope: Any.Type) -> String {
        "RESOLVER: the scope '\(TypeName.qualified(scope))' of a @HeldScope property cannot be created."
            + "\nIts expression reads the same property."
            + "\nWrite an expression that does not use the property."
    }

    // MARK: Wiring

    /// Returns the type as it is written in code, and its name in quotes if it has one.
    static func service(_ type: Any.Type, _ name: Resolver.Name?) -> String {
        TypeName.qualified(type) + (name.map { " \"\($0.rawValue)\"" } ?? "")
    }

    static func tooManyParameters(_ service: Any.Type, _ tuple: Any.Type, _ location: SourceLocation) -> String {
        "RESOLVER: autoregister at \(location) cannot create '\(TypeName.qualified(service))' from \(tuple)."
            + "\nIt takes initializers with up to ten parameters, none of which is a tuple."
            + "\nWrite register { resolver in … }, and .needs(…) for verify()."
    }
}
