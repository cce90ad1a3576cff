/// A container library to run the specification on.
///
/// Conform a type to this protocol for your library, and run `Specification.promises` on it. Leave a feature out of
/// `features` if the library does not have it: the promises that need it are skipped.
public protocol SystemUnderTest: AnyObject, Sendable {
    /// The features of the containers.
    var features: Set<Feature> { get }

    /// Returns a new, empty container.
    func makeContainer() -> any ContainerUnderTest

    /// Returns a new container that searches itself first, then `parent`.
    func makeContainer(before parent: any ContainerUnderTest) -> any ContainerUnderTest

    /// Returns a new container that finds the registrations of `parent` and keeps instances of its own.
    func makeContainer(isolating parent: any ContainerUnderTest) -> any ContainerUnderTest

    /// Releases the instances of a lifetime in all containers.
    func reset(_ lifetime: Lifetime)

    /// Releases the instances of a lifetime in all containers, and returns when the release hooks have run.
    func resetAndWait(_ lifetime: Lifetime) async

    /// Sets the time, in seconds, by which times to live are measured. It starts at zero.
    func setTime(_ seconds: Double)

    /// Sets the observer that is called with every returned service; nil removes it.
    func decorate(_ observer: (@Sendable (Any) -> Void)?)

    /// Sets the observer that is called with the failures of release hooks; nil removes it. For `.reports`.
    func report(_ observer: (@Sendable (Failure) -> Void)?)

    /// Adds an asynchronous release hook. For `.asyncHooks`.
    func onRelease<Service: Sendable>(
        _ registration: any RegistrationUnderTest<Service>,
        awaiting hook: @escaping @Sendable (Service) async throws -> Void)

    // MARK: Contexts

    /// Begins a context and makes it current, for the process or for the running code, depending on its kind.
    func setCurrent(_ kind: ContextKind, id: String) -> any ContextUnderTest

    /// Ends the current context.
    func clear(_ kind: ContextKind)

    /// Returns the id of the current context.
    func currentID(_ kind: ContextKind) -> String?

    /// Runs `body` in a context that ends with it.
    func withContext(_ kind: ContextKind, id: String, _ body: () throws -> Void) rethrows

    /// Runs `body` in a context that ends with it, and awaits its hooks.
    func withContext(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async rethrows

    /// Registers a service for the current context only.
    @discardableResult
    func register<Service>(
        _ type: Service.Type, in kind: ContextKind, line: UInt, factory: @escaping @Sendable () throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// Ends the current context, and returns when its release hooks have run. For `.asyncHooks`.
    func clearAndWait(_ kind: ContextKind) async

    /// Ends the contexts that began in the current one, then the current one. For `.cascades`.
    func clearCascading(_ kind: ContextKind)

    /// Begins a context that expires after some seconds, and makes it current. For `.expiringContexts`.
    func setCurrent(_ kind: ContextKind, id: String, expiresAfter seconds: Double) -> any ContextUnderTest

    /// Runs `body`, whose child tasks see the contexts that it sets, and ends those contexts. For `.boundaries`.
    func withBoundary(_ body: @Sendable () async throws -> Void) async rethrows

    /// Runs `body` in a new context, which then replaces the current one. For `.replacement`.
    func replaceCurrent(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async throws
}

/// Features that only some libraries have. A library with such a feature implements these functions itself.
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

/// A container that creates services and keeps them according to their lifetimes.
///
/// A factory may receive another object that stands for the container of the call.
public protocol ContainerUnderTest: AnyObject, Sendable {
    /// Registers a service, and replaces an earlier one with the same type and name.
    ///
    /// - Parameter line: a number for the source location of the call, to which instances of `.application` belong.
    @discardableResult
    func register<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// Registers a service that is created asynchronously.
    @discardableResult
    func registerAsync<Service: Sendable>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) async throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// Returns the service by a synchronous function.
    ///
    /// - Throws: `Failure`, where the function throws. `resolve` and `optional` trap instead.
    func ask<Service>(_ function: SyncFunction, _ type: Service.Type, name: String?, _ argument: Argument?) throws
        -> Service?

    /// Returns the service by an asynchronous function.
    func askAsync<Service: Sendable>(
        _ function: AsyncFunction, _ type: Service.Type, name: String?, _ argument: Argument?
    ) async throws -> Service?

    /// Adds a container that is searched after the others.
    func add(_ child: any ContainerUnderTest)

    /// Releases instances that this container keeps.
    func reset(_ part: ResetPart)

    /// Releases instances that this container keeps, and returns when the release hooks have run.
    func resetAndWait(_ part: ResetPart) async

    /// Releases the instances whose time to live is over.
    func purgeExpired()

    /// Sets the lifetime of later registrations that set none; nil, the default, for `.graph`. For `.defaultLifetime`.
    func setDefaultLifetime(_ lifetime: Lifetime?)

    /// Registers a service that is created from any arguments. For `.keyedArguments`.
    @discardableResult
    func registerWithArguments<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, any ArgumentsUnderTest) throws -> Service?
    ) -> any RegistrationUnderTest<Service>

    /// Returns the service, and passes any arguments to its factory. For `.keyedArguments`.
    ///
    /// - Throws: `Failure`.
    func get<Service>(_ type: Service.Type, name: String?, passing arguments: PassedArguments) throws -> Service
}

/// Features that only some libraries have. A library with such a feature implements these functions itself.
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

/// The arguments of a call, as a factory receives them.
public protocol ArgumentsUnderTest {
    /// Returns the single argument, or the only keyed one.
    ///
    /// - Throws: an error that the container's call throws as a `Failure`.
    func get<Value>(_ type: Value.Type) throws -> Value

    /// Returns the argument with this key.
    func get<Value>(_ type: Value.Type, _ key: String) throws -> Value

    /// Returns the result of `get`, or nil where that throws.
    func optional<Value>(_ type: Value.Type) -> Value?

    /// Returns the result of `get`, or nil where that throws.
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

    /// Returns the service.
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

/// The modifiers of a registration, as returned by `register`.
public protocol RegistrationUnderTest<Service>: Sendable {
    associatedtype Service

    func setLifetime(_ lifetime: Lifetime)
    func implement<Role>(_ type: Role.Type, name: String?, line: UInt)
    func setTimeToLive(_ seconds: Double, fromCreation: Bool)
    /// Keeps one instance for each argument.
    func keepForEachArgument()
    func complete(_ block: @escaping @Sendable (any ContainerUnderTest, Service, Argument?) throws -> Void)
    func onRelease(_ hook: @escaping @Sendable (Service) throws -> Void)
}

/// An open context, which can be ended through this value.
public protocol ContextUnderTest: Sendable {
    var isOpen: Bool { get }
    func end()
    func endAndWait() async
    func run(_ body: () throws -> Void) rethrows
}
