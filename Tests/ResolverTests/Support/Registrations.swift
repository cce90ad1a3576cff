import Resolver
import Testing

/// What a case of a test registers in its resolver.
struct Registrations: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let register: @Sendable (Resolver) -> Void

    init(_ description: String, _ register: @escaping @Sendable (Resolver) -> Void) {
        (testDescription, self.register) = (description, register)
    }
}

extension Resolver {
    /// Registers a factory that is asynchronous, or that is not.
    @discardableResult func register<Service: Sendable>(
        name: Resolver.Name? = nil, isAsync: Bool, _ make: @escaping @Sendable (Resolver) -> Service
    ) -> ResolverOptions<Service> {
        guard isAsync else { return register(name: name) { resolver in make(resolver) } }
        return register(name: name) { resolver in await yielding(make(resolver)) }
    }
}
