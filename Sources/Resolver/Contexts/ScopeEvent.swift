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
    /// Something that is scoped was made anew, and not kept, in a child task, while a scope of the kind is open that child
    /// tasks do not inherit.
    case notInherited(ScopeKind, service: String)
    /// A scope was hidden because `consumer`, which lives longer, was being made: it would have kept what belongs to the scope.
    /// What is `.scoped(to:)` was made anew and not kept; what was registered for the scope alone was not found, or not
    /// registered. `consumer` is `registerAllServices()` where that is what was running.
    case captive(ScopeKind, service: String, consumer: String)
    /// A property with `@Inject` is nil because of an error, and not because there is no such service.
    case injectFailed(service: String, code: ResolutionError.Code, callSite: SourceLocation)
}

// MARK: Observing

extension ScopeContext {
    /// Calls `observer` with each event, on the thread that causes it and outside of every lock, until the observation is
    /// cancelled. It is not told what it causes itself. Without an observer, events are not even made.
    public func observe(_ observer: @escaping @Sendable (ScopeEvent) -> Void) -> ScopeObservation {
        ScopeObservation(ScopeEvent.add(observer))
    }

    /// The events from now on.
    @available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, *)
    public var events: AsyncStream<ScopeEvent> {
        AsyncStream { continuation in
            let observation = ScopeObservation(
                ScopeEvent.add {
                    continuation.yield($0)
                } ended: {
                    continuation.finish()
                })
            continuation.onTermination = { _ in observation.cancel() }
        }
    }
}

/// Ends with `cancel()`, and not by itself.
public final class ScopeObservation: Sendable {
    private let number: UInt64

    fileprivate init(_ number: UInt64) {
        self.number = number
    }

    /// The observer is not called any more, but for calls that have begun.
    public func cancel() {
        ScopeEvent.remove(number)
    }
}

extension ScopeEvent {
    private struct Observer {
        /// In which it was added, and whose events it is told; 0 outside of tests.
        let test = Surroundings.testNumber
        let call: @Sendable (ScopeEvent) -> Void
        let ended: @Sendable () -> Void
    }

    private static let observers = Guarded<[UInt64: Observer]>([:])
    private static let count = AtomicWord(0)

    static var isObserved: Bool { count.load() > 0 }

    static func emit(_ event: () -> ScopeEvent) {
        guard isObserved else { return }
        let test = Surroundings.testNumber
        let listening = observers.withLock { $0 }.filter { $0.value.test == test }.sorted { $0.key < $1.key }
        let cycle = ResolutionCycle.current
        if listening.isEmpty || cycle.state.pointee.isTelling { return }
        cycle.state.pointee.isTelling = true
        defer { cycle.state.pointee.isTelling = false }
        cycle.withoutPass {
            let event = event()
            for (_, observer) in listening { observer.call(event) }
        }
    }

    fileprivate static func add(
        _ observer: @escaping @Sendable (ScopeEvent) -> Void, ended: @escaping @Sendable () -> Void = {}
    ) -> UInt64 {
        let number = ProcessIdentity.next()
        observers.withLock { $0[number] = Observer(call: observer, ended: ended) }
        _ = count.add(1)
        return number
    }

    fileprivate static func remove(_ number: UInt64) {
        remove { key, _ in key == number }
    }

    /// Those that a test has forgotten.
    static func removeObservers(in test: Surroundings.Test) {
        remove { $1.test == test.number }
    }

    private static func remove(where isOver: (UInt64, Observer) -> Bool) {
        // What they have captured is released outside the lock.
        let old = observers.withLock { observers in
            let old = observers.filter(isOver)
            for number in old.keys { observers[number] = nil }
            return old
        }
        _ = count.subtract(UInt64(old.count))
        for observer in old.values { observer.ended() }
    }
}
