import Resolver
import Testing

/// A scope, and what the contract of all scopes leaves to each.
struct ScopeRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The scope for one test: a new one, but for the two that the whole process has in common.
    let make: @Sendable () -> any ResolverScopeType
    /// Holds objects as long as somebody else does, and no values.
    var isWeak = false
    /// Resolvers that run the same `register` call have one instance together, which outlives them.
    var sharesDefinitions = false
    /// Other tests keep something in it.
    var isProcessWide = false
    /// Answers `existing()`.
    var answersExisting = true
    /// What to reset in order to reset the scope everywhere, if that is not the scope.
    var cache: (@Sendable (Resolver) -> any ResolverScopeType)?

    /// The scopes that hand out one instance again and again.
    static let keeping = [
        ScopeRow(
            testDescription: "application", make: { ResolverScope.application }, sharesDefinitions: true,
            isProcessWide: true),
        ScopeRow(testDescription: "cached", make: { ResolverScope.cached }, isProcessWide: true),
        ScopeRow(testDescription: "container", make: { ResolverScope.container }, cache: { $0.cache }),
        ScopeRow(testDescription: "shared, while held", make: { ResolverScopeShare() }, isWeak: true),
        ScopeRow(testDescription: "a cache", make: { ResolverScopeCache() }),
        ScopeRow(testDescription: "a subclass of the cache", make: { CountingCache() }),
        ScopeRow(
            testDescription: "a cache by definition", make: { ResolverScopeCache(sharing: .definition) },
            sharesDefinitions: true),
        ScopeRow(testDescription: "a scope on a cache", make: { ScopeOnCache() }, answersExisting: false),
        ScopeRow(testDescription: "the services used last", make: { LastUsedScope(3) }),
    ]

    static let all =
        keeping + [
            ScopeRow(testDescription: "graph", make: { ResolverScope.graph }),
            ScopeRow(testDescription: "unique", make: { ResolverScope.unique }),
        ]
}

/// A subclass, which has to be asked for each call.
final class CountingCache: ResolverScopeCache, @unchecked Sendable {
    let asked = Box(0)

    override func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? {
        asked.increment()
        return super.resolve(registration: registration, resolver: resolver, args: args)
    }
}

/// The least that a scope of one's own has to have.
final class ScopeOnCache: ResolverScopeType {
    private let cache = ResolverScopeCache()

    func resolve<Service>(
        registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
    ) -> Service? {
        cache.resolve(registration: registration, resolver: resolver, args: args)
    }

    func reset() {
        cache.reset()
    }
}

/// A service in the scope of a row, on a resolver of its own.
///
/// It has a name that no other test uses: a singleton is common to all who run the same `register` call for a name.
final class ScopeSubject: Sendable {
    private static let count = Box(0)

    let row: ScopeRow
    let scope: any ResolverScopeType
    let resolver = Resolver()
    let made = Box(0), alive = Box(0)
    private let name = Resolver.Name("subject \(count.increment())")

    init(_ row: ScopeRow) {
        self.row = row
        scope = row.make()
    }

    func register<Service>(
        on other: Resolver? = nil, _ factory: @escaping @Sendable () throws -> Service?
    ) {
        (other ?? resolver).register(name: name, factory: factory).implements(Any.self, name: name).scope(scope)
    }

    /// Registers a `Counted`.
    ///
    /// - Parameter whileMaking: runs inside the factory; gets the number of the instance, from 1.
    func registerCounted(on other: Resolver? = nil, whileMaking: @escaping @Sendable (Int) -> Void = { _ in }) {
        register(on: other) { [made, alive] in
            whileMaking(made.increment())
            return Counted(alive)
        }
    }

    func resolve<Service>(_ type: Service.Type = Counted.self) -> Service {
        resolver.resolve(name: name)
    }

    func resolve(on other: Resolver) -> Counted {
        other.resolve(name: name)
    }

    func tryResolve<Service>(_ type: Service.Type = Counted.self) throws -> Service {
        try resolver.tryResolve(name: name)
    }

    func existing<Service>(_ type: Service.Type = Counted.self) -> Service? {
        resolver.existing(name: name)
    }
}

/// The ways in which a keeper is made to let go of what it keeps.
enum LettingGo: String, CaseIterable, Sendable {
    case resetOfTheScope
    case resetOfTheScopeInItsResolver
    case resetOfAllScopesInTheResolver
    case resetOfTheRegistrations
    case anotherRegistration

    /// Each row with each way that concerns it. A singleton belongs to no resolver that could let go of it, and what the
    /// process has in common a test does not reset.
    static let cases: [(ScopeRow, LettingGo)] = ScopeRow.keeping.flatMap { row in
        allCases.filter { way in
            switch way {
            case .resetOfTheScope: !row.isProcessWide
            case .resetOfAllScopesInTheResolver, .resetOfTheRegistrations: !row.sharesDefinitions
            case .resetOfTheScopeInItsResolver, .anotherRegistration: true
            }
        }.map { (row, $0) }
    }

    /// - Parameter register: registers the subject again, for the ways that take its registration away.
    func perform(on subject: ScopeSubject, register: () -> Void) {
        switch self {
        case .resetOfTheScope: (subject.row.cache?(subject.resolver) ?? subject.scope).reset()
        case .resetOfTheScopeInItsResolver: subject.resolver.reset(scope: subject.scope)
        case .resetOfAllScopesInTheResolver: subject.resolver.reset(.scopes)
        case .resetOfTheRegistrations:
            subject.resolver.reset(.registrations)
            register()
        case .anotherRegistration: register()
        }
    }
}
