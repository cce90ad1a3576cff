import Resolver
import Testing

// One row of the tables of registrations, and what is registered in them.

/// What a registration is taken for.
enum RegistrationKind {
    case plain, mainActor, library, asynchronous

    /// What a synchronous call is answered where `answer` is what the factory gives.
    fileprivate func synchronously(_ answer: String, onTheMainActor: Bool) -> String {
        switch self {
        case .plain: answer
        case .mainActor: onTheMainActor ? answer : "wrongIsolation"
        case .library: "wrongIsolation"
        case .asynchronous: "requiresAsync"
        }
    }
}

/// Registers on three resolvers, so that no call finds what another one made: the first is asked on no actor, the second
/// on the main actor, the third asynchronously. The answer is the label of the service, or the code of the error.
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
    #expect(anywhere == kind.synchronously(expected, onTheMainActor: false), sourceLocation: location)
    let onTheMainActor = await Task { @MainActor in
        await answer { try resolvers[1].tryResolve(type, name: name, args: args) }
    }.value
    #expect(onTheMainActor == kind.synchronously(expected, onTheMainActor: true), sourceLocation: location)
    let asynchronously = await Task.detached {
        await answer { try await resolvers[2].resolveAsync(type, name: name, args: args) }
    }.value
    #expect(asynchronously == expected, sourceLocation: location)
}

/// The same where the service is asked for by the type that it is registered as.
func row<Service: Sendable>(
    _ kind: RegistrationKind, _ expected: String, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
    at location: Testing.SourceLocation = #_sourceLocation,
    _ register: (Resolver) async throws -> ResolverOptions<Service>
) async rethrows {
    try await row(kind, expected, as: Service.self, name: name, args: args, at: location, register)
}

/// Runs where the caller runs.
nonisolated(nonsending) private func answer<Service>(_ ask: () async throws -> Service) async -> String {
    do {
        return (try await ask() as? any Labelled)?.label ?? "no label"
    } catch {
        return (error as? ResolutionError)?.code.description ?? "\(error)"
    }
}

// MARK: What is registered

/// A contract that any task may use.
nonisolated protocol Document: Labelled, Sendable {}

/// A service that can be had in every way.
nonisolated final class Note: Document {
    let label: String

    init(_ label: String = "note") {
        self.label = label
    }

    /// A note that takes its time.
    init(slowly label: String) async {
        await Task.yield()
        self.label = label
    }

    convenience init(on leaf: Leaf) {
        self.init("on a leaf")
    }

    static func make() throws -> Note { Note("made") }

    static func load() async throws -> Note { await Note(slowly: "loaded") }

    static func lose() async throws -> Note { throw Unplugged(socket: 1) }
}

/// A service of the main actor.
@MainActor
final class Screen: nonisolated Document {
    nonisolated let label: String
    var reads = ""

    init(_ label: String = "screen") {
        self.label = label
    }

    static func open(_ label: String = "screen") async -> Screen { Screen(label) }
}

@globalActor
actor Library {
    static let shared = Library()
}

/// A service of another actor than the main one.
@Library
final class Book: nonisolated Document {
    nonisolated let label: String

    init(_ label: String = "book") {
        self.label = label
    }

    static func fetch() async -> Book { Book() }
}

/// A service that is an actor itself.
actor Clerk {
    let label = "clerk"

    func same<Value: Sendable>(_ value: Value) -> Value { value }
}

extension Clerk: nonisolated Document {}

/// Gives back what it got, and makes what calls it asynchronous.
nonisolated func same<Value: Sendable>(_ value: Value) async -> Value { value }

nonisolated extension Resolver {
    /// "note", for a resolver that knows a leaf.
    var note: String { optional(Leaf.self) == nil ? "no leaf" : "note" }
}

nonisolated extension AsyncStream<Int> {
    /// The numbers from 1 to `last`.
    init(counting last: Int) {
        self.init { continuation in
            for number in 1...last { continuation.yield(number) }
            continuation.finish()
        }
    }
}
