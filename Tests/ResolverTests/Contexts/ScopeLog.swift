import Resolver

/// The events of some kinds, or of all, from now on; other tests cause theirs at the same time.
final class ScopeLog: Sendable {
    private let all: Box<[ScopeEvent]>, observation: ResolverObservation

    init(_ kinds: ScopeKind...) {
        let all = Box<[ScopeEvent]>([])
        self.all = all
        observation = ScopeContext.shared.observe { event in
            if kinds.isEmpty { return all.append(event) }
            // Another test may clear a scope that should have outlived one of these kinds.
            if case .outlivesParent(_, let parent) = event, !kinds.contains(parent.kind) { return }
            if let kind = event.kind, kinds.contains(kind) { all.append(event) }
        }
    }

    deinit { stop() }

    func stop() { observation.cancel() }

    var events: [ScopeEvent] { all.value }

    var ends: [End] {
        events.compactMap { event in
            guard case .ended(let scope, let reason, let instances) = event else { return nil }
            return End(kind: scope.kind, id: scope.id, reason: reason, instances: instances)
        }
    }

    /// The services of the `captive` events, and their consumers.
    var captives: [String] {
        events.compactMap { event in
            guard case .captive(_, let service, let consumer) = event else { return nil }
            return [service, consumer].compactMap { $0.split(separator: ".").last }.joined(separator: " by ")
        }
    }

    struct End: Equatable {
        var kind: ScopeKind
        var id: String
        var reason: ScopeEvent.Reason
        var instances: Int
    }
}

extension ScopeEvent {
    var kind: ScopeKind? {
        switch self {
        case .opened(let scope), .ended(let scope, _, _), .sameID(let scope), .outlivesParent(let scope, _),
            .resolvedInEndedScope(let scope, _), .registeredInEndedScope(let scope, _), .dropped(let scope, _),
            .limitExceeded(let scope, _), .openLongerThan(let scope, _):
            scope.kind
        case .clearedWithoutScope(let kind), .emptyID(let kind), .registeredWithoutScope(let kind, _),
            .resolvedWithoutScope(let kind, _), .notInherited(let kind, _), .captive(let kind, _, _):
            kind
        case .injectFailed, .sharedValue, .defaultScopeChanged: nil
        }
    }
}

extension ScopeContext {
    func openIDs(of kind: ScopeKind) -> [String] { openScopes().filter { $0.kind == kind }.map(\.id) }
}

extension ScopeHandle {
    /// Resolves a service in a task's code that runs in the scope.
    func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, in resolver: Resolver, args: (any Sendable)? = nil
    ) async throws -> Service { try await run { () async throws in try await resolver.resolveAsync(type, args: args) } }
}

extension ScopeKind {
    static func ofTest(_ name: String, _ binding: Binding = .execution) -> ScopeKind {
        ScopeKind("of a test, \(name)", rank: 20, binding: binding)
    }
}
