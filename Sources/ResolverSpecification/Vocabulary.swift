/// What a container may be able to do besides registering and resolving.
public enum Feature: String, CaseIterable, Sendable {
    case children, isolation, contexts, arguments, timeToLive, hooks, aliases, properties
    /// Services may be made asynchronously, and contexts know tasks from each other.
    case async
    /// Several threads may use it at the same time.
    case threads
    /// Resetting a lifetime reaches all containers.
    case resetsEverywhere
    /// A reset of a lifetime everywhere leaves what isolating containers keep.
    case isolationFromResets
    /// What `.application` keeps is shared by all containers on which the same call of `register` has run.
    case sharedSingletons
    /// What `.application` keeps outlives these containers.
    case lastingSingletons
    /// A container has a lifetime for registrations that set none.
    case defaultLifetime
    /// A call may pass several arguments, each with a key, and any types of them.
    case keyedArguments
    /// Release hooks may be asynchronous.
    case asyncHooks
    /// An observer is told what release hooks throw.
    case reports
    /// A context may end by itself after some time.
    case expiringContexts
    /// A piece of code may end all contexts that it has begun.
    case boundaries
    /// A context may be ended together with those that began in it.
    case cascades
    /// A context may be prepared before it takes the place of another.
    case replacement
}

/// Who keeps an instance, and for how long.
public enum Lifetime: Hashable, Sendable {
    case unique, graph, shared, cached, container, application
    /// A cache of the user's: there is one.
    case custom
    /// As long as the current context of a kind; nothing is made without one, if it is required.
    case context(ContextKind, isRequired: Bool)

    /// Those that have nothing to do with contexts.
    public static let plain: [Lifetime] = [.unique, .graph, .shared, .cached, .container, .application, .custom]
    /// Those that hold what they keep until they are reset.
    public static let strong: [Lifetime] = [.cached, .container, .application, .custom]
}

/// The kinds of contexts, the one with the lowest rank first.
public enum ContextKind: String, CaseIterable, Sendable {
    /// Current for the running code.
    case request
    /// Current for the process.
    case screen, session
}

/// The synchronous ways to ask.
public enum Door: String, CaseIterable, Sendable {
    case resolve, optional, tryResolve, existing
}

/// The ways to ask in asynchronous code.
public enum AsyncDoor: String, CaseIterable, Sendable {
    case resolveAsync, optionalAsync
}

/// What a reset of one container lets go of.
public enum ResetPart: Hashable, Sendable {
    case scopes, registrations, all
    case lifetime(Lifetime)
}

/// Why there is no service.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, by its name in the documents.
    public let code: String
    /// What was being made, the outermost first: type, name after a colon, and line after an @.
    public internal(set) var path: [String]
    /// What a factory or a hook has thrown. It does not count when two failures are compared, nor does `origin`.
    public var underlying: (any Error)?
    /// The library's own error, if it has one. An adapter throws it on where a factory throws this failure.
    public var origin: (any Error)?

    public init(_ code: String, _ path: [String]) {
        self.code = code
        self.path = path
    }

    /// This failure, as it is for what has waited in the middle of making something else. A circle does not depend on that.
    func led(by path: [String]) -> Failure {
        if code == "circularDependency" { return self }
        var led = self
        led.path = path + self.path
        return led
    }

    public static func == (one: Failure, other: Failure) -> Bool {
        one.code == other.code && one.path == other.path
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(path)
    }

    public var description: String { "\(code): \(path.joined(separator: " -> "))" }
}

/// What is passed to a factory: a number, and perhaps code that runs when it is hashed or compared.
public struct Argument: Hashable, Sendable, CustomStringConvertible {
    public let value: Int
    private let isUsed: (@Sendable () -> Void)?

    public init(_ value: Int, isUsed: (@Sendable () -> Void)? = nil) {
        self.value = value
        self.isUsed = isUsed
    }

    public static func == (one: Argument, other: Argument) -> Bool {
        other.isUsed?()
        return one.value == other.value
    }

    public func hash(into hasher: inout Hasher) {
        isUsed?()
        hasher.combine(value)
    }

    public var description: String { String(value) }
}

/// What a call passes, where that is more than a number.
public enum PassedArguments: Sendable {
    case single(any Sendable)
    case keyed([String: any Sendable])
}

/// A promise of the documents, and how to find out whether a library keeps it.
public struct Promise: Sendable, CustomStringConvertible {
    /// What is promised, as a sentence.
    public let description: String
    /// Where the documents say so: a page in Docs, and perhaps a heading in it.
    public let page: String
    /// What a library has to be able to do besides registering and resolving.
    public let needs: Set<Feature>
    private let check: @Sendable (any SystemUnderTest) async throws -> Void

    init(
        _ description: String, _ page: String, needs: Set<Feature> = [],
        _ check: @escaping @Sendable (any SystemUnderTest) async throws -> Void
    ) {
        self.description = description
        self.page = page
        self.needs = needs
        self.check = check
    }

    /// Tries it. What is not as promised is recorded as an issue of the running test.
    ///
    /// - Parameter system: a new one, in which nothing is kept and no context is current.
    public func verify(on system: any SystemUnderTest) async throws {
        guard needs.isSubset(of: system.features) else { return }
        try await check(system)
    }
}

/// What the library promises.
public enum Specification {
    /// All of it, in the order of the documents.
    public static var promises: [Promise] {
        keys + lifetimes + resetting + cycles + arguments + times + containers + failures + concurrency + contexts
            + asynchronous
    }
}
