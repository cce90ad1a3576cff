// Functions that the optimizer cannot see through. Otherwise it would find that services are unused, or that a variable never
// changes, and remove one or both sides of a comparison.

/// Takes an object with its reference: the caller must retain what it does not own, and this function releases it.
@inline(never) @_optimize(none)
func sink(_ object: consuming AnyObject) {}

/// Takes a service behind a protocol that is not limited to classes.
@inline(never) @_optimize(none)
func sink(_ greeter: consuming any Greeting) {}

/// Returns its argument. For closures use the functions below: generic code would wrap them in a conversion.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

/// Returns a closure that makes an object.
@inline(never) @_optimize(none)
func opaque(making make: @escaping () -> AnyObject) -> () -> AnyObject { make }

/// Returns a closure that takes an argument.
@inline(never) @_optimize(none)
func opaque(making make: @escaping (Int) -> AnyObject) -> (Int) -> AnyObject { make }

/// Returns an asynchronous closure.
@inline(never) @_optimize(none)
func opaque(
    making make: @escaping @Sendable () async -> AsyncService
) -> @Sendable () async -> AsyncService { make }
