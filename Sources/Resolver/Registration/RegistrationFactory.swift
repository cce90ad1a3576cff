/// A factory in the shape in which it was registered. Called without a detour through closures of our own: every call on
/// the stack costs, and more the deeper the factories are nested.
@usableFromInline
enum RegistrationFactory<Service>: Sendable {
    case plain(@Sendable () throws -> Service?)
    case withResolver(@Sendable (Resolver) throws -> Service?)
    case withArguments(@Sendable (Resolver, PassedArguments) throws -> Service?)

    @inlinable @inline(__always)
    func callAsFunction(_ resolver: Resolver, _ args: PassedArguments) throws -> Service? {
        switch self {
        case .plain(let make): try make()
        case .withResolver(let make): try make(resolver)
        case .withArguments(let make): try make(resolver, args)
        }
    }
}
