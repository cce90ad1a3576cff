/// A library of containers on which the specification is run: what its containers have in common.
///
/// Write one of these for your library, and run `Specification.promises` on it. Where a container has no such thing as a
/// function asks for, leave its feature out of `features`: the promises that need it are skipped.
public protocol SystemUnderTest: AnyObject, Sendable {
    /// What the containers can do.
    var features: Set<Feature> { get }

    /// A new container, empty, that finds what is registered on it.
    func makeContainer() -> any ContainerUnderTest

    /// A new container that searches itself first, then `parent`.
    func makeContainer(before parent: any ContainerUnderTest) -> any ContainerUnderTest

    /// A new container that finds what `parent` finds and keeps what is made through it to itself.
    func makeContainer(isolating parent: any ContainerUnderTest) -> any ContainerUnderTest

    /// Lets go of what a lifetime keeps in all containers.
    func reset(_ lifetime: Lifetime)

    /// Lets go of what a lifetime keeps in all containers, and returns when the release hooks have run.
    func resetAndWait(_ lifetime: Lifetime) async

    /// Sets the time, in seconds, that times to live are counted by. It starts at zero.
    func setTime(_ seconds: Double)

    /// Has `observer` called with what is handed out; nil ends that.
    func decorate(_ observer: (@Sendable (Any) -> Void)?)

    /// Has `observer` called with the failures of release hooks; nil ends that. For `.reports`.
    func report(_ observer: (@Sendable (Failure) -> Void)?)

    /// Adds an asynchronous release hook. For `.asyncHooks`.
    func onRelease<Service: Sendable>(
        _ registration: any RegistrationUnderTest<Service>,
        awaiting hook: @escaping @Sendable (Service) async throws -> Void)

    // MARK: Contexts

    /// Begins a context and makes it current: for the process, or for the running code, as its kind says.
    func setCurrent(_ kind: ContextKind, id: String) -> any ContextUnderTest

    /// Ends the context that is current.
    func clear(_ kind: ContextKind)

    /// The id of the current context.
    func currentID(_ kind: ContextKind) -> String?

    /// Runs `body` in a context that ends with it.
    func withContext(_ kind: ContextKind, id: String, _ body: () throws -> Void) rethrows

    /// Runs `body` in a context that ends with it, and waits for its hooks.
    func withContext(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async rethrows

    /// Registers a service for the context that is current, and for no other.
    @discardableResult
    func register<Service>(
        _ type: Service.Type, in kind: ContextKind, line: UInt, factory: @escaping @Sendable () throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// Ends the context that is current, and returns when its release hooks have run. For `.asyncHooks`.
    func clearAndWait(_ kind: ContextKind) async

    /// Ends the contexts that began in the current one, then this. For `.cascades`.
    func clearCascading(_ kind: ContextKind)

    /// Begins a context that ends by itself after some time, in seconds, and makes it current. For `.expiringContexts`.
    func setCurrent(_ kind: ContextKind, id: String, expiresAfter seconds: Double) -> any ContextUnderTest

    /// Runs `body`, whose child tasks see the contexts that it sets, and ends those. For `.boundaries`.
    func withBoundary(_ body: @Sendable () async throws -> Void) async rethrows

    /// Runs `body` in a new context, which then takes the place of the current one. For `.replacement`.
    func replaceCurrent(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async throws
}

/// What only some libraries have. A library with the feature writes its own.
extension SystemUnderTest {
    public func report(_ observer: (@Sendable (Failure) -> Void)?) {}

    public func onRelease<Service: Sendable>(
        _ registration: any RegistrationUnderTest<Service>,
        awaiting hook: @escaping @Sendable (Service) async throws -> Void
    ) {}

    public func clearAndWait(_ kind: ContextKind) async { clear(kind) }

    public func clearCascading(_ kind: ContextKind) { clear(kind) }

    public func setCurrent(_ kind: ContextKind, id: String, expiresAfter seconds: Double) -> any ContextUnderTest {
        setCurrent(kind, id: id)
    }

    public func withBoundary(_ body: @Sendable () async throws -> Void) async rethrows { try await body() }

    public func replaceCurrent(
        _ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await withContext(kind, id: id, body)
        _ = setCurrent(kind, id: id)
    }
}

/// A container: it makes services, and keeps what is to be kept.
///
/// A container that a factory is handed may be another object than the one that was asked, for the same container.
public protocol ContainerUnderTest: AnyObject, Sendable {
    /// Registers a service, in the place of one with the same type and name.
    ///
    /// - Parameter line: where this is called in the source, as a number: what `.application` keeps belongs to it.
    @discardableResult
    func register<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// Registers a service that is made asynchronously.
    @discardableResult
    func registerAsync<Service: Sendable>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) async throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// The service, by a synchronous door.
    ///
    /// - Throws: `Failure`, where the door throws one. `resolve` and `optional` trap instead.
    func ask<Service>(_ door: Door, _ type: Service.Type, name: String?, _ argument: Argument?) throws -> Service?

    /// The service, by a door of asynchronous code.
    func askAsync<Service: Sendable>(
        _ door: AsyncDoor, _ type: Service.Type, name: String?, _ argument: Argument?
    ) async throws -> Service?

    /// Has a further container searched after the others.
    func add(_ child: any ContainerUnderTest)

    /// Lets go of what this container keeps.
    func reset(_ part: ResetPart)

    /// Lets go of what this container keeps, and returns when the release hooks have run.
    func resetAndWait(_ part: ResetPart) async

    /// Lets go of the instances whose time to live is over.
    func purgeExpired()

    /// Sets the lifetime of later registrations that set none; nil, as at first, for `.graph`. For `.defaultLifetime`.
    func setDefaultLifetime(_ lifetime: Lifetime?)

    /// Registers a service that is made from any arguments. For `.keyedArguments`.
    @discardableResult
    func registerWithArguments<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, any ArgumentsUnderTest) throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// The service, made from any arguments. For `.keyedArguments`.
    ///
    /// - Throws: `Failure`.
    func get<Service>(_ type: Service.Type, name: String?, passing arguments: PassedArguments) throws -> Service
}

/// What only some libraries have. A library with the feature writes its own.
extension ContainerUnderTest {
    public func setDefaultLifetime(_ lifetime: Lifetime?) {}

    @discardableResult
    public func registerWithArguments<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, any ArgumentsUnderTest) throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        preconditionFailure("the feature .keyedArguments needs registerWithArguments")
    }

    public func get<Service>(
        _ type: Service.Type, name: String?, passing arguments: PassedArguments
    ) throws -> Service {
        preconditionFailure("the feature .keyedArguments needs get(_:name:passing:)")
    }
}

/// The arguments of a call, as a factory sees them.
public protocol ArgumentsUnderTest {
    /// The single argument, or the only one that has a key.
    ///
    /// - Throws: an error that comes out of the container's call as a `Failure`.
    func get<Value>(_ type: Value.Type) throws -> Value

    /// The argument with this key.
    func get<Value>(_ type: Value.Type, _ key: String) throws -> Value

    /// What `get` gives, or nil where that throws.
    func optional<Value>(_ type: Value.Type) -> Value?

    /// What `get` gives, or nil where that throws.
    func optional<Value>(_ type: Value.Type, _ key: String) -> Value?
}

extension ContainerUnderTest {
    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: String? = nil, line: UInt = #line,
        factory: @escaping @Sendable () throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        register(type, name: name, line: line) { _, _ in try factory() }
    }

    @discardableResult
    public func register<Service>(
        _ type: Service.Type = Service.self, name: String? = nil, line: UInt = #line,
        factory: @escaping @Sendable (any ContainerUnderTest) throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        register(type, name: name, line: line) { container, _ in try factory(container) }
    }

    /// The service.
    ///
    /// - Throws: `Failure`.
    public func get<Service>(
        _ type: Service.Type = Service.self, name: String? = nil, _ argument: Argument? = nil
    ) throws -> Service {
        guard let service = try ask(.tryResolve, type, name: name, argument) else {
            throw Failure("nothingThrown", [])
        }
        return service
    }

    public func optional<Service>(
        _ type: Service.Type = Service.self, name: String? = nil, _ argument: Argument? = nil
    ) throws -> Service? {
        try ask(.optional, type, name: name, argument)
    }

    public func existing<Service>(_ type: Service.Type = Service.self, name: String? = nil) throws -> Service? {
        try ask(.existing, type, name: name, nil)
    }
}

/// What `register` gives: modifiers of the registration.
public protocol RegistrationUnderTest<Service>: Sendable {
    associatedtype Service

    func setLifetime(_ lifetime: Lifetime)
    func implement<Role>(_ type: Role.Type, name: String?, line: UInt)
    func setTimeToLive(_ seconds: Double, fromCreation: Bool)
    /// One instance for each argument.
    func keepForEachArgument()
    func complete(_ block: @escaping @Sendable (any ContainerUnderTest, Service, Argument?) throws -> Void)
    func onRelease(_ hook: @escaping @Sendable (Service) throws -> Void)
}

/// An open context, to end this one and no other.
public protocol ContextUnderTest: Sendable {
    var isOpen: Bool { get }
    func end()
    func endAndWait() async
    func run(_ body: () throws -> Void) rethrows
}
