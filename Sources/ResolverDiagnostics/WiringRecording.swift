import Resolver

/// A recording of created services and their requests, while tests or an app run. See `Resolver.recordWiring`.
public final class WiringRecording: Sendable {
    private struct State {
        var types: [ServiceKey: String] = [:]
        /// The source locations of the created services' registrations.
        var created: [ServiceKey: Set<Resolver.SourceLocation>] = [:]
        var needs: [ServiceKey: Set<ServiceKey>] = [:]

        mutating func add(_ key: ServiceKey, _ service: ResolverDependency) {
            if types[key] == nil { types[key] = service.description }
        }

        mutating func note(_ event: ResolutionEvent) {
            switch event.kind {
            case .made:
                add(event.key, ResolverDependency(event.type, name: event.name))
                if let place = event.registered { created[event.key, default: []].insert(place) }
            case .lookup:
                guard let consumer = event.consumer, let key = event.consumerKey, event.registered != nil else { break }
                add(key, ResolverDependency(consumer, name: event.consumerName))
                add(event.key, ResolverDependency(event.type, name: event.name))
                needs[key, default: []].insert(event.key)
            case .hit, .kept:
                break
            }
        }
    }

    private let state: Guarded<State>
    private let observation: ResolverObservation

    init() {
        // The observer holds only the state, so the recording can be released, which ends the observation.
        let state = Guarded(holding: State())
        self.state = state
        observation = Resolver.observeAll { event in state.withLock { $0.note(event) } }
    }

    deinit { observation.cancel() }

    /// The wiring recorded so far, sorted by service.
    public var wiring: RecordedWiring {
        let state = state.withLock { $0 }
        let services = state.created.keys.map { key in
            RecordedWiring.Service(
                service: state.types[key] ?? "", needs: (state.needs[key] ?? []).compactMap { state.types[$0] }.sorted()
            )
        }
        // Private types of several files may have one name.
        let sorted = services.sorted {
            $0.service == $1.service ? $0.needs.lexicographicallyPrecedes($1.needs) : $0.service < $1.service
        }
        return RecordedWiring(services: sorted)
    }

    /// Returns the services that were not created: `recording.notCreated(of: Resolver.main.registrations)`.
    ///
    /// Aliases are left out, because they create nothing themselves.
    public func notCreated(of services: [RegisteredService]) -> [RegisteredService] {
        let created = state.withLock { $0.created }
        return services.filter { service in
            service.target == nil
                && created[service.key]?.contains(service.location) != true
        }
    }
}

/// The services that were created during a recording, and the requests of their factories.
///
/// The order of calls does not affect it, so a test can compare it with a file.
public struct RecordedWiring: Codable, Hashable, Sendable, CustomStringConvertible {
    /// A service that was created.
    public struct Service: Codable, Hashable, Sendable {
        /// The type, and the name in quotation marks if there is one.
        public let service: String
        /// The registered services that its factory has requested, sorted, each once.
        public let needs: [String]
    }

    /// The created services, sorted.
    public let services: [Service]

    package init(services: [Service]) { self.services = services }

    /// One line for each service, as in `Shop.Cart: Shop.API, Shop.Clock`.
    public var description: String {
        services.map { $0.needs.isEmpty ? $0.service : "\($0.service): \($0.needs.joined(separator: ", "))" }
            .joined(separator: "\n")
    }
}

extension Resolver {
    /// Records the services that all resolvers create, also in isolated tests, until the recording is released.
    ///
    ///     let recording = Resolver.recordWiring()
    ///     …
    ///     #expect(recording.notCreated(of: Resolver.main.registrations).isEmpty)
    ///
    /// Calls are slower meanwhile, as with `Resolver.observe`.
    public static func recordWiring() -> WiringRecording { WiringRecording() }
}
