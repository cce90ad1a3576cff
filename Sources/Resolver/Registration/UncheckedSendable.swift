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
