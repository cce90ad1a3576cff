/// Something that happened to a scope, for logs and for finding mistakes. Later versions may add cases.
public enum ScopeEvent: Sendable, Equatable {
    /// Why a scope ended.
    public enum Reason: String, Sendable, CustomStringConvertible {
        /// `end()`, or the end of `withScope`.
        case ended
        /// `clear`.
        case cleared
        /// Another one of its kind was set.
        case replaced
        /// Its time was over.
        case expired
        /// The last reference to its handle has gone.
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

        /// Its name.
        public var description: String { rawValue }
    }

    /// Which scope it was.
    public struct Scope: Hashable, Sendable, CustomStringConvertible {
        public let kind: ScopeKind
        public let id: String

        public init(kind: ScopeKind, id: String) {
            self.kind = kind
            self.id = id
        }

        public var description: String { "\(kind) \"\(id)\"" }
    }

    /// A scope has begun.
    case opened(Scope)
    /// A scope has ended; how many instances it kept.
    case ended(Scope, reason: Reason, instances: Int)
    /// `clear` was called, and there was nothing to clear.
    case clearedWithoutScope(ScopeKind)
    /// `clear` has ended a scope, and one that began inside it goes on.
    case outlivesParent(Scope, parent: Scope)
    /// The last reference to the handle of an open scope has gone, which ends the scope: `end()` was forgotten.
    case dropped(Scope, openedAt: Resolver.SourceLocation)
    /// A scope keeps more instances than the limit of its kind: see `setLimits`.
    case limitExceeded(Scope, instances: Int)
    /// A scope has been open for longer than the limit of its kind: see `setLimits`.
    case openLongerThan(Scope, seconds: Double)
    /// A scope begins without an id.
    case emptyID(ScopeKind)
    /// A scope begins with the id of one that is open. They are two scopes all the same.
    case sameID(Scope)
    /// `registerScoped` was called without a current scope, and has registered for all scopes to come.
    case registeredWithoutScope(ScopeKind, service: String)
    /// `registerScoped` was called in code whose scope has ended: nothing was registered.
    case registeredInEndedScope(Scope, service: String)
    /// Something that is scoped was made anew, and not kept, as no scope of the kind is current. (What requires a scope was
    /// not made.)
    case resolvedWithoutScope(ScopeKind, service: String)
    /// Something that is scoped was made anew, and not kept, as the scope that the code belongs to has ended.
    case resolvedInEndedScope(Scope, service: String)
    /// A scope of the kind is open that a child task does not inherit. There, something that is scoped was made anew and not kept, or what
    /// was registered for the scope alone was not found.
    case notInherited(ScopeKind, service: String)
    /// A scope was hidden because `consumer`, which lives longer, was being made: it would have kept what belongs to the scope.
    /// What is `.scoped(to:)` was made anew and not kept; what was registered for the scope alone was not found, or not
    /// registered. `consumer` is `registerAllServices()` where that is what was running.
    case captive(ScopeKind, service: String, consumer: String)
    /// A service with `.scope(.shared)` is a value, which cannot be held weakly: every call creates another one. Once for each service.
    case sharedValue(service: String)
    /// A default scope was changed after this many services were registered in the resolvers that it is for: those keep the scope they have.
    case defaultScopeChanged(afterRegistrations: Int)
    /// A property with `@Inject` is nil because of an error, and not because there is no such service.
    case injectFailed(service: String, code: ResolutionError.Code, callSite: Resolver.SourceLocation)
}

// MARK: Observing

extension ScopeContext {
    /// Calls `observer` with each event, on the thread that causes it and outside of every lock, until the observation is
    /// cancelled. It is not told what it causes itself. Without an observer, events are not even made.
    public func observe(_ observer: @escaping @Sendable (ScopeEvent) -> Void) -> ResolverObservation {
        ScopeEvent.observers.add(observer)
    }

    /// The events from now on.
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

extension ScopeEvent {
    static let observers = Observers<ScopeEvent>()

    static var isObserved: Bool { observers.areThereAny }

    static func emit(_ event: () -> ScopeEvent) { observers.emit(event) }
}
