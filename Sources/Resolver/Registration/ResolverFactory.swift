// The types of closures that `register` and its modifiers accept.

// MARK: As in 1.5.1, for code that names them

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

// MARK: Accepted closures, which may also throw and may be isolated to an actor

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
