/// A step of a call, for logs and for finding mistakes. Later versions may add kinds.
///
/// A call that finds what is kept is told as `lookup`, `hit`. One that creates an instance is told as `lookup`, what its factory asks for,
/// `made`, and `kept` if a scope keeps the instance. `existing()` is not told.
public struct ResolutionEvent: Sendable, CustomStringConvertible {
    /// Which step.
    public enum Kind: String, Sendable {
        /// A service was asked for. Told before anything is created.
        case lookup
        /// The call has got an instance for which no factory ran in it. A task that has waited for one is told as `lookup` only.
        case hit
        /// A factory has created an instance.
        case made
        /// A scope keeps the instance that was created.
        case kept
    }

    /// Which step it is.
    public let kind: Kind
    /// The type that was asked for; for `made` and `kept`, the type of the registration.
    public let type: Any.Type
    /// The name, if there is one.
    public let name: Resolver.Name?
    /// Where the service is registered; nil if it is not.
    public let registered: Resolver.SourceLocation?
    /// Where the service was asked for; nil for `made` and `kept`.
    public let callSite: Resolver.SourceLocation?
    /// The service whose factory asks; nil for an outermost call, and for `made` and `kept`.
    public let consumer: Any.Type?
    /// The name of that service, if it has one.
    public let consumerName: Resolver.Name?

    /// Kind, type and name, as in `made Cart` or `lookup Cart "guest" for Checkout`.
    public var description: String {
        "\(kind) \(Messages.service(type, name))"
            + (consumer.map { " for \(Messages.service($0, consumerName))" } ?? "")
    }

    func with(kind: Kind) -> ResolutionEvent {
        ResolutionEvent(
            kind: kind, type: type, name: name, registered: registered, callSite: callSite, consumer: consumer,
            consumerName: consumerName)
    }

    /// What is known when a call begins.
    struct Asked {
        let event: ResolutionEvent
        /// How many factories had run in the cycle.
        let made: UInt64
    }

    static let observers = Observers<ResolutionEvent>(slowPathReason: SlowPathReasons.observed)
}

extension Resolver {
    /// Calls `observer` with each step of each call to any resolver, until the observation is cancelled.
    ///
    /// It is called on the thread that takes the step and outside of every lock, and is not told what it causes itself. In a test, it is
    /// told what the test resolves. While there is an observer, calls take longer; without one, they look at one word.
    public static func observe(_ observer: @escaping @Sendable (ResolutionEvent) -> Void) -> ResolverObservation {
        ResolutionEvent.observers.add(observer)
    }

    /// Calls `observer` also with what happens in all tests.
    package static func observeAll(_ observer: @escaping @Sendable (ResolutionEvent) -> Void) -> ResolverObservation {
        ResolutionEvent.observers.add(observer, isOfAll: true)
    }
}

/// A service was asked for in a test.
package struct Resolution: Sendable {
    /// The type that was asked for.
    package let type: Any.Type
    package let name: Resolver.Name?
    /// Where it was asked for.
    package let callSite: Resolver.SourceLocation
    /// Where what was found is registered; nil if nothing was.
    package let registered: Resolver.SourceLocation?
    /// Whether the test, or one of its suites, has registered it.
    package let isOfTest: Bool

    /// What a test is told that may use nothing else.
    package var complaint: String? {
        guard !isOfTest, let registered else { return nil }
        return Messages.notOfTest(type, name, registered: registered)
    }
}

extension ResolutionCycle {
    /// Tells the test in which something is asked for, and observers. Once, however many passes a task makes.
    ///
    /// - Returns: what observers were told, if there are any.
    @inline(__always)
    func tell(
        _ type: Any.Type, _ name: Resolver.Name?, _ found: AnyResolverRegistration?, askedAt callSite: SourceLocation
    ) -> ResolutionEvent.Asked? {
        guard SlowPathReasons.isSet(SlowPathReasons.watched | SlowPathReasons.observed) else { return nil }
        return tellAll(type, name, found, askedAt: callSite)
    }

    @inline(never)
    private func tellAll(
        _ type: Any.Type, _ name: Resolver.Name?, _ found: AnyResolverRegistration?, askedAt callSite: SourceLocation
    ) -> ResolutionEvent.Asked? {
        let consumer = innermost ?? TaskFrame.current?.registration
        let event = ResolutionEvent(
            kind: .lookup, type: type, name: name, registered: found?.location, callSite: callSite,
            consumer: consumer?.serviceType, consumerName: consumer?.serviceKey.name)
        // What the pass is for; its parts are asked for in the pass that makes it.
        if let pass = state.pointee.pass, !pass.isFirst, pass.target == nil { return asked(event) }
        ResolutionEvent.observers.emit { event }
        guard let test = World.current?.test, let watch = test.watch, !test.hasEnded else { return asked(event) }
        let isOfTest = found.map { $0.owner.belongs(to: test) } ?? false
        withoutPass {
            watch(
                Resolution(
                    type: type, name: name, callSite: callSite, registered: found?.location, isOfTest: isOfTest))
        }
        return asked(event)
    }

    /// Counted after all have been told, who may have made something.
    private func asked(_ event: ResolutionEvent) -> ResolutionEvent.Asked {
        ResolutionEvent.Asked(event: event, made: state.pointee.made)
    }

    /// Tells observers that a call has got what is kept.
    func tellIfHit(_ asked: ResolutionEvent.Asked, _ registration: AnyResolverRegistration) {
        let hasWaited = state.pointee.pass?.hasWaited(for: registration) == true
        if hasWaited || asked.made != state.pointee.made { return }
        ResolutionEvent.observers.emit { asked.event.with(kind: .hit) }
    }

    /// Tells observers that a factory has made something, or that it is kept now.
    @inline(__always)
    func tell(_ kind: ResolutionEvent.Kind, _ registration: AnyResolverRegistration) {
        if SlowPathReasons.isSet(SlowPathReasons.observed) { tellObservers(kind, registration) }
    }

    @inline(never)
    private func tellObservers(_ kind: ResolutionEvent.Kind, _ registration: AnyResolverRegistration) {
        // An alias makes nothing itself.
        if registration.isAlias { return }
        if kind == .made { state.pointee.made &+= 1 }
        ResolutionEvent.observers.emit {
            ResolutionEvent(
                kind: kind, type: registration.serviceType, name: registration.serviceKey.name,
                registered: registration.location, callSite: nil, consumer: nil,
                consumerName: nil)
        }
    }
}
