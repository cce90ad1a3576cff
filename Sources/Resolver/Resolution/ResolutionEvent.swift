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
