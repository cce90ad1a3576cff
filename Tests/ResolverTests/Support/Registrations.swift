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
