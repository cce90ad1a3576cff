/// One call during which code of the user does something to the service that is asked for.
struct Trial: Sendable {
    /// The code of the user that stands between finding a registration and handing out its instance.
    enum Callback: String, CaseIterable {
        /// The clock, when it is first read, and when it is read for the second and third time.
        case clock, secondClock, thirdClock
        /// What a `Hashable` argument consists of.
        case hash, equality
        /// What happens when an instance is released whose time to live is over.
        case onRelease, report, deinitializer
        case factory, emptyFactory, asyncFactory, properties
        /// An observer of scopes. The factory causes the event.
        case observer
        /// A scope of one's own, before and after it asks the cache that it builds on.
        case scopeBefore, scopeAfter
        case decorator
        /// The clock of a scope of a context that expires.
        case scopeClock
    }

    /// What the callback does.
    enum Action: String, CaseIterable {
        case registers, registersAsync, registersOnMainActor, registersNil, registersInAnotherScope
        case changesScope, registersScoped
        case resetsAll, resetsRegistrations, resetsScopes, resetsItsScope, replacesTheCache, purgesExpired
        case resolvesTheSame, resolvesAnother, endsTheRequest, clearsTheSession, addsAChild, dropsAnIsolatingResolver
    }

    /// Who does it while the callback runs.
    enum Hand: String, CaseIterable {
        case itself, otherThread
    }

    enum Lifetime: String, CaseIterable {
        case unique, graph, cached, container, shared, application, request, requiredRequest, isolating, alias
    }

    /// What is kept before the call.
    enum Start: String, CaseIterable {
        case empty, kept
        /// The time to live, or that of the scope, is over.
        case over
    }

    enum Door: String, CaseIterable {
        case tryResolve, optional, resolveAsync, existing
    }

    let callback: Callback
    let start: Start
    let action: Action
    let hand: Hand
    let lifetime: Lifetime
    let door: Door

    var whatHappens: String { "\(callback) \(action), \(door)" }
    var whereItHappens: String {
        "\(lifetime)\(start == .empty ? "" : " \(start)")\(hand == .itself ? "" : " (\(hand))")"
    }

    /// All trials of a callback.
    static func all(of callback: Callback) -> [Trial] {
        callback.lifetimes.flatMap { lifetime in
            callback.starts.flatMap { start in
                Action.allCases.flatMap { action in
                    Hand.allCases.flatMap { hand in
                        callback.doors.map {
                            Trial(
                                callback: callback, start: start, action: action, hand: hand, lifetime: lifetime,
                                door: $0)
                        }
                    }
                }
            }
        }.filter(\.isPossible)
    }

    private var isPossible: Bool {
        if start != .empty, !lifetime.keeps { return false }
        if hand == .itself { return true }
        // `optional` goes the same way as `tryResolve`.
        if door == .optional { return false }
        // A callback that waits for a thread that waits for the creation in which it stands would wait for ever.
        return action != .resolvesTheSame || !callback.mayBeInCreation || callback == .asyncFactory
    }
}

extension Trial {
    /// Whether one instance is kept for each argument.
    var hasArguments: Bool { callback == .hash || callback == .equality }
}

extension Trial.Callback {
    var lifetimes: [Trial.Lifetime] {
        switch self {
        case .clock, .secondClock, .thirdClock, .hash, .equality: Trial.Lifetime.allCases.filter(\.keeps)
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
        case .secondClock, .thirdClock, .factory, .emptyFactory, .asyncFactory, .properties, .observer: [.empty]
        }
    }

    var doors: [Trial.Door] {
        switch self {
        // It takes no arguments.
        case .hash, .equality: [.tryResolve, .optional, .resolveAsync]
        case .asyncFactory: [.resolveAsync]
        default: Trial.Door.allCases
        }
    }

    /// Whether the factory has been called, so that its instance is the answer.
    var hasFactoryRun: Bool {
        switch self {
        case .factory, .emptyFactory, .asyncFactory, .properties, .observer: true
        default: false
        }
    }

    var mayBeInCreation: Bool { hasFactoryRun || self == .secondClock || self == .thirdClock }
}

extension Trial.Action {
    /// Whether another registration stands in the place of the first one afterwards.
    var replaces: Bool {
        switch self {
        case .registers, .registersAsync, .registersOnMainActor, .registersNil, .registersInAnotherScope: true
        default: false
        }
    }

    var removes: Bool { self == .resetsAll || self == .resetsRegistrations }
}

extension Trial.Lifetime {
    var keeps: Bool { self != .unique && self != .graph }
    var keepsStrongly: Bool { keeps && self != .shared }
    var isOfRequest: Bool { self == .request || self == .requiredRequest }
    /// Whether a request is hidden while an instance is made.
    var hidesRequests: Bool { keeps && !isOfRequest }
}
