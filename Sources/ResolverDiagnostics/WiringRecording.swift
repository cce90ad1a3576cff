import Resolver

/// Records what is created, and what factories ask for, while tests or an app run: see `Resolver.recordWiring`.
public final class WiringRecording: Sendable {
    private struct State {
        var types: [Wiring.Key: String] = [:]
        var created: Set<Wiring.Key> = []
        var needs: [Wiring.Key: Set<Wiring.Key>] = [:]

        mutating func add(_ key: Wiring.Key, _ service: Dependency) {
            if types[key] == nil { types[key] = service.description }
        }
    }

    private let state = Guarded(holding: State())
    private let observation = Guarded<ResolverObservation?>(holding: nil)

    init() {
        observation.withLock { observation in
            observation = Resolver.observeAll { [weak self] in self?.note($0) }
        }
    }

    deinit {
        observation.withLock { $0 }?.cancel()
    }

    func note(_ event: ResolutionEvent) {
        state.withLock { state in
            switch event.kind {
            case .made:
                state.add(event.key, Dependency(event.type, name: event.name))
                state.created.insert(event.key)
            case .lookup:
                guard let consumer = event.consumer, let key = event.consumerKey, event.registered != nil else { break }
                state.add(key, Dependency(consumer, name: event.consumerName))
                state.add(event.key, Dependency(event.type, name: event.name))
                state.needs[key, default: []].insert(event.key)
            case .hit, .kept:
                break
            }
        }
    }

    /// What was recorded up to now, sorted by services.
    public var wiring: RecordedWiring {
        let state = state.withLock { $0 }
        let services = Set(state.created).union(state.needs.keys).map { key in
            RecordedWiring.Service(
                service: state.types[key] ?? "", needs: (state.needs[key] ?? []).compactMap { state.types[$0] }.sorted()
            )
        }
        return RecordedWiring(services: services.sorted { $0.service < $1.service })
    }

    /// The services that were not created, of those that are registered: `recording.notCreated(of: Resolver.main.registrations)`.
    ///
    /// Names that `.implements` has registered are left out, as they create nothing themselves.
    public func notCreated(of services: [RegisteredService]) -> [RegisteredService] {
        let created = state.withLock { $0.created }
        return services.filter { $0.target == nil && !created.contains(Wiring.Key($0.type, $0.name)) }
    }
}

/// What was created while a recording ran, and what the factories asked for. It is the same for the same calls, whatever the order, so a
/// test can compare it with a file.
public struct RecordedWiring: Codable, Hashable, Sendable, CustomStringConvertible {
    /// A service that was created.
    public struct Service: Codable, Hashable, Sendable {
        /// Its type, and its name in quotation marks if there is one.
        public let service: String
        /// What its factory has asked for and was registered, each once, sorted.
        public let needs: [String]
    }

    /// The services that were created, sorted.
    public let services: [Service]

    package init(services: [Service]) {
        self.services = services
    }

    /// One line for each service, as in `Shop.Cart: Shop.API, Shop.Clock`.
    public var description: String {
        services.map { $0.needs.isEmpty ? $0.service : "\($0.service): \($0.needs.joined(separator: ", "))" }
            .joined(separator: "\n")
    }
}

extension Resolver {
    /// Records what all resolvers create, also in tests that are isolated from each other, until the recording is no longer referred to.
    ///
    ///     let recording = Resolver.recordWiring()
    ///     …
    ///     #expect(recording.notCreated(of: Resolver.main.registrations).isEmpty)
    ///
    /// While it runs, calls take longer, as with `Resolver.observe`.
    public static func recordWiring() -> WiringRecording {
        WiringRecording()
    }
}
