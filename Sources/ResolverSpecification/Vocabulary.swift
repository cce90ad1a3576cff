/// A feature that a container may have besides registering and resolving.
public enum Feature: String, CaseIterable, Sendable {
    case children, isolation, contexts, arguments, timeToLive, hooks, aliases, properties
    /// Services may be created asynchronously, and contexts distinguish tasks.
    case async
    /// Several threads may use a container at the same time.
    case threads
    /// A reset of a lifetime can reach all containers.
    case resetsEverywhere
    /// A reset of a lifetime in all containers leaves the instances of isolating containers.
    case isolationFromResets
    /// Instances of `.application` are shared by all containers on which one `register` call has run.
    case sharedSingletons
    /// Instances of `.application` outlive their containers.
    case lastingSingletons
    /// A container has a default lifetime for registrations that set none.
    case defaultLifetime
    /// A call may pass several keyed arguments of any types.
    case keyedArguments
    /// Release hooks may be asynchronous.
    case asyncHooks
    /// An observer receives the errors of release hooks.
    case reports
    /// A context may expire after some time.
    case expiringContexts
    /// A boundary may end all contexts that began inside it.
    case boundaries
    /// A context may be ended together with those that began in it.
    case cascades
    /// A context may be prepared before it replaces another.
    case replacement
}

/// The lifetime of an instance: its owner, and the time for which it is kept.
public enum Lifetime: Hashable, Sendable {
    case unique, graph, shared, cached, container, application
    /// A custom cache, of which there is one.
    case custom
    /// The lifetime of the current context of a kind. If the context is required, no instance is created without one.
    case context(ContextKind, isRequired: Bool)

    /// The lifetimes that do not use contexts.
    public static let plain: [Lifetime] = [.unique, .graph, .shared, .cached, .container, .application, .custom]
    /// The lifetimes that hold their instances strongly until they are reset.
    public static let strong: [Lifetime] = [.cached, .container, .application, .custom]
    /// The lifetimes that hand out an instance again while something holds it.
    static let keeping: [Lifetime] = strong + [.shared]
}

/// The kinds of contexts, the lowest rank first.
public enum ContextKind: String, CaseIterable, Sendable {
    /// Current for the running code.
    case request
    /// Current for the process.
    case screen, session
}

/// The synchronous functions that resolve.
public enum SyncFunction: String, CaseIterable, Sendable {
    case resolve, optional, tryResolve, existing
}

/// The asynchronous functions that resolve.
public enum AsyncFunction: String, CaseIterable, Sendable {
    case resolveAsync, optionalAsync
}

/// The instances that a reset of one container releases.
public enum ResetPart: Hashable, Sendable {
    case scopes, registrations, all
    case lifetime(Lifetime)
}

/// The reason why there is no service.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, by its name in the documentation.
    public let code: String
    /// The dependency path, the outermost step first: type, name after a colon, and line after an @.
    public internal(set) var path: [String]
    /// The error of a factory or a hook. Ignored when two failures are compared, as is `origin`.
    public var underlying: (any Error)?
    /// The library's own error, if it has one. An adapter throws it where a factory throws this failure.
    public var origin: (any Error)?

    public init(_ code: String, _ path: [String]) {
        self.code = code
        self.path = path
    }

    /// Returns this failure with the path of a waiter before its own. A dependency cycle does not change.
    func led(by path: [String]) -> Failure {
        if code == "circularDependency" { return self }
        var led = self
        led.path = path + self.path
        return led
    }

    public static func == (one: Failure, other: Failure) -> Bool { one.code == other.code && one.path == other.path }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(path)
    }

    public var description: String { "\(code): \(path.joined(separator: " -> "))" }
}

/// The argument of a factory: a number, and optionally code that runs when it is hashed or compared.
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

/// The arguments of a call that passes more than a number.
public enum PassedArguments: Sendable {
    case single(any Sendable)
    case keyed([String: any Sendable])
}

/// A promise of the documentation, with a check whether a library keeps the promise.
public struct Promise: Sendable, CustomStringConvertible {
    /// The promise as a sentence.
    public let description: String
    /// The source of the promise: a page in Docs, and optionally a heading.
    public let page: String
    /// The features that the check needs, besides registering and resolving.
    public let needs: Set<Feature>
    private let check: @Sendable (any SystemUnderTest) async throws -> Void

    /// - Parameter check: receives a new container, which most checks need.
    init(
        _ description: String, _ page: String, needs: Set<Feature> = [],
        _ check: @escaping @Sendable (any SystemUnderTest, _ container: any ContainerUnderTest) async throws -> Void
    ) {
        self.init(description, page, needs: needs, each: [()]) { system, container, _ in
            try await check(system, container)
        }
    }

    /// A promise about each of some cases, which the check receives with a new container.
    init<Case: Sendable>(
        _ description: String, _ page: String, needs: Set<Feature> = [], each cases: [Case],
        _ check: @escaping @Sendable (any SystemUnderTest, any ContainerUnderTest, Case) async throws -> Void
    ) {
        self.description = description
        self.page = page
        self.needs = needs
        self.check = { system in for one in cases { try await check(system, system.makeContainer(), one) } }
    }

    /// Returns this promise, with another feature that its check needs.
    func needing(_ feature: Feature) -> Promise { Promise(self, needs.union([feature])) }

    private init(_ promise: Promise, _ needs: Set<Feature>) {
        (description, page, check, self.needs) = (promise.description, promise.page, promise.check, needs)
    }

    /// Checks the promise. A broken promise is recorded as an issue of the running test.
    ///
    /// - Parameter system: a new system, in which no instance is kept and no context is current.
    public func verify(on system: any SystemUnderTest) async throws {
        guard needs.isSubset(of: system.features) else { return }
        try await check(system)
    }
}

/// The promises of the library.
public enum Specification {
    /// All promises, in the order of the documentation.
    public static var promises: [Promise] {
        keys + lifetimes + resetting + cycles + arguments + times + containers + failures + concurrency + contexts
            + asynchronous
    }
}
