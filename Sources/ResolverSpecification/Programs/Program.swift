/// A program that uses containers in every way: its steps, and the steps of its callbacks.
public struct Program: Sendable {
    var recipes: [Recipe]
    var steps: [Step]
}

/// A description of a registration.
struct Recipe: Sendable {
    enum Ending: String, CaseIterable, Sendable {
        case makes, returnsNil, fails
    }

    var kind: Kind
    var name: String?
    /// Whether the factory is asynchronous.
    var isAsync = false
    var lifetime: Lifetime?
    var alias: Kind?
    var timeToLive: (seconds: Double, fromCreation: Bool)?
    var keepsForEachArgument = false
    /// The steps at the beginning of the factory.
    var body: [Step] = []
    /// Whether the factory fails if a service it resolves is missing.
    var isStrict = false
    var ending = Ending.makes
    /// The steps that complete the instance; nil if there are none.
    var completion: [Step]?
    var hooks: [[Step]] = []
    /// The steps in the `deinit` of the instance.
    var farewell: [Step] = []
}

/// One step of a program. Numbers are indices of the objects made so far, modulo their count.
indirect enum Step: Sendable {
    enum Change: Sendable {
        case lifetime(Lifetime)
        case timeToLive(Double, fromCreation: Bool)
        case forEachArgument
        case completion([Step])
        case hook([Step])
        case alias(Kind)
    }

    struct Request: Sendable {
        /// nil for the container that a callback receives.
        var container: Int?
        var kind: Kind
        var name: String?
        var argument: Int?
        /// The steps when the argument is first hashed or compared.
        var use: [Step] = []
        var isForExisting = false
        /// Whether it awaits asynchronous creation. Ignored in a callback that cannot wait.
        var isWaiting = false
    }

    case container
    case containerBefore(Int)
    case containerIsolating(Int)
    case add(Int, to: Int)
    case dropContainer(Int)
    case register(Int, recipe: Int)
    case registerInContext(ContextKind, recipe: Int)
    case change(registration: Int, Change)
    case ask(Request)
    case reset(Int, ResetPart)
    case resetEverywhere(Lifetime)
    case purge(Int)
    case wait(Double)
    case setCurrent(ContextKind, id: Int)
    case clear(ContextKind)
    case endContext(Int)
    case within(ContextKind, [Step])
    case inside(context: Int, [Step])
    case decorate([Step]?)
    /// Releases all returned instances.
    case letGo
}

// MARK: As text

extension Program: CustomStringConvertible {
    public var description: String {
        let recipes = recipes.enumerated().map { "recipe \($0): \($1)" }
        return (recipes + steps.map { "\($0)" }).joined(separator: "\n")
    }
}

extension Recipe: CustomStringConvertible {
    var description: String {
        var parts = ["\(kind)" + (name.map { ":\($0)" } ?? ""), "\(lifetime.map { "\($0)" } ?? "default")"]
        if isAsync { parts.append("asynchronous") }
        if let alias { parts.append("as \(alias)") }
        if let timeToLive {
            parts.append("lives \(timeToLive.seconds)\(timeToLive.fromCreation ? " from creation" : "")")
        }
        if keepsForEachArgument { parts.append("for each argument") }
        if !body.isEmpty { parts.append("\(isStrict ? "strictly " : "")does \(body)") }
        parts.append(ending.rawValue)
        if let completion { parts.append("completes \(completion)") }
        for hook in hooks { parts.append("hook \(hook)") }
        if !farewell.isEmpty { parts.append("deinit \(farewell)") }
        return parts.joined(separator: ", ")
    }
}

extension Step.Request: CustomStringConvertible {
    var description: String {
        let argument = argument.map { "(\($0)\(use.isEmpty ? "" : " does \(use)"))" } ?? ""
        return (container.map { "c\($0)" } ?? "handed") + (isForExisting ? " existing " : " ")
            + (isWaiting ? "await " : "") + "\(kind)"
            + (name.map { ":\($0)" } ?? "") + argument
    }
}
