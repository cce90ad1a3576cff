/// What a service needs to be created, as its registration says: by the parameters of an initializer, or with `.needs`.
public struct Dependency: Sendable, CustomStringConvertible {
    /// The type as it is asked for. An optional asks for the type it wraps, unless the optional itself is registered.
    public let type: Any.Type
    /// The name, if there is one.
    public let name: Resolver.Name?

    package init(_ type: Any.Type, name: Resolver.Name? = nil) {
        self.type = type
        self.name = name
    }

    /// The type that an optional wraps; nil for others.
    package var wrapped: Any.Type? { (type as? any AnyOptional.Type)?.wrapped }

    /// The type and the name.
    public var description: String { Messages.service(type, name) }
}

/// What is wrong with the wiring of services, or may be. Later versions may add kinds.
public enum WiringProblemKind: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Something is needed that is not registered.
    case missing
    /// Services need each other in a circle.
    case circularDependency
    /// Something that lives longer needs what belongs to a screen, a session or a request.
    case captive
    /// A synchronous factory needs what has to be created on another actor.
    case wrongIsolation
    /// A synchronous factory needs what has to be created asynchronously.
    case requiresAsync
    /// A registration stands for a service that is not registered.
    case aliasWithoutTarget
    /// Modifiers have no effect together: a scope that keeps nothing, and what only matters where something is kept.
    case modifierWithoutEffect
    /// A problem was accepted that is not there.
    case acceptedInVain
    /// In a rehearsal, a service could not be created, or a release hook threw.
    case failed
    /// In a rehearsal, creating a service did not come to an end in time.
    case hangs
    /// In a rehearsal, several registrations keep an instance of the same class each.
    case tornLifestyle
    /// In a rehearsal, a class is asked for by its own type, and registered behind a protocol with another lifetime.
    case shortCircuited

    /// Whether it is only warned of.
    public var isWarning: Bool {
        switch self {
        case .modifierWithoutEffect, .tornLifestyle, .shortCircuited: true
        default: false
        }
    }

    /// Whether it follows from what a service needs, and from what that is.
    package var isOfEdges: Bool {
        switch self {
        case .captive, .wrongIsolation, .requiresAsync: true
        default: false
        }
    }

    /// Whether `rehearse` finds it, and not `verify()`.
    package var isOfRehearsal: Bool {
        switch self {
        case .failed, .hangs, .tornLifestyle, .shortCircuited: true
        default: false
        }
    }

    public var description: String { rawValue }
}

/// What a registration says of its wiring.
final class DeclaredWiring: Sendable {
    /// nil where nothing says it.
    let needs: [Dependency]?
    /// The problems that are accepted, and why.
    let accepted: [(kind: WiringProblemKind, reason: String)]

    /// What was said before, and more.
    init(
        _ old: DeclaredWiring? = nil, needs: [Dependency]? = nil,
        accepted: [(kind: WiringProblemKind, reason: String)] = []
    ) {
        self.needs = needs.map { (old?.needs ?? []) + $0 } ?? old?.needs
        self.accepted = (old?.accepted ?? []) + accepted
    }
}

extension ResolverOptions {
    /// Says what the factory needs, for `verify()` to check. It changes nothing else.
    ///
    ///     register { resolver in Cart(api: resolver.resolve()) }.needs(API.self)
    ///
    /// `autoregister` says it by itself. An optional type is needed if it is there: `.needs(Analytics?.self)`.
    @discardableResult
    public func needs(_ types: Any.Type...) -> ResolverOptions<Service> {
        registration.declare(needs: types.map { Dependency($0) })
        return self
    }

    /// Says that the factory needs a service with this name, for `verify()` to check.
    @discardableResult
    public func needs(_ type: Any.Type, name: Resolver.Name) -> ResolverOptions<Service> {
        registration.declare(needs: [Dependency(type, name: name)])
        return self
    }

    /// Accepts a problem that `verify()` would report of this registration, because it is none here.
    ///
    ///     register { Cache(session: .current) }.scope(.application).needs(Session.self)
    ///         .accepting(.captive, because: "the cache is cleared at logout")
    ///
    /// If the problem is not there, or not any more, that is reported as `acceptedInVain`.
    @discardableResult
    public func accepting(_ kind: WiringProblemKind, because reason: String) -> ResolverOptions<Service> {
        registration.declare(accepted: [(kind, reason)])
        return self
    }

    /// Says what the parameters of an initializer need.
    @usableFromInline
    func needingParameters(_ types: [Any.Type]) -> ResolverOptions<Service> {
        AnyResolverRegistration.refuseTuples(types, of: Service.self, registration.location)
        registration.declare(needs: types.map { Dependency($0) })
        return self
    }
}

extension AnyResolverRegistration {
    /// Swift passes more parameters than there are overloads for as one tuple.
    static func refuseTuples(_ needs: [Any.Type], of service: Any.Type, _ location: SourceLocation) {
        guard let tuple = needs.first(where: TypeMetadata.isTuple) else { return }
        fatalError(Messages.tooManyParameters(service, tuple, location))
    }

    fileprivate final func declare(
        needs: [Dependency]? = nil, accepted: [(kind: WiringProblemKind, reason: String)] = []
    ) {
        replacePlan { plan in
            plan.with { $0.wiring = DeclaredWiring($0.wiring, needs: needs, accepted: accepted) }
        }
    }
}

/// What optionals of all types have in common.
protocol AnyOptional {
    static var wrapped: Any.Type { get }
    /// The service of the wrapped type, as an optional.
    static func part(of resolver: Resolver, _ fileID: StaticString, _ line: UInt) throws -> Any
}

extension Optional: AnyOptional {
    static var wrapped: Any.Type { Wrapped.self }

    static func part(of resolver: Resolver, _ fileID: StaticString, _ line: UInt) throws -> Any {
        try resolver.serviceInFull(Wrapped.self, fileID, line) as Any
    }
}
