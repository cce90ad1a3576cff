import Resolver
import ResolverSpecification

/// The adapter of a resolver to the specification.
final class ResolverContainer: ContainerUnderTest {
    let asked: Resolver
    /// The resolver that registers, if it is not `asked`.
    private let base: Resolver
    /// The nodes of these resolvers. They are only retained.
    nonisolated(unsafe) private let nodes: [ScopeNode]
    /// The children that have nodes.
    private let children = Box<[ResolverContainer]>([])

    init(_ asked: Resolver, registering base: Resolver? = nil, holding nodes: [ScopeNode] = []) {
        self.asked = asked
        self.base = base ?? asked
        self.nodes = nodes
    }

    func register<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        let options = base.register(type, name: .name(fromString: name), line: line) { resolver, args in
            try Failure.passingOn { try factory(ResolverContainer(resolver), args.optional()) }
        }
        return ResolverRegistrationUnderTest(options: options)
    }

    func registerAsync<Service: Sendable>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) async throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        let options = base.register(type, name: .name(fromString: name), line: line) { resolver, args in
            try await Failure.passingOn { try await factory(ResolverContainer(resolver), args.optional()) }
        }
        return ResolverRegistrationUnderTest(options: options)
    }

    func ask<Service>(_ function: SyncFunction, _ type: Service.Type, name: String?, _ argument: Argument?) throws
        -> Service?
    {
        let name = Resolver.Name.name(fromString: name)
        switch function {
        case .resolve: return asked.resolve(type, name: name, args: argument)
        case .optional: return asked.optional(type, name: name, args: argument)
        case .existing: return asked.existing(type, name: name)
        case .tryResolve: return try Failure.wrapping { try asked.tryResolve(type, name: name, args: argument) }
        }
    }

    func askAsync<Service: Sendable>(
        _ function: AsyncFunction, _ type: Service.Type, name: String?, _ argument: Argument?
    ) async throws -> Service? {
        let name = Resolver.Name.name(fromString: name)
        return try await Failure.wrapping {
            switch function {
            case .resolveAsync: try await asked.resolveAsync(type, name: name, args: argument)
            case .optionalAsync: try await asked.optionalAsync(type, name: name, args: argument)
            }
        }
    }

    func add(_ child: any ContainerUnderTest) {
        guard let child = child as? ResolverContainer else { return }
        asked.add(child: child.asked)
        if !child.nodes.isEmpty { children.update { $0.append(child) } }
    }

    func reset(_ part: ResetPart) {
        for resolver in resetting {
            switch part {
            case .scopes: resolver.reset(.scopes)
            case .registrations: resolver.reset(.registrations)
            case .all: resolver.reset(.all)
            case .lifetime(let lifetime): resolver.reset(scope: ResolverSystem.scope(lifetime))
            }
        }
    }

    func resetAndWait(_ part: ResetPart) async {
        for resolver in resetting {
            switch part {
            case .scopes: await resolver.resetAndWait(.scopes)
            case .registrations: await resolver.resetAndWait(.registrations)
            case .all: await resolver.resetAndWait(.all)
            case .lifetime(let lifetime): await resolver.resetAndWait(scope: ResolverSystem.scope(lifetime))
            }
        }
    }

    func purgeExpired() { for resolver in resetting { resolver.purgeExpired() } }

    func setDefaultLifetime(_ lifetime: Lifetime?) { base.defaultScope = lifetime.map(ResolverSystem.scope) }

    func registerWithArguments<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, any ArgumentsUnderTest) throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        let options = base.register(type, name: .name(fromString: name), line: line) { resolver, args in
            try Failure.passingOn { try factory(ResolverContainer(resolver), ArgsUnderTest(args: args)) }
        }
        return ResolverRegistrationUnderTest(options: options)
    }

    func get<Service>(_ type: Service.Type, name: String?, passing arguments: PassedArguments) throws -> Service {
        let args: Any =
            switch arguments {
            case .single(let argument): argument
            case .keyed(let arguments): arguments
            }
        return try Failure.wrapping { try asked.tryResolve(type, name: .name(fromString: name), args: args) }
    }

    /// The resolvers that may cache an instance: the one that is asked and the one that registers.
    private var resetting: [Resolver] { asked === base ? [asked] : [asked, base] }
}

struct ResolverRegistrationUnderTest<Service>: RegistrationUnderTest {
    let options: ResolverOptions<Service>

    func setLifetime(_ lifetime: Lifetime) {
        switch lifetime {
        case .context(let kind, let isRequired): options.scoped(to: ScopeKind(kind), required: isRequired)
        default: options.scope(ResolverSystem.scope(lifetime))
        }
    }

    func implement<Role>(_ type: Role.Type, name: String?, line: UInt) {
        options.implements(type, name: .name(fromString: name), line: line)
    }

    func setTimeToLive(_ seconds: Double, fromCreation: Bool) {
        options.timeToLive(seconds, from: fromCreation ? .creation : .lastUse)
    }

    func keepForEachArgument() { options.scopeOnArguments() }

    func complete(_ block: @escaping @Sendable (any ContainerUnderTest, Service, Argument?) throws -> Void) {
        options.resolveProperties { resolver, service, args in
            try Failure.passingOn { try block(ResolverContainer(resolver), service, args.optional()) }
        }
    }

    func onRelease(_ hook: @escaping @Sendable (Service) throws -> Void) {
        options.onRelease { (service: Service) throws in try hook(service) }
    }
}

struct ArgsUnderTest: ArgumentsUnderTest {
    let args: Resolver.Args

    func get<Value>(_ type: Value.Type) throws -> Value { try args.tryGet() }
    func get<Value>(_ type: Value.Type, _ key: String) throws -> Value { try args.tryGet(key) }
    func optional<Value>(_ type: Value.Type) -> Value? { args.optional() }
    func optional<Value>(_ type: Value.Type, _ key: String) -> Value? { args.optional(key) }
}

extension Failure {
    init(_ error: ResolutionError) {
        self.init(error.code.description, error.path.map(Failure.step))
        underlying = error.underlying
        origin = error
    }

    /// Runs a call, and throws a failure for the resolver's error.
    static func wrapping<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as ResolutionError { throw Failure(error) }
    }

    /// Runs an asynchronous call, and throws a failure for the resolver's error.
    nonisolated(nonsending) static func wrapping<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as ResolutionError { throw Failure(error) }
    }

    /// Runs a factory's code, and rethrows the resolver's error instead of the failure that wraps it.
    static func passingOn<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as Failure { throw failure.origin ?? failure }
    }

    /// Runs a factory's asynchronous code, and rethrows the resolver's error instead of the failure that wraps it.
    nonisolated(nonsending) static func passingOn<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let failure as Failure { throw failure.origin ?? failure }
    }

    private static func step(_ hop: ResolutionError.Hop) -> String {
        let type = hop.service.split(separator: ".").last.map(String.init) ?? hop.service
        return type + (hop.name.map { ":\($0)" } ?? "") + (hop.location.map { "@\($0.line)" } ?? "")
    }
}
