/// A description of one registered service, for reports and checks. Reading it creates nothing.
public struct RegisteredService: Sendable, CustomStringConvertible {
    /// The lifetime of an instance.
    public enum Lifetime: Hashable, Sendable {
        /// A new instance for each call.
        case unique
        /// One instance for each resolution cycle.
        case graph
        /// One instance while a reference outside the container holds it.
        case shared
        /// One instance until its scope is reset: `.cached`, and caches of your own.
        case cached
        /// One instance until the `cache` of its resolver is reset.
        case container
        /// One instance for the process.
        case application
        /// One instance for each open scope of a kind.
        case context(ScopeKind)
        /// The instance of another service: see `.implements`.
        case alias
        /// The lifetime that a custom scope defines.
        case custom
    }

    /// The type by which the service is resolved.
    public var type: Any.Type { TypeMetadata.type(of: key.type) }
    /// The name, if there is one.
    public var name: Resolver.Name? { key.name }
    /// The source location of the registration.
    public let location: Resolver.SourceLocation
    /// The lifetime of an instance.
    public let lifetime: Lifetime
    /// Whether its factory is asynchronous.
    public let isAsync: Bool
    /// The actors that its factory and its `resolveProperties` blocks are isolated to.
    public let actors: [any Actor]
    /// Its dependencies, as declared by `autoregister` and `.needs`.
    public let needs: [ResolverDependency]
    /// Whether the queried resolver, or the resolver below it that has the registration, keeps an instance now.
    ///
    /// Instances in contexts do not count. An expired instance counts until it is released.
    public let isKept: Bool

    package let key: ServiceKey
    /// The type that its factory creates. It differs from `type` where a runtime type was passed to `register`.
    fileprivate var serviceType: Any.Type { TypeMetadata.type(of: key.service) }
    /// The number of the registration. It is never reused.
    package let number: UInt64
    /// Contexts of a lower rank are hidden while an instance is created; nil if no instance is kept, because the dependencies
    /// then belong to the consumer.
    package let rank: Int?
    /// The key of an alias's source.
    package let target: ServiceKey?
    /// Whether `autoregister` or `.needs` declares its dependencies, which may be none.
    package let isDeclared: Bool
    package let accepted: [(kind: WiringProblemKind, reason: String)]
    /// The lifetime of the scope that keeps its instances: for `.container`, that of the resolver's `cache`, once there is one.
    package let keepingLifetime: Lifetime
    /// The modifiers that have an effect only where an instance is kept strongly.
    package let keepingModifiers: [String]

    /// The type, name, lifetime and location.
    public var description: String { "\(Messages.service(type, name)), \(lifetime), at \(location)" }

    init(_ registration: AnyResolverRegistration, askedFor resolver: Resolver) {
        let plan = registration.plan
        let settings = plan.settings
        key = registration.serviceKey
        location = registration.location
        lifetime = Lifetime(of: plan.scope)
        isAsync = plan.isAsync
        actors = settings.isolations
        needs = settings.wiring?.needs ?? []
        let source = registration.source(in: resolver)
        isKept = source.cells(in: resolver).flatMap(\.withBranches).contains { $0.kept != nil }
        number = registration.number
        let keepingScope = registration.owner.effectiveScope(of: plan.scope)
        keepingLifetime = Lifetime(of: keepingScope)
        rank = RegisteredService.rank(of: keepingScope, in: registration.owner)
        target = (plan.scope as? AliasScope)?.source
        isDeclared = settings.wiring?.needs != nil
        accepted = settings.wiring?.accepted ?? []
        var modifiers: [String] = []
        if settings.timeToLive != nil { modifiers.append(".timeToLive") }
        if settings.argumentKey != nil { modifiers.append(".scopeOnArguments") }
        if !settings.releaseHooks.hooks.isEmpty { modifiers.append(".onRelease") }
        keepingModifiers = modifiers
    }
}

extension RegisteredService.Lifetime {
    init(of scope: any ResolverScopeType) {
        switch Lifetime(of: scope) {
        case .transient: self = .unique
        case .perCycle: self = .graph
        case .cached(let store):
            let store = store.object
            self = store.strength == .weak ? .shared : store.isByDefinition ? .application : .cached
        case .container: self = .container
        case .perContext(let context): self = .context(context.object.kind)
        case .alias: self = .alias
        case .custom: self = .custom
        }
    }
}

extension RegisteredService {
    /// Returns the `rank` of a service whose instances `keepingScope` keeps. A subclass of a cache keeps instances as the cache does.
    private static func rank(of keepingScope: any ResolverScopeType, in owner: RegistrationOwner) -> Int? {
        switch keepingScope {
        case let scope as PerContextScope: scope.kind.rank
        case let scope as ResolverScopeCache: scope.store.rank
        case let scope as ResolverScopeShare: scope.store.rank
        // The resolver's cache, a `ResolverScopeCache`, is created when it is first used. A cache that is `.container` keeps nothing.
        case is ResolverScopeContainer: owner.usedCache == nil ? .max : nil
        default: nil
        }
    }
}

extension Resolver {
    /// Returns the service of a current scope's own registration, which a call would find first.
    package func registeredByScope<Service>(_ type: Service.Type, name: Name? = nil) -> RegisteredService? {
        ScopeContext.shared.local(ServiceKey(type, name), isUse: false)
            .map { RegisteredService($0, askedFor: self) }
    }

    /// Returns whether a call to this resolver would find a registration.
    ///
    /// Creates nothing. The factory may still return nil or fail. An alias whose service is not registered does not count.
    public func isRegistered<Service>(_ type: Service.Type, name: Resolver.Name? = nil) -> Bool {
        try? Bootstrap.shared.run()
        return findWithOverrides(ServiceKey(type, name), isUse: false).map { !$0.isAliasOfNothing(in: self) } ?? false
    }

    /// Returns whether a call to `root` would find a registration. Creates nothing.
    public static func isRegistered<Service>(_ type: Service.Type, name: Resolver.Name? = nil) -> Bool {
        preparedRoot().isRegistered(type, name: name)
    }

    /// The services that this resolver finds, sorted by source location.
    ///
    /// These are its own services and those of its children, except services that another registration hides.
    public var registrations: [RegisteredService] {
        try? Bootstrap.shared.run()
        var seen: Set<ServiceKey> = []
        let found = searched.flatMap { resolver in
            resolver.table.all.filter { seen.insert($0.serviceKey).inserted }
        }
        // Many registrations may come from one line.
        return found.sorted(by: { Int($0.number) }).sorted(by: { Int(clamping: $0.location.line) })
            .sorted(byText: \.location.fileID.description).map { RegisteredService($0, askedFor: self) }
    }

    /// The services that `root` finds.
    public static var registrations: [RegisteredService] { preparedRoot().registrations }
}

// For tools, which know services by their registrations and not by their types.

/// A service that was created without a caller.
package struct CreatedService: Sendable {
    package let type: Any.Type
    /// The identity of the instance, if it is an object. Valid only while a scope keeps the instance.
    package let object: ObjectIdentifier?
}

extension Resolver {
    /// Creates a service as `resolveAsync` does, and releases it unless a scope keeps it.
    ///
    /// - Throws: the errors of `resolveAsync`.
    package nonisolated(nonsending) func create(
        _ service: RegisteredService, args: (any Sendable)?
    ) async throws -> CreatedService {
        let location = service.location
        let made = try await awaitingPendingWork {
            guard let found = self.findWithOverrides(service.key) else {
                throw ResolutionError.notRegistered(
                    service.type, as: service.serviceType, service.name, asked: self, at: location)
            }
            return try found.withMemory { memory in
                do {
                    let isThere = try PassedArguments.with(args) {
                        try self.provideInFull(
                            service.type, as: service.serviceType, service.name, $0, location.fileID, location.line,
                            into: memory)
                    }
                    if isThere {
                        return InstanceBox(
                            CreatedService(
                                type: Swift.type(of: found.value(memory)),
                                object: found.isObject(memory) ? ObjectIdentifier(found.object(memory)) : nil))
                    }
                } catch {
                    throw ResolutionError.ofCall(error, location.fileID, location.line)
                }
                throw self.explainNil(service.type, service.serviceType, service.name, location.fileID, location.line)
            }
        }
        return InstanceBox<CreatedService>.unpack(made!)
    }
}
