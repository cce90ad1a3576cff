/// A registration of one service: its factory, its scope and its settings.
///
/// A custom scope receives a registration and calls `instantiate`. All members may be used from any thread.
public final class ResolverRegistration<Service>: AnyResolverRegistration, @unchecked Sendable {
    /// Creates a registration that is not stored in `resolver`.
    ///
    /// - Parameter key: the identity of the type, `Int(bitPattern: ObjectIdentifier(Service.self))`.
    public convenience init(
        resolver: Resolver, key: Int, name: Resolver.Name?, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping ResolverFactoryAnyArguments<Service>
    ) {
        let type = TypeMetadata.identifier(key)
        self.init(
            type: type ?? ObjectIdentifier(Service.self), name: name,
            location: SourceLocation(fileID: fileID, line: line), owner: resolver.owner,
            factory: .function { $2.put(factory($0, $1.value)) }, plan: .of(resolver.effectiveDefaultScope, nil))
    }

    required init(
        type: ObjectIdentifier, name: Resolver.Name?, location: SourceLocation, owner: RegistrationOwner,
        factory: ServiceFactory, plan: RegistrationPlan
    ) {
        super.init(
            Service.self, type: type, name: name, location: location, owner: owner, factory: factory, plan: plan)
    }

    // MARK: For custom scopes

    /// Returns the service from the registration's scope: a kept instance, or a new one.
    ///
    /// - Returns: nil if there is no instance. If an error inside a resolution was the reason, the outermost call throws it.
    public func resolve(resolver: Resolver, args: Any?) -> Service? {
        ResolutionCycle.current.holdingErrors {
            try ServiceMemory.receive { memory in
                _ = try PassedArguments.with(args) { try resolve(Call(resolver, $0, into: memory)) }
            }
        }
    }

    /// Returns a new instance, for a scope that keeps none.
    ///
    /// - Returns: nil if the factory returned nil or failed. If an error inside a resolution was the reason, the outermost
    ///   call throws it once the scope has returned nil.
    public func instantiate(resolver: Resolver, args: Any?) -> Service? {
        ResolutionCycle.current.holdingErrors { try make(resolver: resolver, args: args) }
    }

    /// Returns a new instance, or nil if the factory returned nil. For scopes that handle errors themselves.
    ///
    /// - Throws: `ResolutionError`, with the factory's error as `underlying`.
    public func make(resolver: Resolver, args: Any?) throws -> Service? {
        try PassedArguments.with(args) { args in
            try ServiceMemory.receive { _ = try make(Call(resolver, args, into: $0)) }
        }
    }

    /// Wraps the factory and the `resolveProperties` blocks that were added before. Use it for your own modifiers.
    ///
    ///     extension ResolverOptions {
    ///         func onInit(_ body: @escaping @Sendable (Service) -> Void) -> Self {
    ///             registration.update { factory in
    ///                 { resolver, args in
    ///                     let service = factory(resolver, args)
    ///                     if let service { body(service) }
    ///                     return service
    ///                 }
    ///             }
    ///             return self
    ///         }
    ///     }
    ///
    /// If the original factory throws, `factory` returns nil. If the wrapper then returns nil too, the call throws the error. An
    /// asynchronous factory is awaited before the wrapper runs: `factory` then returns the result, or nil if there was an error.
    public func update(
        factory modifier: (_ factory: @escaping ResolverFactoryAnyArguments<Service>)
            -> ResolverFactoryAnyArguments<Service>
    ) {
        let (factory, asyncFactory) = (factory, plan.settings.asyncFactory)
        // Changes that another thread makes while `modifier` runs are wrapped too.
        let inner = Guarded(plan)
        // A wrapper may store its factory, and call it from anywhere, also after the registration has ended.
        let wrapped = modifier { [weak self] resolver, args in
            let cycle = ResolutionCycle.current, plan = inner.withLock { $0 }
            return cycle.holdingErrors {
                if let self {
                    try cycle.requireStack(for: self)
                    try cycle.requireActors(plan.settings, for: self)
                } else if !plan.settings.isolations.isEmpty {
                    return nil
                }
                return try PassedArguments.with(args) { args -> Service? in
                    try ServiceMemory.receive { memory in
                        let call = Call(resolver, args, into: memory)
                        guard try (plan.factory ?? factory)(call) else { return }
                        for complete in plan.settings.completions { try complete(call) }
                    }
                }
            }
        }
        let complete: ServiceFactory.Function = { [weak self, laterHop] resolver, args, memory in
            if let asyncFactory {
                guard let self else { throw ResolutionError.requiresAsync(laterHop()) }
                let cycle = ResolutionCycle.current
                _ = try cycle.factoryResult(of: asyncFactory, for: self, resolver, args, isHandedOut: false)
            }
            return memory.put(wrapped(resolver, args.value))
        }
        replacePlan { old in
            inner.withLock { $0 = old }
            // The completions so far are part of the factory now.
            return old.with(factory: .function(complete)) { $0.completions = [] }
        }
    }

    // MARK: Overrides that use the type of the service

    override func box(_ memory: ServiceMemory) -> AnyObject { InstanceBox<Service>.packToKeep(memory.service()) }

    override func withMemoryOfType<Result>(_ body: (ServiceMemory) throws -> Result) rethrows -> Result {
        try ServiceMemory.with(Service.self, body)
    }

    override func value(_ memory: ServiceMemory) -> Any { memory.service() as Service }

    override func unbox(_ object: AnyObject, into memory: ServiceMemory) -> Bool {
        memory.put(ResolverRegistration.unpackIfAllowed(object))
    }

    override func empty(_ memory: ServiceMemory) { memory.empty(of: Service.self) }

    override func existing(_ resolver: Resolver) -> Any? {
        ResolutionCycle.current.withoutPass { scope.existing(registration: self, resolver: resolver) }
    }

    override func ask(
        _ scope: any ResolverScopeType, _ resolver: Resolver, _ args: Any?, into memory: ServiceMemory
    ) throws -> Bool {
        memory.put(try scope.tryResolve(registration: self, resolver: resolver, args: args))
    }
}

extension ResolverRegistration {
    /// The identity of the type as a number, as in 1.5.1.
    public var key: Int { Int(bitPattern: serviceKey.type) }
    /// A key for the caches of 1.5.1, made of the type and the name, without the resolver.
    ///
    /// If `register` got a type at run time, the type in the source is part of the key too.
    ///
    /// A scope that keeps instances by this key shares them between resolvers. A scope that uses `ObjectIdentifier(registration)`
    /// does not.
    public var cacheKey: String {
        let types = serviceKey.isOfOwnType ? "\(key)" : "\(key)/\(Int(bitPattern: serviceKey.service))"
        return serviceKey.name.map { "\(types):\($0.rawValue)" } ?? types
    }
}

extension AnyResolverRegistration {
    private enum Nothing {}

    /// Replaces a removed registration in a table. No key finds it.
    static let vacant: AnyResolverRegistration = {
        let location = SourceLocation()
        return ResolverRegistration<Nothing>(
            type: ObjectIdentifier(Nothing.self), name: nil, location: location,
            owner: RegistrationOwner(location: location, isIsolating: false),
            factory: .none, plan: .of(.unique, nil))
    }()
}

// MARK: Types of closures, as in 1.5.1, for code that names them

/// A closure that creates a service, or returns nil if there is none.
public typealias ResolverFactory<Service> = @Sendable () -> Service?

/// A closure that creates a service from others. `resolver` is the resolver of the call.
public typealias ResolverFactoryResolver<Service> = @Sendable (_ resolver: Resolver) -> Service?

/// A closure that creates a service from others and from the arguments of `resolve`.
public typealias ResolverFactoryArgumentsN<Service> =
    @Sendable (_ resolver: Resolver, _ args: Resolver.Args) -> Service?

/// The common type of factories, which `ResolverRegistration.update(factory:)` wraps.
public typealias ResolverFactoryAnyArguments<Service> = @Sendable (_ resolver: Resolver, _ args: Any?) -> Service?

/// A closure that completes a new service.
public typealias ResolverFactoryMutator<Service> = @Sendable (_ resolver: Resolver, _ service: Service) -> Void

/// A closure that completes a new service, with the arguments of `resolve`.
public typealias ResolverFactoryMutatorArgumentsN<Service> =
    @Sendable (_ resolver: Resolver, _ service: Service, _ args: Resolver.Args) -> Void

// MARK: Closures that `register` and its modifiers accept, which may also throw and may be isolated to an actor

/// A `ResolverFactory` that may throw and may be isolated to an actor.
public typealias ResolverIsolatedFactory<Service> = @isolated(any) @Sendable () throws -> Service?

/// A `ResolverFactoryResolver` that may throw and may be isolated to an actor.
public typealias ResolverIsolatedFactoryResolver<Service> =
    @isolated(any) @Sendable (_ resolver: Resolver) throws -> Service?

/// A `ResolverFactoryArgumentsN` that may throw and may be isolated to an actor.
public typealias ResolverIsolatedFactoryArgumentsN<Service> =
    @isolated(any) @Sendable (_ resolver: Resolver, _ args: Resolver.Args) throws -> Service?

/// A `ResolverFactoryMutator` that may throw and may be isolated to an actor.
public typealias ResolverIsolatedMutator<Service> =
    @isolated(any) @Sendable (_ resolver: Resolver, _ service: Service) throws -> Void

/// A `ResolverFactoryMutatorArgumentsN` that may throw and may be isolated to an actor.
public typealias ResolverIsolatedMutatorArgumentsN<Service> =
    @isolated(any) @Sendable (_ resolver: Resolver, _ service: Service, _ args: Resolver.Args) throws -> Void

// MARK: Asynchronous factories

/// A closure that creates a service asynchronously, or returns nil if there is none.
public typealias ResolverAsyncFactory<Service> = @Sendable () async throws -> Service?

/// A closure that creates a service asynchronously from others. `resolver` is the resolver of the call.
public typealias ResolverAsyncFactoryResolver<Service> = @Sendable (_ resolver: Resolver) async throws -> Service?

/// A closure that creates a service asynchronously from others and from the arguments of `resolveAsync`.
public typealias ResolverAsyncFactoryArgumentsN<Service> =
    @Sendable (_ resolver: Resolver, _ args: Resolver.Args) async throws -> Service?

/// A service that is passed from one task to another by code that does not know that the service is `Sendable`.
///
/// `@unchecked Sendable`: `register` requires services of asynchronous factories to be `Sendable`.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value
}

/// A service as one object, in the form in which it is kept strongly; nil if there is none.
typealias PackedService = UncheckedSendable<AnyObject?>

/// The common type of asynchronous factories.
typealias AsyncFactory =
    @Sendable (_ resolver: Resolver, _ args: HeldArguments?) async throws -> PackedService
