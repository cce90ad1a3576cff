import Resolver
import Testing

/// A scope, and the properties that the contract leaves to each scope.
struct ScopeRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Returns the scope for one test: a new one, except for the two process-wide scopes.
    let make: @Sendable () -> any ResolverScopeType
    /// Retains objects weakly, and caches no values.
    var isWeak = false
    /// Resolvers that run the same `register` call share one instance, which outlives a reset of all their scopes.
    var sharesDefinitions = false
    var isProcessWide = false
    var answersExisting = true
    /// The scope to reset in order to reset this scope everywhere, if it is another one.
    var cache: (@Sendable (Resolver) -> any ResolverScopeType)?

    static let keeping = [
        ScopeRow(
            testDescription: "application", make: { ResolverScope.application }, sharesDefinitions: true,
            isProcessWide: true),
        ScopeRow(testDescription: "cached", make: { ResolverScope.cached }, isProcessWide: true),
        ScopeRow(testDescription: "container", make: { ResolverScope.container }, cache: { $0.cache }),
        ScopeRow(testDescription: "shared, while held", make: { ResolverScopeShare() }, isWeak: true),
        ScopeRow(testDescription: "a cache", make: { ResolverScopeCache() }),
        ScopeRow(testDescription: "a subclass of the cache", make: { AuditedCache() }),
        ScopeRow(
            testDescription: "a cache by definition", make: { ResolverScopeCache(sharing: .definition) },
            sharesDefinitions: true),
        ScopeRow(testDescription: "a scope on a cache", make: { ScopeOnCache() }, answersExisting: false),
        ScopeRow(testDescription: "the services used last", make: { LastUsedScope(3) }),
    ]
}

/// A custom scope with the minimum of requirements.
final class ScopeOnCache: ResolverScopeType {
    private let cache = ResolverScopeCache()

    func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
        cache.resolve(registration: registration, resolver: resolver, args: args)
    }

    func reset() { cache.reset() }
}

/// A service in the scope of a row, on its own resolver.
///
/// Its name is unique: resolvers that run the same `register` call for a name share a singleton.
final class ScopeSubject: Sendable {
    private static let count = Box(0)

    let row: ScopeRow, scope: any ResolverScopeType
    let resolver = Resolver(), made = Box(0), alive = Box(0)
    private let name = Resolver.Name("subject \(count.increment())")

    init(_ row: ScopeRow) { (self.row, scope) = (row, row.make()) }

    func register<Service>(_ factory: @escaping @Sendable () throws -> Service?) {
        resolver.register(name: name, factory: factory).implements(Any.self, name: name).scope(scope)
    }

    /// Registers a `Counted`.
    ///
    /// - Parameter whileMaking: runs inside the factory; receives the number of the instance, from 1.
    func registerCounted(whileMaking: @escaping @Sendable (Int) -> Void = { _ in }) {
        register { [made, alive] in
            whileMaking(made.increment())
            return Counted(alive)
        }
    }

    func resolve<Service>(_ type: Service.Type = Counted.self) -> Service { resolver.resolve(name: name) }

    func tryResolve<Service>(_ type: Service.Type = Counted.self) throws -> Service {
        try resolver.tryResolve(name: name)
    }

    func optional<Service>(_ type: Service.Type = Counted.self) -> Service? { resolver.optional(name: name) }

    func existing<Service>(_ type: Service.Type = Counted.self) -> Service? { resolver.existing(name: name) }
}

/// The ways to release a cached instance.
enum LettingGo: String, CaseIterable, Sendable {
    case resetOfTheScope
    case resetOfTheScopeInItsResolver
    case resetOfAllScopesInTheResolver
    case resetOfTheRegistrations
    case anotherRegistration

    /// Each row with each way that applies to it. Resolvers do not release singletons, and a test does not reset
    /// process-wide scopes.
    static let cases: [(ScopeRow, LettingGo)] = ScopeRow.keeping.flatMap { row in
        allCases.filter { way in
            switch way {
            case .resetOfTheScope: !row.isProcessWide
            case .resetOfAllScopesInTheResolver, .resetOfTheRegistrations: !row.sharesDefinitions
            case .resetOfTheScopeInItsResolver, .anotherRegistration: true
            }
        }.map { (row, $0) }
    }

    /// - Parameter register: registers the subject again, for the ways that remove its registration.
    func perform(on subject: ScopeSubject, register: () -> Void) {
        switch self {
        case .resetOfTheScope: (subject.row.cache?(subject.resolver) ?? subject.scope).reset()
        case .resetOfTheScopeInItsResolver: subject.resolver.reset(scope: subject.scope)
        case .resetOfAllScopesInTheResolver: subject.resolver.reset(.scopes)
        case .resetOfTheRegistrations:
            subject.resolver.reset(.registrations)
            expect(subject.optional(), is: nil, "the registration is removed at once")
            register()
        case .anotherRegistration: register()
        }
    }
}
