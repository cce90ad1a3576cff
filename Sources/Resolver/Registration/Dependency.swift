/// A dependency of a service, declared by the parameters of its initializer or with `.needs`.
public struct ResolverDependency: Sendable, CustomStringConvertible {
    /// The requested type. An optional stands for the type it wraps, unless the optional itself is registered.
    public let type: Any.Type
    /// The name, if there is one.
    public let name: Resolver.Name?

    package init(_ type: Any.Type, name: Resolver.Name? = nil) {
        self.type = type
        self.name = name
    }

    /// The type that the requested optional wraps; nil for other types.
    package var wrapped: Any.Type? { (type as? any AnyOptional.Type)?.wrapped }

    /// The type and the name.
    public var description: String { Messages.service(type, name) }
}

/// A kind of problem in the wiring of services. Later versions may add kinds.
public enum WiringProblemKind: String, Sendable, CaseIterable, CustomStringConvertible {
    /// A dependency is not registered.
    case missing
    /// Services depend on each other in a cycle.
    case circularDependency
    /// A service depends on a service of a screen, session or request, which does not live as long (a captive dependency).
    case captive
    /// A synchronous factory depends on a service that must be created on another actor.
    case wrongIsolation
    /// A synchronous factory depends on a service that must be created asynchronously.
    case requiresAsync
    /// A registration is an alias for a service that is not registered.
    case aliasWithoutTarget
    /// A modifier has no effect, because it only matters for kept instances and the scope keeps none.
    case modifierWithoutEffect
    /// An accepted problem does not exist.
    case acceptedInVain
    /// A service could not be created, or a release hook threw, in a rehearsal.
    case failed
    /// A service was not created in time, in a rehearsal.
    case hangs
    /// Several registrations each keep an instance of the same class, in a rehearsal.
    case tornLifestyle
    /// A class is resolved by its own type, and registered behind a protocol with another lifetime, in a rehearsal.
    case shortCircuited

    /// Whether the problem is only a warning.
    public var isWarning: Bool {
        switch self {
        case .modifierWithoutEffect, .tornLifestyle, .shortCircuited: true
        default: false
        }
    }

    public var description: String { rawValue }
}

/// The wiring that a registration declares.
final class DeclaredWiring: Sendable {
    /// The dependencies; nil if none were declared.
    let needs: [ResolverDependency]?
    let accepted: [(kind: WiringProblemKind, reason: String)]

    /// Adds to earlier declarations.
    init(
        _ old: DeclaredWiring? = nil, needs: [ResolverDependency]? = nil,
        accepted: [(kind: WiringProblemKind, reason: String)] = []
    ) {
        self.needs = needs.map { (old?.needs ?? []) + $0 } ?? old?.needs
        self.accepted = (old?.accepted ?? []) + accepted
    }
}

extension ResolverOptions {
    /// Declares the dependencies of the factory, for `verify()` to check. The declaration has no other effect.
    ///
    ///     register { resolver in Cart(api: resolver.resolve()) }.needs(API.self)
    ///
    /// `autoregister` declares the dependencies itself. An optional dependency may be missing: `.needs(Analytics?.self)`.
    @discardableResult
    public func needs(_ types: Any.Type...) -> ResolverOptions<Service> {
        registration.declare(needs: types.map { ResolverDependency($0) })
        return self
    }

    /// Declares a dependency on a named service, for `verify()` to check.
    @discardableResult
    public func needs(_ type: Any.Type, name: Resolver.Name) -> ResolverOptions<Service> {
        registration.declare(needs: [ResolverDependency(type, name: name)])
        return self
    }

    /// Accepts a problem that `verify()` would report for this registration.
    ///
    ///     register { Cache(session: .current) }.scope(.application).needs(Session.self)
    ///         .accepting(.captive, because: "the cache is cleared at logout")
    ///
    /// A problem that does not exist, or no longer does, is reported as `acceptedInVain`.
    @discardableResult
    public func accepting(_ kind: WiringProblemKind, because reason: String) -> ResolverOptions<Service> {
        registration.declare(accepted: [(kind, reason)])
        return self
    }

    /// Declares the dependencies of an initializer by its parameters.
    @usableFromInline
    func needingParameters(_ types: [Any.Type]) -> ResolverOptions<Service> {
        AnyResolverRegistration.refuseTuples(types, of: Service.self, registration.location)
        registration.declare(needs: types.map { ResolverDependency($0) })
        return self
    }
}

extension AnyResolverRegistration {
    /// Traps if an initializer has more parameters than there are overloads for: Swift passes them as one tuple.
    static func refuseTuples(_ needs: [Any.Type], of service: Any.Type, _ location: SourceLocation) {
        guard let tuple = needs.first(where: TypeMetadata.isTuple) else { return }
        fatalError(Messages.tooManyParameters(service, tuple, location))
    }

    fileprivate final func declare(
        needs: [ResolverDependency]? = nil, accepted: [(kind: WiringProblemKind, reason: String)] = []
    ) {
        changeSettings { $0.wiring = DeclaredWiring($0.wiring, needs: needs, accepted: accepted) }
    }
}

/// The requirements that optionals of all types meet.
protocol AnyOptional {
    static var wrapped: Any.Type { get }
    /// Returns the service of the wrapped type, as an optional.
    static func part(of resolver: Resolver, _ fileID: StaticString, _ line: UInt) throws -> Any
}

extension Optional: AnyOptional {
    static var wrapped: Any.Type { Wrapped.self }

    static func part(of resolver: Resolver, _ fileID: StaticString, _ line: UInt) throws -> Any {
        try resolver.serviceInFull(Wrapped.self, fileID, line) as Any
    }
}
