/// One call during which user code changes the requested service.
struct Trial: Sendable {
    /// The user code between the lookup of a registration and the return of its instance.
    enum Callback: String, CaseIterable, Codable {
        /// The clock's first and second read.
        case clock, secondClock
        /// The requirements of a `Hashable` argument.
        case hash, equality
        /// The release of an expired instance.
        case onRelease, report, deinitializer
        case factory, emptyFactory, asyncFactory, properties
        /// An observer of contexts. The factory causes the event.
        case observer
        /// A custom scope, before and after it calls its cache.
        case scopeBefore, scopeAfter
        case decorator
        /// The clock of a context that expires.
        case scopeClock
    }

    enum Action: String, CaseIterable {
        case registers, registersAsync, registersOnMainActor, registersNil, registersInAnotherScope
        case changesScope, registersScoped, unregisters
        case resetsAll, resetsRegistrations, resetsScopes, resetsItsScope, resetsTheService, replacesTheCache
        case purgesExpired
        case resolvesTheSame, resolvesAnother, endsTheRequest, clearsTheSession, addsAChild, dropsAnIsolatingResolver
    }

    /// The thread that acts while the callback runs.
    enum Hand: String, CaseIterable { case itself, otherThread }

    enum Lifetime: String, CaseIterable {
        case unique, graph, cached, container, shared, application, request, requiredRequest, isolating, alias
    }

    /// The cached instance before the call.
    enum Start: String, CaseIterable {
        case empty, kept
        /// The instance or its context has expired.
        case over
    }

    enum Call: String, CaseIterable { case tryResolve, resolveAsync, existing }

    let callback: Callback, start: Start, action: Action
    let hand: Hand, lifetime: Lifetime, call: Call

    var whatHappens: String { "\(callback) \(action), \(call)" }
    var whereItHappens: String {
        "\(lifetime)\(start == .empty ? "" : " \(start)")\(hand == .itself ? "" : " (\(hand))")"
    }

    /// Returns all trials of a callback; under a sanitizer every third.
    static func all(of callback: Callback) -> [Trial] {
        let step = Sanitizer.current == nil ? 1 : 3
        let possible = combinations(of: callback).filter(\.isPossible)
        return stride(from: 0, to: possible.count, by: step).map { possible[$0] }
    }

    private static func combinations(of callback: Callback) -> [Trial] {
        callback.lifetimes.flatMap { lifetime in
            callback.starts.flatMap { start in
                Action.allCases.flatMap { action in
                    Hand.allCases.flatMap { hand in
                        callback.calls.map {
                            Trial(
                                callback: callback, start: start, action: action, hand: hand, lifetime: lifetime,
                                call: $0)
                        }
                    }
                }
            }
        }
    }

    private var isPossible: Bool {
        if start != .empty, !lifetime.keeps { return false }
        if hand == .itself { return true }
        // A callback would deadlock if it waited for a thread that waits for the callback's creation.
        return action != .resolvesTheSame || !callback.mayBeInCreation || callback == .asyncFactory
    }
}

extension Trial { var hasArguments: Bool { callback == .hash || callback == .equality } }

extension Trial.Callback {
    var lifetimes: [Trial.Lifetime] {
        switch self {
        case .clock, .secondClock, .hash, .equality: Trial.Lifetime.allCases.filter(\.keeps)
        case .onRelease, .report, .deinitializer: Trial.Lifetime.allCases.filter(\.keepsStrongly)
        case .scopeBefore, .scopeAfter: [.cached, .isolating, .alias]
        case .scopeClock: [.request, .requiredRequest]
        case .factory, .emptyFactory, .asyncFactory, .properties, .observer, .decorator: Trial.Lifetime.allCases
        }
    }

    var starts: [Trial.Start] {
        switch self {
        case .clock, .scopeClock: [.empty, .kept, .over]
        case .hash, .scopeBefore, .scopeAfter, .decorator: [.empty, .kept]
        case .equality: [.kept]
        case .onRelease, .report, .deinitializer: [.over]
        case .secondClock, .factory, .emptyFactory, .asyncFactory, .properties, .observer: [.empty]
        }
    }

    var calls: [Trial.Call] {
        switch self {
        // `existing` takes no arguments.
        case .hash, .equality: [.tryResolve, .resolveAsync]
        case .asyncFactory: [.resolveAsync]
        default: Trial.Call.allCases
        }
    }

    /// Whether the factory has been called, so that the call returns its instance.
    var hasFactoryRun: Bool { [.factory, .emptyFactory, .asyncFactory, .properties, .observer].contains(self) }

    var mayBeInCreation: Bool { hasFactoryRun || self == .secondClock }
}

extension Trial.Action {
    var replaces: Bool {
        [.registers, .registersAsync, .registersOnMainActor, .registersNil, .registersInAnotherScope].contains(self)
    }

    var removes: Bool { [.resetsAll, .resetsRegistrations, .unregisters].contains(self) }
}

extension Trial.Lifetime {
    var keeps: Bool { self != .unique && self != .graph }
    var keepsStrongly: Bool { keeps && self != .shared }
    var isOfRequest: Bool { self == .request || self == .requiredRequest }
    /// Whether requests are hidden during a creation.
    var hidesRequests: Bool { keeps && !isOfRequest }
}
