import Resolver
import Testing

// One row of the registration tables, and the services that the rows register.

/// Registers on a new resolver that has a leaf, and expects a service with this label, and this count, from a call.
func row<Service>(
    _ label: String, count: Int? = nil, as type: Service.Type = Page.self, name: Resolver.Name? = nil, args: Any? = nil,
    at location: Testing.SourceLocation = #_sourceLocation, _ register: (Resolver) -> Void
) {
    let resolver = Resolver()
    resolver.register { Leaf() }
    register(resolver)
    let found = resolver.resolve(type, name: name, args: args)
    expect((found as? Labelled)?.label, is: label, sourceLocation: location)
    if let count { expect((found as? Counting)?.count, is: count, sourceLocation: location) }
}

enum RegistrationKind {
    case plain, mainActor, library, asynchronous

    /// The result of a synchronous call if the factory returns `answer`.
    fileprivate func synchronously(_ answer: String, onTheMainActor: Bool) -> String {
        switch self {
        case .plain: answer
        case .mainActor: onTheMainActor ? answer : "wrongIsolation"
        case .library: "wrongIsolation"
        case .asynchronous: "requiresAsync"
        }
    }
}

/// Registers on three resolvers, so that calls do not find each other's instances: the first is asked on no actor, the
/// second on the main actor, the third asynchronously. The result is the service's label or the error's code.
func row<Registered, Service: Sendable>(
    _ kind: RegistrationKind, _ expected: String, as type: Service.Type, name: Resolver.Name? = nil,
    args: (any Sendable)? = nil, at location: Testing.SourceLocation = #_sourceLocation,
    _ register: (Resolver) async throws -> ResolverOptions<Registered>
) async rethrows {
    let resolvers = [Resolver(), Resolver(), Resolver()]
    for resolver in resolvers {
        resolver.register { Leaf() }
        _ = try await register(resolver)
    }
    let anywhere = await Task.detached {
        await answer { try resolvers[0].tryResolve(type, name: name, args: args) }
    }.value
    expect(anywhere, is: kind.synchronously(expected, onTheMainActor: false), sourceLocation: location)
    let onTheMainActor = await Task { @MainActor in
        await answer { try resolvers[1].tryResolve(type, name: name, args: args) }
    }.value
    expect(onTheMainActor, is: kind.synchronously(expected, onTheMainActor: true), sourceLocation: location)
    let asynchronously = await Task.detached {
        await answer { try await resolvers[2].resolveAsync(type, name: name, args: args) }
    }.value
    expect(asynchronously, is: expected, sourceLocation: location)
}

/// A row that is resolved by the type it is registered as.
func row<Service: Sendable>(
    _ kind: RegistrationKind, _ expected: String, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
    at location: Testing.SourceLocation = #_sourceLocation,
    _ register: (Resolver) async throws -> ResolverOptions<Service>
) async rethrows { try await row(kind, expected, as: Service.self, name: name, args: args, at: location, register) }

/// Runs in the caller's isolation.
nonisolated(nonsending) private func answer<Service>(_ ask: () async throws -> Service) async -> String {
    do {
        return (try await ask() as? any Labelled)?.label ?? "no label"
    } catch {
        return (error as? ResolutionError)?.code.description ?? "\(error)"
    }
}

/// A protocol that any task may use.
nonisolated protocol Document: Labelled, Sendable {}

/// A service that every kind of factory can create.
nonisolated final class Note: Document {
    let label: String
    init(_ label: String = "note") { self.label = label }

    init(slowly label: String) async {
        await Task.yield()
        self.label = label
    }

    convenience init(on leaf: Leaf) { self.init("on a leaf") }

    @Sendable static func make() throws -> Note { Note("made") }

    @Sendable static func load() async throws -> Note { await Note(slowly: "loaded") }

    static func lose() async throws -> Note { throw Unplugged(socket: 1) }
}

@MainActor final class Screen: nonisolated Document {
    nonisolated let label: String
    var reads = ""

    init(_ label: String = "screen") { self.label = label }

    static func open(_ label: String = "screen") async -> Screen { Screen(label) }
}

@globalActor actor Library { static let shared = Library() }

/// A service of a global actor other than the main actor.
@Library final class Book: nonisolated Document {
    nonisolated let label: String

    init(_ label: String = "book") { self.label = label }

    static func fetch() async -> Book { Book() }
}

actor Clerk {
    let label = "clerk"

    func same<Value: Sendable>(_ value: Value) -> Value { value }
}

extension Clerk: nonisolated Document {}

/// Returns its argument, and makes its caller asynchronous.
nonisolated func same<Value: Sendable>(_ value: Value) async -> Value { value }

nonisolated extension Resolver {
    /// "note", if the resolver has a leaf.
    var note: String { optional(Leaf.self) == nil ? "no leaf" : "note" }
}

nonisolated extension AsyncStream<Int> {
    init(counting last: Int) {
        self.init { continuation in
            for number in 1...last { continuation.yield(number) }
            continuation.finish()
        }
    }
}
