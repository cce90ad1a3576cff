import ConcurrencySupport
import Testing

// The services that promises register.

/// A protocol that a leaf conforms to.
protocol Role: AnyObject, Sendable {}

/// A protocol that no service conforms to.
protocol Vacancy {}

/// An object without dependencies.
final class Leaf: Role {}

final class OtherLeaf: Sendable {}

/// An object with two dependencies.
final class Pair: Sendable {
    let first: Leaf
    let second: Leaf

    init(_ first: Leaf, _ second: Leaf) {
        self.first = first
        self.second = second
    }
}

/// An object that holds another one.
final class Holder<Part: Sendable>: Sendable {
    let part: Part

    init(_ part: Part) { self.part = part }
}

/// Two objects that refer to each other.
final class Parent: @unchecked Sendable {
    var child: Child?
}

final class Child: @unchecked Sendable {
    weak var parent: Parent?
}

/// An object with a number for identification.
final class Numbered: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

/// A value with a number for identification.
struct Price: Equatable {
    let number: Int
}

/// An object that reports its `deinit`.
final class Mortal: Sendable {
    private let goes: @Sendable () -> Void

    init(_ goes: @escaping @Sendable () -> Void) { self.goes = goes }

    deinit { goes() }
}

/// An error of a factory.
struct Mishap: Error, Equatable {}

/// A list of events in order.
typealias Log = Box<[String]>

extension Box<[String]> {
    convenience init() { self.init([]) }

    func note(_ event: String) { update { $0.append(event) } }
}

/// A count of events.
typealias Counter = Box<Int>

extension Box<Int> {
    convenience init() { self.init(0) }
}

extension Failure {
    /// The types on its path, without names and lines.
    var types: [String] { path.map { step in String(step.prefix { $0 != ":" && $0 != "@" }) } }
}

extension ContainerUnderTest {
    /// Registers a leaf, and returns its registration.
    func registerLeaf(_ lifetime: Lifetime, name: String? = nil, line: UInt = #line)
        -> any RegistrationUnderTest<Leaf>
    {
        return register(name: name, line: line) { Leaf() }.with(lifetime)
    }

    /// Registers numbered objects. The first one made has the number 1.
    @discardableResult
    func registerNumbered(_ lifetime: Lifetime, name: String? = nil, line: UInt = #line)
        -> any RegistrationUnderTest<Numbered>
    {
        let counter = Counter()
        return register(name: name, line: line) { Numbered(counter.increment()) }.with(lifetime)
    }

    /// Registers objects that are numbered by the argument of the call, or -1 without one.
    @discardableResult
    func registerByArgument(_ lifetime: Lifetime, line: UInt = #line) -> any RegistrationUnderTest<Numbered> {
        return register(Numbered.self, name: nil, line: line) { _, argument in
            Numbered(argument?.value ?? -1)
        }.with(lifetime)
    }

    /// Returns the number of the object that a call gets.
    func number(_ argument: Argument? = nil, name: String? = nil) throws -> Int {
        try get(Numbered.self, name: name, argument).number
    }

    /// Returns the failure of a call that must fail.
    func failure<Service>(of type: Service.Type, name: String? = nil, _ argument: Argument? = nil) throws -> Failure {
        try #require(throws: Failure.self) { try self.get(type, name: name, argument) }
    }
}

// Modifiers that return the registration, for further ones after them.
extension RegistrationUnderTest {
    func with(_ lifetime: Lifetime) -> Self {
        setLifetime(lifetime)
        return self
    }

    func keptForEachArgument() -> Self {
        keepForEachArgument()
        return self
    }

    func expiring(_ seconds: Double, fromCreation: Bool) -> Self {
        setTimeToLive(seconds, fromCreation: fromCreation)
        return self
    }
}

extension SystemUnderTest {
    /// Runs synchronous code in a context that ends with it. In asynchronous code, `withContext` is the other overload.
    func within(_ kind: ContextKind, id: String, _ body: () throws -> Void) rethrows {
        try withContext(kind, id: id, body)
    }
}

extension ContainerUnderTest {
    /// Returns the service by an asynchronous call.
    ///
    /// - Throws: `Failure`, or a `CancellationError`.
    func getAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: String? = nil, _ argument: Argument? = nil
    ) async throws -> Service { try #require(try await askAsync(.resolveAsync, type, name: name, argument)) }

    /// Returns the failure of an asynchronous call that must fail.
    func failureAsync<Service: Sendable>(of type: Service.Type, name: String? = nil) async throws -> Failure {
        try await #require(throws: Failure.self) { _ = try await self.getAsync(type, name: name) }
    }

    /// Registers numbered objects that are made asynchronously. The first one made has the number 1.
    @discardableResult
    func registerNumberedAsync(_ lifetime: Lifetime, line: UInt = #line) -> any RegistrationUnderTest<Numbered> {
        let counter = Counter()
        return registerAsync(Numbered.self, name: nil, line: line) { _, _ in
            await Task.yield()
            return Numbered(counter.increment())
        }.with(lifetime)
    }
}
