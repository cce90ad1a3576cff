/// An event of a scope, for logs and diagnostics. Later versions may add cases.
public enum ScopeEvent: Sendable, Equatable {
    /// The reason why a scope ended.
    public enum Reason: String, Sendable, CustomStringConvertible {
        /// `end()` was called, or `withScope` ended.
        case ended
        /// `clear` was called.
        case cleared
        /// Another scope of the kind was set.
        case replaced
        /// The scope expired.
        case expired
        /// The last reference to the handle was released.
        case dropped

        init(_ reason: ReleaseReason) {
            switch reason {
            case .returned, .threw, .cancelled, .ended, .released: self = .ended
            case .cleared: self = .cleared
            case .replaced: self = .replaced
            case .expired: self = .expired
            case .dropped: self = .dropped
            }
        }

        /// The name of the reason.
        public var description: String { rawValue }
    }

    /// The kind and id of a scope.
    public struct Scope: Hashable, Sendable, CustomStringConvertible {
        /// The kind of the scope.
        public let kind: ScopeKind
        /// The id of the scope, a label for people.
        public let id: String

        public init(kind: ScopeKind, id: String) {
            self.kind = kind
            self.id = id
        }

        public var description: String { "\(kind) \"\(id)\"" }
    }

    /// A scope has begun.
    case opened(Scope)
    /// A scope that kept this many instances has ended.
    case ended(Scope, reason: Reason, instances: Int)
    /// `clear` was called, and no scope of the kind was current.
    case clearedWithoutScope(ScopeKind)
    /// `clear` ended `parent`, and a scope that began inside it is still open.
    case outlivesParent(Scope, parent: Scope)
    /// The last reference to the handle of an open scope was released, which ends the scope. A call of `end()` is missing.
    case dropped(Scope, openedAt: Resolver.SourceLocation)
    /// A scope keeps more instances than the limit of its kind: see `setLimits`.
    case limitExceeded(Scope, instances: Int)
    /// A scope has been open for longer than the limit of its kind: see `setLimits`.
    case openLongerThan(Scope, seconds: Double)
    /// A scope began with an empty id.
    case emptyID(ScopeKind)
    /// A scope began with the id of an open scope of its kind. The two scopes are separate.
    case sameID(Scope)
    /// `registerScoped` was called without a current scope, and registered the service for all later scopes.
    case registeredWithoutScope(ScopeKind, service: String)
    /// `registerScoped` was called in code whose scope has ended, and registered nothing.
    case registeredInEndedScope(Scope, service: String)
    /// A scoped service was created and not kept, because no scope of the kind is current. If it requires a scope, it was not created.
    case resolvedWithoutScope(ScopeKind, service: String)
    /// A scoped service was created and not kept, because the scope of the calling code has ended.
    case resolvedInEndedScope(Scope, service: String)
    /// A child task does not inherit an open scope of the kind.
    ///
    /// A scoped service was created and not kept, or a service that is registered for the scope alone was not found.
    case notInherited(ScopeKind, service: String)
    /// A scope was hidden while `consumer` was created, which lives longer and would have captured an instance of the scope.
    ///
    /// A service with `.scoped(to:)` was created and not kept, or a service for the scope alone was not found or not registered.
    /// `consumer` is `registerAllServices()` if that was running.
    case captive(ScopeKind, service: String, consumer: String)
    /// A service with `.scope(.shared)` is a value, which cannot be held weakly. Every call creates one. Emitted once for each service.
    case sharedValue(service: String)
    /// A default scope was changed after its resolvers registered this many services, which keep their scope.
    case defaultScopeChanged(afterRegistrations: Int)
    /// A property with `@Inject` is nil because of an error that would make `optional()` trap.
    case injectFailed(service: String, code: ResolutionError.Code, callSite: Resolver.SourceLocation)
}

// MARK: Observing

extension ScopeContext {
    /// Calls `observer` with each event, until the observation is cancelled.
    ///
    /// The call is on the thread that causes the event, outside every lock. The observer does not get events that it causes itself.
    /// Without an observer, no events are created.
    public func observe(_ observer: @escaping @Sendable (ScopeEvent) -> Void) -> ResolverObservation {
        ScopeEvent.observers.add(observer)
    }

    /// A stream of the events from now on.
    ///
    /// The stream keeps the events that were not read yet, so release it when you stop reading.
    public var events: AsyncStream<ScopeEvent> {
        AsyncStream { continuation in
            let observation = ScopeEvent.observers.add {
                continuation.yield($0)
            } ended: {
                continuation.finish()
            }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }
}

extension ScopeHandle {
    /// The name of the scope in messages.
    var label: String { description.description }

    var description: ScopeEvent.Scope { ScopeEvent.Scope(kind: kind, id: id) }
}

extension ScopeEvent {
    static let observers = Observers<ScopeEvent>(bit: 2)

    static var isObserved: Bool { observers.areThereAny }

    static func emit(_ event: () -> ScopeEvent) { observers.emit(event) }
}
