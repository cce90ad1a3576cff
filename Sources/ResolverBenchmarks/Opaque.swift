// What the optimizer cannot see through. Without it, it would notice that nobody uses the services, or that a variable
// never changes, and remove one side of a comparison or both.

/// Takes an object, with its reference: the caller has to retain what it does not own, and here it is released.
@inline(never) @_optimize(none)
func sink(_ object: consuming AnyObject) {}

/// The same for a service behind a protocol that is not limited to classes.
@inline(never) @_optimize(none)
func sink(_ greeter: consuming any Greeting) {}

/// The argument itself. For closures use the functions below: generic code would wrap them in a conversion.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

/// A closure that makes an object, as a function that could be any.
@inline(never) @_optimize(none)
func opaque(making make: @escaping () -> AnyObject) -> () -> AnyObject { make }

/// The same for a closure that takes an argument.
@inline(never) @_optimize(none)
func opaque(making make: @escaping (Int) -> AnyObject) -> (Int) -> AnyObject { make }

/// The same for a closure that takes its time.
@inline(never) @_optimize(none)
func opaque(
    making make: @escaping @Sendable () async -> AsyncService
) -> @Sendable () async -> AsyncService { make }
