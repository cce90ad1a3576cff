import CResolverSupport

/// Converts isolated closures to plain ones, which synchronous code may call on the closure's actor.
///
/// Swift has no synchronous call of an `@isolated(any)` function. The value is the function and its context, which stores the
/// isolation. The type without `@isolated(any)` is the same pair with the same calling convention, so the cast changes only
/// what the compiler checks. `RegistrationSettings.isolations` replaces that check: the engine calls `isCurrent` before it
/// runs such a closure.
///
/// The cast converts a struct around the function: a bare function in a generic call would be wrapped twice, and each call would
/// pass through the wrappers.
@usableFromInline
enum Isolation {
    /// Casts a struct with an isolated closure to one with a plain closure, or to the closure itself if all its types are generic.
    ///
    /// The factory of a class may be cast to one of objects. A factory puts its result, an optional of a generic type, at an address
    /// that its caller passes. For each class, that is one word: the object or zero.
    @_alwaysEmitIntoClient @_transparent
    static func assumed<Isolated, Assumed>(_ isolated: Isolated) -> Assumed {
        unsafeBitCast(isolated, to: Assumed.self)
    }

    /// Whether the code that runs now, in `cycle`, is on `actor`.
    ///
    /// The runtime knows the executor of a task. For code outside of tasks, the main thread counts as the main actor. (On
    /// Linux the two differ: once an asynchronous `main` has suspended, the main actor runs on other threads.)
    static func isCurrent(_ actor: any Actor, in cycle: ResolutionCycle) -> Bool {
        if actor === MainActor.shared, cycle.isOnMainThread { return true }
        // An executor is two words in the stable ABI: its identity and its witness table.
        let words = unsafeBitCast(actor.unownedExecutor, to: (UnsafeRawPointer?, UnsafeRawPointer?).self)
        return resolver_is_current_executor(words.0, words.1)
    }
}

// The types of closures, each with and without its isolation.

@usableFromInline
enum Plain<Service> {
    @usableFromInline typealias Function = @Sendable () throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: ResolverIsolatedFactory<Service>
        @_alwaysEmitIntoClient init(call: @escaping ResolverIsolatedFactory<Service>) { self.call = call }
    }
    @usableFromInline struct Assumed: Sendable {
        @usableFromInline let call: Function
        /// Calls the factory. A function of the generic type: where `Service` is known, the closure would be converted, and retained for
        /// the conversion.
        @inline(__always)
        func make(into memory: ServiceMemory) throws -> Bool { try memory.put(call()) }
    }
}

@usableFromInline
enum WithResolver<Service> {
    @usableFromInline typealias Function = @Sendable (Resolver) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: ResolverIsolatedFactoryResolver<Service>
        @_alwaysEmitIntoClient init(call: @escaping ResolverIsolatedFactoryResolver<Service>) { self.call = call }
    }
    @usableFromInline struct Assumed: Sendable {
        @usableFromInline let call: Function
        @inline(__always)
        func make(_ resolver: Resolver, into memory: ServiceMemory) throws -> Bool { try memory.put(call(resolver)) }
    }
}

@usableFromInline
enum WithArguments<Service> {
    @usableFromInline typealias Function = @Sendable (Resolver, Resolver.Args) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: ResolverIsolatedFactoryArgumentsN<Service>
        @_alwaysEmitIntoClient init(call: @escaping ResolverIsolatedFactoryArgumentsN<Service>) { self.call = call }
    }
    @usableFromInline struct Assumed: Sendable { @usableFromInline let call: Function }
}

enum Completing<Service> {
    struct Isolated { let call: ResolverIsolatedMutator<Service> }
    struct Assumed: Sendable { let call: @Sendable (Resolver, Service) throws -> Void }
}

enum CompletingWithArguments<Service> {
    struct Isolated { let call: ResolverIsolatedMutatorArgumentsN<Service> }
    struct Assumed: Sendable { let call: @Sendable (Resolver, Service, Resolver.Args) throws -> Void }
}

// The types of initializers. Without these structs, the metadata of isolated functions would be needed, which systems before 2024 do not
// have.

@usableFromInline struct Wired1<Service, D1> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired2<Service, D1, D2> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired3<Service, D1, D2, D3> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2, D3) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired4<Service, D1, D2, D3, D4> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2, D3, D4) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired5<Service, D1, D2, D3, D4, D5> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2, D3, D4, D5) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired6<Service, D1, D2, D3, D4, D5, D6> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired7<Service, D1, D2, D3, D4, D5, D6, D7> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired8<Service, D1, D2, D3, D4, D5, D6, D7, D8> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired9<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9> {
    @usableFromInline typealias Call = @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}

@usableFromInline struct Wired10<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10> {
    @usableFromInline typealias Call =
        @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service?
    @usableFromInline let call: Call
    @_alwaysEmitIntoClient init(_ call: @escaping Call) { self.call = call }
}
