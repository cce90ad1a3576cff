import Resolver
import ResolverSpecification

/// The adapter of this library to the specification.
///
/// It uses process-wide state: the current contexts, the clock and process-wide scopes. It needs a test with its own
/// resolver, or a process that runs nothing else.
class ResolverSystem: SystemUnderTest, @unchecked Sendable {
    /// The kind of container that is asked.
    enum Subject: String, CaseIterable, Codable, Sendable {
        /// A plain resolver.
        case resolver
        /// A parent of the resolver that registers.
        case child
        /// An isolating resolver over the resolver that registers.
        case isolating
        /// The resolver of a test.
        case ofTest
        /// The resolver of a node below the node that registers.
        case node
    }

    var features: Set<Feature> {
        var features = Set(Feature.allCases)
        // An isolating resolver caches its instances itself, in every scope.
        if subject == .isolating { features.subtract([.sharedSingletons, .lastingSingletons, .resetsEverywhere]) }
        // The test's resolvers release their instances when they end, and a scope's reset reaches all of them.
        if isInTest { features.subtract([.lastingSingletons, .isolationFromResets]) }
        return features
    }

    /// A custom cache.
    static let custom = ResolverScopeCache()

    private let subject: Subject, isInTest: Bool
    private let time = Box(0.0)

    init(_ subject: Subject = .resolver, isInTest: Bool = true) {
        (self.subject, self.isInTest) = (subject, isInTest)
        // The clock of contexts. Containers have their own clock.
        let clock = ResolverClock { [time] in time.value }
        if isInTest { Resolver.main.clock = clock } else { Resolver.clock = clock }
    }

    /// Releases process-wide instances and contexts, between promises in one process.
    static func discardAll() {
        ScopeContext.shared.clearAll()
        for scope in [ResolverScope.application, .cached, .shared, custom] { scope.reset() }
    }

    func makeContainer() -> any ContainerUnderTest {
        switch subject {
        case .resolver: return container(Resolver())
        case .ofTest: return container(Resolver(child: .main))
        case .child:
            let base = Resolver()
            return container(Resolver(child: base), registering: base)
        case .isolating:
            let base = Resolver()
            return container(Resolver(isolating: base), registering: base)
        case .node:
            let parent = ScopeNode(), node = ScopeNode(parent: parent)
            return container(node.resolver, registering: parent.resolver, holding: [parent, node])
        }
    }

    private func container(
        _ asked: Resolver, registering: Resolver? = nil, holding nodes: [ScopeNode] = []
    ) -> ResolverContainer {
        let time = time
        for resolver in [asked, registering ?? asked] { resolver.clock = ResolverClock { time.value } }
        return ResolverContainer(asked, registering: registering, holding: nodes)
    }

    func makeContainer(before parent: any ContainerUnderTest) -> any ContainerUnderTest {
        container(Resolver(child: ResolverSystem.resolver(of: parent)))
    }

    func makeContainer(isolating parent: any ContainerUnderTest) -> any ContainerUnderTest {
        container(Resolver(isolating: ResolverSystem.resolver(of: parent)))
    }

    private static func resolver(of container: any ContainerUnderTest) -> Resolver {
        guard let container = container as? ResolverContainer else {
            preconditionFailure("another library's container")
        }
        return container.asked
    }

    func reset(_ lifetime: Lifetime) { ResolverSystem.scope(lifetime).reset() }

    func resetAndWait(_ lifetime: Lifetime) async { await ResolverSystem.scope(lifetime).resetAndWait() }

    func setTime(_ seconds: Double) { time.set(seconds) }

    func decorate(_ observer: (@Sendable (Any) -> Void)?) {
        ResolverSystem.observers.update { observers in
            observers.handedOut[ObjectIdentifier(self)] = observer
            guard !observers.handedOut.isEmpty else { return Resolver.decorate = nil }
            Resolver.decorate = { service in
                for observer in ResolverSystem.observers.value.handedOut.values { observer(service) }
            }
        }
    }

    func report(_ observer: (@Sendable (Failure) -> Void)?) {
        ResolverSystem.observers.update { observers in
            let atFirst = ResolverSystem.reportAtFirst
            observers.failed[ObjectIdentifier(self)] = observer
            guard !observers.failed.isEmpty else { return Resolver.report = atFirst }
            Resolver.report = { error in
                for observer in ResolverSystem.observers.value.failed.values { observer(Failure(error)) }
            }
        }
    }

    func onRelease<Service: Sendable>(
        _ registration: any RegistrationUnderTest<Service>,
        awaiting hook: @escaping @Sendable (Service) async throws -> Void
    ) {
        guard let registration = registration as? ResolverRegistrationUnderTest<Service> else {
            preconditionFailure("another library's registration")
        }
        registration.options.onRelease { (service: Service) async throws in try await hook(service) }
    }

    /// The observers of all running tests: the process has one closure for them.
    private struct Observers: Sendable {
        var handedOut: [ObjectIdentifier: @Sendable (Any) -> Void] = [:]
        var failed: [ObjectIdentifier: @Sendable (Failure) -> Void] = [:]
    }
    private static let observers = Box(Observers()), reportAtFirst = Resolver.report

    static func scope(_ lifetime: Lifetime) -> ResolverScope {
        switch lifetime {
        case .unique: .unique
        case .graph: .graph
        case .shared: .shared
        case .cached: .cached
        case .container: .container
        case .application: .application
        case .custom: custom
        case .context: preconditionFailure("a context has no scope")
        }
    }
}

/// A library that ignores a reset of what is cached.
final class Forgetful: ResolverSystem, @unchecked Sendable {
    override func reset(_ lifetime: Lifetime) { if lifetime != .cached { super.reset(lifetime) } }
}

// MARK: Contexts

extension ResolverSystem {
    func setCurrent(_ kind: ContextKind, id: String) -> any ContextUnderTest {
        ScopeUnderTest(handle: ScopeContext.shared.setCurrent(ScopeKind(kind), id: id))
    }

    func clear(_ kind: ContextKind) { ScopeContext.shared.clear(ScopeKind(kind)) }

    func currentID(_ kind: ContextKind) -> String? { ScopeContext.shared.currentID(for: ScopeKind(kind)) }

    func withContext(_ kind: ContextKind, id: String, _ body: () throws -> Void) rethrows {
        try Resolver.withScope(ScopeKind(kind), id: id, body)
    }

    func withContext(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async rethrows {
        try await Resolver.withScope(ScopeKind(kind), id: id) { try await body() }
    }

    func register<Service>(
        _ type: Service.Type, in kind: ContextKind, line: UInt, factory: @escaping @Sendable () throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        let options = Resolver.registerScoped(type, scope: ScopeKind(kind), line: line) {
            try Failure.passingOn(factory)
        }
        return ResolverRegistrationUnderTest(options: options)
    }

    func clearAndWait(_ kind: ContextKind) async { await ScopeContext.shared.clearAndWait(ScopeKind(kind)) }

    func clearCascading(_ kind: ContextKind) { ScopeContext.shared.clear(ScopeKind(kind), cascade: true) }

    func setCurrent(_ kind: ContextKind, id: String, expiresAfter seconds: Double) -> any ContextUnderTest {
        ScopeUnderTest(handle: ScopeContext.shared.setCurrent(ScopeKind(kind), id: id, expiresAfter: .seconds(seconds)))
    }

    func withBoundary(_ body: @Sendable () async throws -> Void) async rethrows {
        try await ScopeContext.boundary { try await body() }
    }

    func replaceCurrent(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async throws {
        try await Failure.wrapping {
            try await ScopeContext.shared.replaceCurrent(ScopeKind(kind), id: id) { try await body() }
        }
    }
}

extension ScopeKind {
    init(_ kind: ContextKind) {
        switch kind {
        case .request: self = .request
        case .screen: self = .screen
        case .session: self = .session
        }
    }
}

struct ScopeUnderTest: ContextUnderTest {
    let handle: ScopeHandle

    var isOpen: Bool { handle.isOpen }
    func end() { handle.end() }
    func endAndWait() async { await handle.endAndWait() }
    func run(_ body: () throws -> Void) rethrows { try handle.run(body) }
}
