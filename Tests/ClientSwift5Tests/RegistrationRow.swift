import Resolver
import XCTest

// One row of the registration tables, and the services that the rows register.

/// The kind of a registration.
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

/// A registration on three resolvers, so that calls do not find each other's instances: the first is asked on no actor,
/// the second on the main actor, the third asynchronously. The result is the service's label or the error's code.
private struct RegistrationRow<Service> {
    let kind: RegistrationKind
    let expected: String
    let name: Resolver.Name?
    let args: (any Sendable)?
    let line: UInt
    let file: StaticString
    let resolvers = [Resolver(), Resolver(), Resolver()]

    func check() async {
        let anywhere = await Task.detached {
            await answer { try resolvers[0].tryResolve(Service.self, name: name, args: args) }
        }.value
        expect(anywhere, kind.synchronously(expected, onTheMainActor: false))
        let onTheMainActor = await Task { @MainActor in
            await answer { try resolvers[1].tryResolve(Service.self, name: name, args: args) }
        }.value
        expect(onTheMainActor, kind.synchronously(expected, onTheMainActor: true))
        let asynchronously = await Task.detached {
            await answer { try await resolvers[2].resolveAsync(Service.self, name: name, args: args) }
        }.value
        expect(asynchronously, expected)
    }

    private func expect(_ answer: String, _ expected: String) {
        XCTAssertEqual(answer, expected, file: file, line: line)
    }
}

/// A row that a synchronous function registers, as apps do.
func row<Registered, Service>(
    _ kind: RegistrationKind, _ expected: String, as type: Service.Type, name: Resolver.Name? = nil,
    args: (any Sendable)? = nil, line: UInt = #line, file: StaticString = #filePath,
    _ register: (Resolver) -> ResolverOptions<Registered>
) {
    let row = RegistrationRow<Service>(
        kind: kind, expected: expected, name: name, args: args, line: line, file: file)
    for resolver in row.resolvers {
        resolver.register { Leaf() }
        _ = register(resolver)
    }
    let checked = XCTestExpectation(description: "all doors have answered")
    Task {
        await row.check()
        checked.fulfill()
    }
    XCTAssertEqual(XCTWaiter().wait(for: [checked], timeout: 600), .completed, file: file, line: line)
}

/// A row that is resolved by the type it is registered as.
func row<Service>(
    _ kind: RegistrationKind, _ expected: String, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
    line: UInt = #line, file: StaticString = #filePath, _ register: (Resolver) -> ResolverOptions<Service>
) {
    row(kind, expected, as: Service.self, name: name, args: args, line: line, file: file, register)
}

/// A row that an asynchronous function registers.
func row<Service>(
    _ kind: RegistrationKind, _ expected: String, line: UInt = #line, file: StaticString = #filePath,
    _ register: (Resolver) async -> ResolverOptions<Service>
) async {
    let row = RegistrationRow<Service>(
        kind: kind, expected: expected, name: nil, args: nil, line: line, file: file)
    for resolver in row.resolvers {
        resolver.register { Leaf() }
        _ = await register(resolver)
    }
    await row.check()
}

/// Runs in the caller's isolation.
nonisolated(nonsending) private func answer<Service>(_ ask: () async throws -> Service) async -> String {
    do {
        return (try await ask() as? any Labelled)?.label ?? "no label"
    } catch {
        return (error as? ResolutionError)?.code.description ?? "\(error)"
    }
}

// MARK: Services

/// A protocol that any task may use.
protocol Document: Labelled {}

/// A service that every kind of factory can create.
class Note: Document {
    let label: String

    init(_ label: String = "note") {
        self.label = label
    }

    /// Creates a note asynchronously.
    init(slowly label: String) async {
        await Task.yield()
        self.label = label
    }

    convenience init(on leaf: Leaf) {
        self.init("on a leaf")
    }

    @Sendable static func make() throws -> Note { Note("made") }

    @Sendable static func load() async throws -> Note { await Note(slowly: "loaded") }

    static func lose() async throws -> Note { throw Unplugged() }
}

/// An error of a factory.
struct Unplugged: Error {}

/// A service of the main actor.
@MainActor
final class Screen: Document {
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

/// A service of a global actor other than the main actor.
@Library
final class Book: Document {
    nonisolated let label: String

    init(_ label: String = "book") {
        self.label = label
    }

    static func fetch() async -> Book { Book() }
}

/// A service that is an actor.
actor Clerk: Document {
    let label = "clerk"

    func same<Value: Sendable>(_ value: Value) -> Value { value }
}

/// Returns its argument, and makes its caller asynchronous.
func same<Value: Sendable>(_ value: Value) async -> Value { value }

extension Resolver {
    /// "note", if the resolver has a leaf.
    var note: String { optional(Leaf.self) == nil ? "no leaf" : "note" }
}

extension AsyncStream<Int> {
    /// The numbers from 1 through `last`.
    init(counting last: Int) {
        self.init { continuation in
            for number in 1...last { continuation.yield(number) }
            continuation.finish()
        }
    }
}
