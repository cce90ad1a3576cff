/// A step of a call, for logs and debugging. Later versions may add kinds.
///
/// A call that gets a kept instance is reported as `lookup`, `hit`. A call that creates an instance is reported as `lookup`,
/// the events of its dependencies, `made`, and `kept` if a scope keeps the instance. `existing()` is not reported.
public struct ResolutionEvent: Sendable, CustomStringConvertible {
    /// The kinds of steps.
    public enum Kind: String, Sendable {
        /// A service is requested. Reported before anything is created.
        case lookup
        /// The call got an instance without running a factory. A task that has waited for an instance reports only `lookup`.
        case hit
        /// A factory has created an instance.
        case made
        /// A scope keeps the new instance.
        case kept
    }

    /// The kind of step.
    public let kind: Kind
    /// The requested type; for `made` and `kept`, the type of the registration.
    public let type: Any.Type
    /// The name, if there is one.
    public var name: Resolver.Name? { key.name }
    /// The source location of the registration; nil if the service is not registered.
    public let registered: Resolver.SourceLocation?
    /// The source location of the call; nil for `made` and `kept`.
    public let callSite: Resolver.SourceLocation?
    /// The service whose factory issues the call; nil for an outermost call, and for `made` and `kept`.
    public var consumer: Any.Type? { consumerKey.map { TypeMetadata.type(of: $0.service) } }
    /// The name of `consumer`, if it has one.
    public var consumerName: Resolver.Name? { consumerKey?.name }
    package let key: ServiceKey
    package let consumerKey: ServiceKey?
    /// The source location of the registration of `consumer`.
    package let consumerRegistered: Resolver.SourceLocation?

    /// The kind, type and name, as in `made Cart` or `lookup Cart "guest" for Checkout`.
    public var description: String {
        "\(kind) \(Messages.service(type, name))"
            + (consumer.map { " for \(Messages.service($0, consumerName))" } ?? "")
    }

    func with(kind: Kind) -> ResolutionEvent {
        ResolutionEvent(
            kind: kind, type: type, registered: registered, callSite: callSite, key: key, consumerKey: consumerKey,
            consumerRegistered: consumerRegistered)
    }

    /// The facts known when a call begins.
    struct Asked {
        let event: ResolutionEvent
        /// The number of factories that had run on the thread.
        let made: UInt64
    }

    static let observers = Observers<ResolutionEvent>(bit: 1, slowPathReason: SlowPathReasons.observed)
}

extension Resolver {
    /// Calls `observer` with each step of every call to any resolver, until the observation is cancelled.
    ///
    /// The observer runs on the thread that takes the step, outside of every lock, and receives no events that it causes
    /// itself. In a test, it receives the test's events. Calls are slower while there is an observer; without one, they check
    /// one word.
    public static func observe(_ observer: @escaping @Sendable (ResolutionEvent) -> Void) -> ResolverObservation {
        ResolutionEvent.observers.add(observer)
    }

    /// Calls `observer` with the events of all tests too.
    package static func observeAll(_ observer: @escaping @Sendable (ResolutionEvent) -> Void) -> ResolverObservation {
        ResolutionEvent.observers.add(observer, isOfAll: true)
    }
}

extension ResolutionEvent {
    /// Called with a lookup in a test.
    ///
    /// - Parameter isOfTest: whether the test, or one of its suites, registered the service.
    package typealias Watch = @Sendable (_ lookup: ResolutionEvent, _ isOfTest: Bool) -> Void

    /// The failure message for a test that may use only its own registrations; nil if no registration was found.
    package var complaint: String? { registered.map { Messages.notOfTest(type, name, registered: $0) } }
}

extension ResolutionCycle {
    /// Reports a lookup to the test and to observers, once for all passes of a task.
    ///
    /// - Returns: the facts for `reportIfHit`, if there are observers or a test watches.
    @inline(__always)
    func report(
        _ key: ServiceKey, _ found: AnyResolverRegistration?, by resolver: Resolver, askedAt callSite: SourceLocation
    ) -> ResolutionEvent.Asked? {
        guard SlowPathReasons.isSet(SlowPathReasons.watched | SlowPathReasons.observed) else { return nil }
        return reportAll(key, found, by: resolver, askedAt: callSite)
    }

    @inline(never)
    private func reportAll(
        _ key: ServiceKey, _ found: AnyResolverRegistration?, by resolver: Resolver, askedAt callSite: SourceLocation
    ) -> ResolutionEvent.Asked? {
        let type = TypeMetadata.type(of: key.type), consumer = innermost ?? TaskFrame.current?.registration
        let event = ResolutionEvent(
            kind: .lookup, type: type, registered: found?.location, callSite: callSite, key: key,
            consumerKey: consumer?.serviceKey, consumerRegistered: consumer?.location)
        // Only the first pass reports its target. Dependencies are reported in the pass that creates them.
        if state.pointee.pass.map({ $0.progress.isFirst || $0.target != nil }) ?? true {
            ResolutionEvent.observers.emit { event }
            if let test = World.current?.test, let watch = test.watch, !test.hasEnded {
                // An alias of the app may stand for a service of the test.
                let isOfTest = found.map { $0.source(in: resolver).owner.belongs(to: test) } ?? false
                withoutPass { watch(event, isOfTest) }
            }
        }
        // The count is read after the test's watcher has run, because that may have created instances.
        return ResolutionEvent.Asked(event: event, made: state.pointee.made)
    }

    /// Reports to observers that a call got a kept instance.
    func reportIfHit(_ asked: ResolutionEvent.Asked, _ registration: AnyResolverRegistration) {
        if hasPendingWork || asked.made != state.pointee.made { return }
        if state.pointee.pass?.hasResult(for: registration) == true { return }
        ResolutionEvent.observers.emit { asked.event.with(kind: .hit) }
    }

    /// Forgets the factories that have run for a call, so that only the call's own factory counts for the call around it.
    func end(_ asked: ResolutionEvent.Asked) { state.pointee.made = asked.made }

    /// Reports to observers that a factory has created an instance, or that a scope keeps it now.
    @inline(__always)
    func report(_ kind: ResolutionEvent.Kind, _ registration: AnyResolverRegistration) {
        if SlowPathReasons.isSet(SlowPathReasons.observed) { reportToObservers(kind, registration) }
    }

    @inline(never)
    private func reportToObservers(_ kind: ResolutionEvent.Kind, _ registration: AnyResolverRegistration) {
        if kind == .made { state.pointee.made &+= 1 }
        ResolutionEvent.observers.emit {
            ResolutionEvent(
                kind: kind, type: registration.serviceType, registered: registration.location, callSite: nil,
                key: registration.serviceKey, consumerKey: nil, consumerRegistered: nil)
        }
    }
}
