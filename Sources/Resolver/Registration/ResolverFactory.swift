// The shapes of closure that `register` and its modifiers take.

// MARK: As in 1.5.1, for code that spells them

/// Makes a service; nil when there is none to give.
public typealias ResolverFactory<Service> = @Sendable () -> Service?

/// Makes a service from others; `resolver` is the one that was asked.
public typealias ResolverFactoryResolver<Service> = @Sendable (_ resolver: Resolver) -> Service?

/// Makes a service from others and from the arguments passed to `resolve`.
public typealias ResolverFactoryArgumentsN<Service> =
    @Sendable (_ resolver: Resolver, _ args: Resolver.Args) -> Service?

/// The one shape that all others can be seen as. `ResolverRegistration.update(factory:)` wraps closures of this type.
public typealias ResolverFactoryAnyArguments<Service> = @Sendable (_ resolver: Resolver, _ args: Any?) -> Service?

/// Completes a service that was just made.
public typealias ResolverFactoryMutator<Service> = @Sendable (_ resolver: Resolver, _ service: Service) -> Void

/// Completes a service that was just made, with the arguments passed to `resolve`.
public typealias ResolverFactoryMutatorArgumentsN<Service> =
    @Sendable (_ resolver: Resolver, _ service: Service, _ args: Resolver.Args) -> Void

// MARK: What is taken: the same closures, which may also throw, and which keep the actor they are isolated to

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

// MARK: Asynchronous ones

/// Makes a service asynchronously; nil when there is none to give.
public typealias ResolverAsyncFactory<Service> = @Sendable () async throws -> Service?

/// Makes a service asynchronously from others; `resolver` is the one that was asked.
public typealias ResolverAsyncFactoryResolver<Service> = @Sendable (_ resolver: Resolver) async throws -> Service?

/// Makes a service asynchronously from others and from the arguments passed to `resolveAsync`.
public typealias ResolverAsyncFactoryArgumentsN<Service> =
    @Sendable (_ resolver: Resolver, _ args: Resolver.Args) async throws -> Service?

/// A service, or arguments, on the way from one task to another, in code that does not know that they are `Sendable`.
///
/// `@unchecked Sendable`: `register` asks the services of asynchronous factories to be, and `resolveAsync` the arguments.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value
}

/// A service as one object, in the form in which it is kept strongly; or none.
typealias PackedService = UncheckedSendable<AnyObject?>

/// An asynchronous factory in the one shape that all can be seen as.
typealias AsyncFactory =
    @Sendable (_ resolver: Resolver, _ args: UncheckedSendable<Any?>) async throws -> PackedService
