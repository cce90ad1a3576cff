extension Resolver {
    /// The arguments of one `resolve(args:)`, as a factory gets them.
    ///
    ///     register { (_, args) in Page(title: args()) }                     // resolve(args: "News")
    ///     register { (_, args) in Page(title: args("title"), size: args("size")) }
    ///                                                                       // resolve(args: ["title": "News", "size": 3])
    ///
    /// A dictionary with string keys is the set of keyed arguments, anything else the single argument. The functions
    /// that return a value trap, with the service, the key and both types, when it is missing or of another type;
    /// `tryGet` throws the same error, and `optional` answers nil.
    public struct Args {
        let passed: Any?

        /// Wraps what was passed; `Args` themselves are passed on as they are.
        public init(_ args: Any?) {
            if let args, type(of: args) == Args.self {
                passed = (PassedArguments.copy(args) as Args).passed
            } else {
                passed = args
            }
        }

        @usableFromInline
        init(_ args: PassedArguments) {
            self.init(args.value)
        }

        /// The single argument.
        public func callAsFunction<T>() -> T { get() }
        /// The argument for `key`.
        public func callAsFunction<T>(_ key: String) -> T { get(key) }

        /// The single argument, or nil if there is none of this type.
        public func optional<T>() -> T? { try? tryGet() }
        /// The argument for `key`, or nil if there is none of this type.
        public func optional<T>(_ key: String) -> T? { try? tryGet(key) }

        /// The single argument.
        public func get<T>() -> T {
            do { return try tryGet() } catch { fatalError(error.description) }
        }

        /// The argument for `key`.
        public func get<T>(_ key: String) -> T {
            do { return try tryGet(key) } catch { fatalError(error.description) }
        }

        /// The single argument, or the only one of the keyed ones.
        ///
        /// - Throws: `ResolutionError`: `.missingArgument`, `.wrongArgumentType` or `.ambiguousArgument`.
        public func tryGet<T>() throws(ResolutionError) -> T {
            guard let passed else { throw missing(nil, T.self, []) }
            // Nearly every argument is exactly what the factory asks for.
            if type(of: passed) == T.self { return PassedArguments.copy(passed) }
            guard let keyed = passed as? [String: Any?] else { return try cast(passed, nil) }
            if keyed.count > 1 {
                throw .argument(.ambiguousArgument, Messages.ambiguousArgument(keyed.keys.sorted()))
            }
            guard let only = keyed.first else { throw missing(nil, T.self, []) }
            return try cast(only.value, only.key)
        }

        /// The argument for `key`.
        ///
        /// - Throws: `ResolutionError`: `.missingArgument` or `.wrongArgumentType`.
        public func tryGet<T>(_ key: String) throws(ResolutionError) -> T {
            let keyed = passed as? [String: Any?] ?? [:]
            guard let argument = keyed[key] else { throw missing(key, T.self, keyed.keys.sorted()) }
            return try cast(argument, key)
        }

        private func cast<T>(_ argument: Any?, _ key: String?) throws(ResolutionError) -> T {
            if let argument = argument as? T { return argument }
            let actual = argument.map { TypeName.short(type(of: $0)) } ?? "nil"
            throw .argument(.wrongArgumentType, Messages.wrongArgument(key, expected: T.self, actual: actual))
        }

        private func missing(_ key: String?, _ type: Any.Type, _ keys: [String]) -> ResolutionError {
            .argument(.missingArgument, Messages.missingArgument(key, expected: type, passed: keys))
        }
    }
}

/// The arguments of a call on their way to the factory: where the caller has them, or nothing.
///
/// An `Any?` is copied and destroyed at every step, through witness tables, even when it is nil; a pointer is not. It is
/// valid until the call that made it returns, and everything it is handed to returns before that: it is never stored.
@usableFromInline
struct PassedArguments {
    @usableFromInline let address: UnsafePointer<Any>?

    @_alwaysEmitIntoClient @inline(__always)
    init(address: UnsafePointer<Any>?) {
        self.address = address
    }

    @_alwaysEmitIntoClient @inline(__always)
    static var none: PassedArguments { PassedArguments(address: nil) }

    @_alwaysEmitIntoClient @inline(__always)
    var isNone: Bool { address == nil }

    /// A copy, for code of the user.
    @usableFromInline
    var value: Any? { address?.pointee }

    /// A copy of `argument`, which is a `Value`: the caller has compared the types. (A cast would find that out once more, in ten
    /// times the time.)
    static func copy<Argument, Value>(_ argument: Argument) -> Value {
        withUnsafePointer(to: argument) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
    }

    /// Calls `body` with `args`, which stay where they are meanwhile.
    @_alwaysEmitIntoClient @inline(__always)
    static func with<Result, Failure: Error>(
        _ args: Any?, _ body: (PassedArguments) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let args else { return try body(.none) }
        return try withUnsafePointer(to: args) { address throws(Failure) in
            try body(PassedArguments(address: address))
        }
    }
}
