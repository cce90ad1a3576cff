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
