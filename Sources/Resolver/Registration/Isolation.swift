import CResolverSupport

/// Converts isolated closures to plain ones, which synchronous code may call on the closure's actor.
///
/// Swift has no synchronous call of an `@isolated(any)` function. The value is the function and its context, which stores the
/// isolation. The type without `@isolated(any)` is the same pair with the same calling convention, so the cast changes only
/// what the compiler checks. `RegistrationSettings.isolations` replaces that check: the engine calls `isCurrent` before it
/// runs such a closure.
///
/// The cast is of a struct around the function: a bare function in a generic call would be wrapped twice, and each call would
/// pass through the wrappers.
@usableFromInline
enum Isolation {
    @_alwaysEmitIntoClient @inline(__always)
    static func assumed<Service>(
        _ factory: @escaping ResolverIsolatedFactory<Service>
    ) -> Plain<Service>.Function {
        unsafeBitCast(Plain<Service>.Isolated(call: factory), to: Plain<Service>.Assumed.self).call
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func assumed<Service>(
        _ factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> WithResolver<Service>.Function {
        unsafeBitCast(WithResolver<Service>.Isolated(call: factory), to: WithResolver<Service>.Assumed.self).call
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func assumed<Service>(
        _ factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>
    ) -> WithArguments<Service>.Function {
        unsafeBitCast(WithArguments<Service>.Isolated(call: factory), to: WithArguments<Service>.Assumed.self).call
    }

    /// Returns the factory of a class as a factory of objects. A factory puts its result, an optional of a generic type, at an
    /// address that its caller passes. For each class, that is one word: the object or zero.
    @_alwaysEmitIntoClient @inline(__always)
    static func ofObject<Service>(_ factory: @escaping ResolverIsolatedFactory<Service>) -> Plain<AnyObject>.Assumed {
        unsafeBitCast(Plain<Service>.Isolated(call: factory), to: Plain<AnyObject>.Assumed.self)
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func ofObject<Service>(
        _ factory: @escaping ResolverIsolatedFactoryResolver<Service>
    ) -> WithResolver<AnyObject>.Assumed {
        unsafeBitCast(WithResolver<Service>.Isolated(call: factory), to: WithResolver<AnyObject>.Assumed.self)
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func ofObject<Service>(
        _ factory: @escaping ResolverIsolatedFactoryArgumentsN<Service>
    ) -> WithArguments<AnyObject>.Assumed {
        unsafeBitCast(WithArguments<Service>.Isolated(call: factory), to: WithArguments<AnyObject>.Assumed.self)
    }

    static func assumed<Service>(
        _ mutator: @escaping ResolverIsolatedMutator<Service>
    ) -> Completing<Service>.Function {
        unsafeBitCast(Completing<Service>.Isolated(call: mutator), to: Completing<Service>.Assumed.self).call
    }

    static func assumed<Service>(
        _ mutator: @escaping ResolverIsolatedMutatorArgumentsN<Service>
    ) -> CompletingWithArguments<Service>.Function {
        unsafeBitCast(
            CompletingWithArguments<Service>.Isolated(call: mutator), to: CompletingWithArguments<Service>.Assumed.self
        ).call
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
        /// A function of the generic type: where `Service` is known, the closure would be converted, and retained for that.
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
    typealias Function = @Sendable (Resolver, Service) throws -> Void
    fileprivate struct Isolated { let call: ResolverIsolatedMutator<Service> }
    fileprivate struct Assumed { let call: Function }
}

enum CompletingWithArguments<Service> {
    typealias Function = @Sendable (Resolver, Service, Resolver.Args) throws -> Void
    fileprivate struct Isolated { let call: ResolverIsolatedMutatorArgumentsN<Service> }
    fileprivate struct Assumed { let call: Function }
}

// The types of initializers. A generic function would need metadata of isolated functions, which systems before 2024 do not have.

@usableFromInline
enum Wired1<Service, D1> {
    @usableFromInline typealias Function = @Sendable (D1) throws -> Service?
    @usableFromInline typealias IsolatedFunction = @isolated(any) @Sendable (D1) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired2<Service, D1, D2> {
    @usableFromInline typealias Function = @Sendable (D1, D2) throws -> Service?
    @usableFromInline typealias IsolatedFunction = @isolated(any) @Sendable (D1, D2) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired3<Service, D1, D2, D3> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3) throws -> Service?
    @usableFromInline typealias IsolatedFunction = @isolated(any) @Sendable (D1, D2, D3) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired4<Service, D1, D2, D3, D4> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3, D4) throws -> Service?
    @usableFromInline typealias IsolatedFunction = @isolated(any) @Sendable (D1, D2, D3, D4) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired5<Service, D1, D2, D3, D4, D5> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3, D4, D5) throws -> Service?
    @usableFromInline typealias IsolatedFunction = @isolated(any) @Sendable (D1, D2, D3, D4, D5) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired6<Service, D1, D2, D3, D4, D5, D6> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service?
    @usableFromInline typealias IsolatedFunction = @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired7<Service, D1, D2, D3, D4, D5, D6, D7> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service?
    @usableFromInline typealias IsolatedFunction =
        @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired8<Service, D1, D2, D3, D4, D5, D6, D7, D8> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service?
    @usableFromInline typealias IsolatedFunction =
        @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired9<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service?
    @usableFromInline typealias IsolatedFunction =
        @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}

@usableFromInline
enum Wired10<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10> {
    @usableFromInline typealias Function = @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service?
    @usableFromInline typealias IsolatedFunction =
        @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service?
    @usableFromInline struct Isolated {
        @usableFromInline let call: IsolatedFunction
        @_alwaysEmitIntoClient init(call: @escaping IsolatedFunction) { self.call = call }
    }
    @usableFromInline struct Assumed { @usableFromInline let call: Function }

    @_alwaysEmitIntoClient
    static func assumed(_ initializer: @escaping IsolatedFunction) -> Function {
        unsafeBitCast(Isolated(call: initializer), to: Assumed.self).call
    }
}
