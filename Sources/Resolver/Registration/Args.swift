extension Resolver {
    /// The arguments of one `resolve(args:)` call, as a factory receives them.
    ///
    ///     register { (_, args) in Page(title: args()) }                     // resolve(args: "News")
    ///     register { (_, args) in Page(title: args("title"), size: args("size")) }
    ///                                                                       // resolve(args: ["title": "News", "size": 3])
    ///
    /// A dictionary with string keys is a set of keyed arguments. Any other value is the single argument. `get` and the call
    /// syntax trap if the argument is missing or has another type; the message has the service, the key and both types.
    /// `tryGet` throws the same error, and `optional` returns nil.
    public struct Args {
        let passed: Any?

        /// Wraps the arguments of a call. If `args` is a value of type `Args`, returns that value.
        public init(_ args: Any?) { self = PassedArguments.with(args) { Args($0) } }

        @usableFromInline
        init(_ args: PassedArguments) {
            guard let address = args.address else {
                passed = nil
                return
            }
            passed = if let other = args.passedOn { other.pointee.passed } else { address.pointee }
        }

        /// Returns the single argument.
        public func callAsFunction<T>() -> T { get() }
        /// Returns the argument for `key`.
        public func callAsFunction<T>(_ key: String) -> T { get(key) }

        /// Returns the single argument, or nil if there is none of this type.
        public func optional<T>() -> T? { try? tryGet() as T }
        /// Returns the argument for `key`, or nil if there is none of this type.
        public func optional<T>(_ key: String) -> T? { try? tryGet(key) as T }

        /// Returns the single argument.
        public func get<T>() -> T { do { return try tryGet() } catch { Resolver.end(error, #fileID, #line) } }

        /// Returns the argument for `key`.
        public func get<T>(_ key: String) -> T {
            do { return try tryGet(key) } catch { Resolver.end(error, #fileID, #line) }
        }

        /// Returns the single argument, or the only keyed one; nil if there is none and `T` is an optional type.
        ///
        /// - Throws: `ResolutionError`: `.missingArgument`, `.wrongArgumentType` or `.ambiguousArgument`.
        public func tryGet<T>() throws(ResolutionError) -> T {
            // Almost every argument has exactly the type that the factory asks for.
            if withUnsafePointer(to: passed, { TypeMetadata.stored(in: $0) }) == T.self {
                return withUnsafePointer(to: passed) { TypeMetadata.value(in: $0, as: T.self).pointee }
            }
            guard let passed else { return try missing(nil, []) }
            guard let keyed = passed as? [String: Any?] else { return try cast(passed, nil) }
            if keyed.count > 1 {
                let keys = Array(keyed.keys).sorted(byText: \.self)
                throw .argument(.ambiguousArgument, Messages.ambiguousArgument(keys))
            }
            guard let only = keyed.first else { return try missing(nil, []) }
            return try cast(only.value, only.key)
        }

        /// Returns the argument for `key`; nil if there is none and `T` is an optional type.
        ///
        /// - Throws: `ResolutionError`: `.missingArgument` or `.wrongArgumentType`.
        public func tryGet<T>(_ key: String) throws(ResolutionError) -> T {
            let keyed = passed.map { $0 as? [String: Any?] } ?? [:]
            guard let argument = keyed?[key] else { return try missing(key, keyed.map { Array($0.keys) }) }
            return try cast(argument, key)
        }

        private func cast<T>(_ argument: Any?, _ key: String?) throws(ResolutionError) -> T {
            // Unwrapped first: a cast of an optional to `Any` returns the optional.
            if let argument {
                if let argument = argument as? T { return argument }
            } else if let none = argument as? T {
                return none
            }
            let actual = argument.map { type(of: $0) as Any.Type }
            throw .argument(.wrongArgumentType, Messages.wrongArgument(key, expected: T.self, actual: actual))
        }

        /// Returns nil if `T` is an optional type, as 1.5.1 does.
        private func missing<T>(_ key: String?, _ keys: [String]?) throws(ResolutionError) -> T {
            if T.self is any AnyOptional.Type, let none = Any?.none as? T { return none }
            let keys = keys?.sorted(byText: \.self)
            throw .argument(.missingArgument, Messages.missingArgument(key, expected: T.self, passed: keys))
        }
    }
}

/// The arguments of an asynchronous call, which go from one task to another.
///
/// `@unchecked Sendable`: `resolveAsync` requires `Sendable` arguments.
final class HeldArguments: @unchecked Sendable {
    let value: Any

    /// - Returns: nil for no arguments.
    init?(_ value: Any?) {
        guard let value, !PassedArguments.with(value, { $0.isNone }) else { return nil }
        self.value = value
    }
}

/// The arguments of a call on their way to the factory: a pointer to the caller's arguments, or none.
///
/// An `Any?` is copied and destroyed at every step, through witness tables, even when it is nil. A pointer is not. The pointer
/// is valid until the call that created it returns, and is never stored.
@usableFromInline
struct PassedArguments {
    /// nil for no arguments. Never points to nil.
    @usableFromInline let address: UnsafePointer<Any?>?

    @_alwaysEmitIntoClient @inline(__always)
    init(address: UnsafePointer<Any?>?) { self.address = address }

    @_alwaysEmitIntoClient @inline(__always)
    static var none: PassedArguments { PassedArguments(address: nil) }

    /// The arguments of another call, if a factory passes them on.
    @inline(__always)
    var passedOn: UnsafePointer<Resolver.Args>? {
        guard let address, TypeMetadata.stored(in: address) == Resolver.Args.self else { return nil }
        return TypeMetadata.value(in: address, as: Resolver.Args.self)
    }

    /// Whether there are no arguments. A factory that got none may pass its `Args` on.
    @inline(__always)
    var isNone: Bool {
        guard address != nil else { return true }
        return passedOn.map { $0.pointee.passed == nil } ?? false
    }

    /// Calls `body` with the arguments, without a copy, which would cost as much as a small service.
    ///
    /// `body` gets the bits of the arguments, which are valid while the caller's variable lives. The bits are not destroyed.
    @inline(__always)
    func lend<Result>(_ body: (Resolver.Args) throws -> Result) rethrows -> Result {
        guard let address else { return try body(Resolver.Args(self)) }
        var bits = (passedOn.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(address)).load(as: Words.self)
        return try withUnsafeMutablePointer(to: &bits) { bits in
            let memory = UnsafeMutableRawPointer(bits).bindMemory(to: Resolver.Args.self, capacity: 1)
            let args = memory.move()
            defer { memory.initialize(to: args) }
            return try body(args)
        }
    }

    /// The words of an `Any?`, and of the `Args` around one.
    private typealias Words = (UInt, UInt, UInt, UInt)

    /// A copy, for the user's code.
    @usableFromInline
    var value: Any? { address?.pointee }

    /// Calls `body` with a pointer to `args`, which do not move meanwhile.
    @_alwaysEmitIntoClient @inline(__always)
    static func with<Result, Failure: Error>(
        _ args: Any?, _ body: (PassedArguments) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if args == nil { return try body(.none) }
        return try withUnsafePointer(to: args) { address throws(Failure) in
            try body(PassedArguments(address: address))
        }
    }
}

extension WithArguments.Assumed {
    /// Calls the factory. A function of the generic type, for the reason that `Plain.Assumed` states.
    @inline(__always)
    func make(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) throws -> Bool {
        try args.lend { try memory.put(call(resolver, $0)) }
    }
}

/// What one call passes on until a factory runs: the resolver, the arguments, and the caller's memory for the service.
///
/// `args` and `memory` are addresses in the caller's frame, so a closure that outlives the call captures the resolver alone.
struct Call {
    let resolver: Resolver, args: PassedArguments, memory: ServiceMemory

    @inline(__always)
    init(_ resolver: Resolver, _ args: PassedArguments, into memory: ServiceMemory) {
        (self.resolver, self.args, self.memory) = (resolver, args, memory)
    }

    /// Puts the service of `found` into the memory, or notes that nothing was found.
    @inline(__always)
    func resolve(_ found: AnyResolverRegistration?, _ key: ServiceKey) throws -> Bool {
        if let found { return try found.resolve(self) }
        resolver.noteNothingFound(key)
        return false
    }
}
