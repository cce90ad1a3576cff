/// One try of an asynchronous door: it resolves synchronously, as all doors do, and is told what it would have to wait
/// for. It sees to that and tries again, so whatever stands between door and factory, an alias or a scope of the user,
/// need not know about tasks.
///
/// Belongs to the thread that tries.
final class Attempt {
    /// What has to be seen to before the next try.
    enum Demand: Sendable {
        /// To be made on this actor.
        case actor(any Actor)
        /// An instance that a thread is making.
        case creation(Creation, in: CreationCell, of: AnyResolverRegistration, ArgumentKey?)
        /// The asynchronous part of making an instance.
        case work(Work)

        /// Stays on the caller's actor until it has to wait.
        typealias Work = nonisolated(nonsending) @Sendable () async throws -> Prepared?
    }

    /// What was seen to before.
    struct Prepared: @unchecked Sendable {
        enum Stage {
            /// What the asynchronous factory of a registration made, in an `InstanceBox`: to be completed.
            case made(AnyResolverRegistration)
            /// What a registration keeps for these arguments, or would if it had not been reset or replaced meanwhile.
            case kept(AnyResolverRegistration, ArgumentKey?)
        }

        let stage: Stage
        /// nil if the factory returned nil. It crosses from one task to another: `register` asks asynchronous services to
        /// be `Sendable`, and `resolveAsync` all.
        let result: Result<AnyObject?, ResolutionError>

        func isMade(for registration: AnyResolverRegistration) -> Bool {
            if case .made(let other) = stage { registration.isSuccessor(of: other) } else { false }
        }

        /// That for which it was seen to.
        var registration: AnyResolverRegistration {
            switch stage {
            case .made(let registration), .kept(let registration, _): registration
            }
        }

        fileprivate var isKept: Bool { if case .kept = stage { true } else { false } }

        /// The arguments for which it is kept.
        fileprivate var key: ArgumentKey? { if case .kept(_, let key) = stage { key } else { nil } }
    }

    private let prepared: [Prepared]
    /// How many of `prepared` were handed out, by registration: one that is made several times is made several times here.
    private var handedOut: [UInt64: Int] = [:]
    private(set) var demand: Demand?
    /// What is asked for. What code of the user asks for on the way, a scope or a `deinit`, it asks for by itself.
    fileprivate(set) var target: AnyResolverRegistration?
    /// The aliases through which the attempts have gone, this one included.
    fileprivate(set) var aliases: [AnyResolverRegistration]
    /// The thread's path when it began.
    fileprivate let depth: Int

    /// Whether nothing has been seen to for this call yet.
    let isFirst: Bool

    init(prepared: [Prepared], through aliases: [AnyResolverRegistration], isFirst: Bool, depth: Int) {
        self.prepared = prepared
        self.aliases = aliases
        self.isFirst = isFirst
        self.depth = depth
    }

    /// What an asynchronous factory has made for the next call of the factory that hands it out.
    ///
    /// - Parameter isHandedOut: whether this is that call.
    func made(for registration: AnyResolverRegistration, isHandedOut: Bool) -> Prepared? {
        let all = prepared.filter { $0.isMade(for: registration) }
        let index = handedOut[registration.number] ?? 0
        guard index < all.count else { return nil }
        if isHandedOut { handedOut[registration.number] = index + 1 }
        return all[index]
    }

    /// Whether something was seen to for the registration, or through it.
    func hasWaited(for registration: AnyResolverRegistration) -> Bool {
        prepared.contains { registration.isSuccessor(of: $0.registration) }
            || !prepared.isEmpty && hasGone(through: registration)
    }

    fileprivate func hasGone(through alias: AnyResolverRegistration) -> Bool { aliases.contains { $0 === alias } }

    /// What was waited for: it is for those who waited, whatever has become of the registration.
    ///
    /// - Parameter key: makes the key of the arguments, which hashes them.
    func kept(
        for registration: AnyResolverRegistration, _ key: () throws -> ArgumentKey?
    ) rethrows -> Prepared? {
        let kept = prepared.filter { $0.isKept && registration.isSuccessor(of: $0.registration) }
        if kept.isEmpty { return nil }
        let key = try key()
        return kept.last { $0.key == key }
    }

    /// The registration for which something was seen to, or the alias through which it was. It may be gone by now.
    fileprivate func awaited(_ key: ServiceKey, as service: ObjectIdentifier) -> AnyResolverRegistration? {
        if prepared.isEmpty { return nil }
        return (prepared.map(\.registration) + aliases.reversed()).first { $0.isFound(by: key, as: service) }
    }

    /// Asks for something to be seen to.
    ///
    /// - Returns: what to throw. Only a scope of the user on the way can read it.
    func demand(_ demand: Demand) -> ResolutionError {
        self.demand = demand
        return Attempt.unfinished
    }

    private static let unfinished = ResolutionError(
        .requiresAsync, headline: Messages.unfinished,
        subject: ResolutionError.Hop(service: Messages.noService, name: nil, location: nil), path: [])
}

extension ResolutionCycle {
    enum Answer<Value: Sendable>: Sendable {
        case value(Value)
        /// What was demanded, the way that led to it, and what came out although the demand was not met: an error, or what a
        /// scope had instead.
        case demand(Attempt.Demand, through: [AnyResolverRegistration], otherwise: Result<Value, any Error>)
    }

    /// Calls `body`, which resolves.
    func attempt<Value: Sendable>(
        prepared: [Attempt.Prepared], through aliases: [AnyResolverRegistration] = [], isFirst: Bool = false,
        _ body: () throws -> Value
    ) throws -> Answer<Value> {
        let attempt = Attempt(prepared: prepared, through: aliases, isFirst: isFirst, depth: state.pointee.depth)
        let outer = state.pointee.attempt
        state.pointee.attempt = attempt
        defer { state.pointee.attempt = outer }
        let result = Result(catching: body)
        guard let demand = attempt.demand else { return .value(try result.get()) }
        return .demand(demand, through: attempt.aliases, otherwise: result)
    }

    /// The attempt that is being made to get an instance of `registration`, unless its factory runs, which would have to
    /// run again.
    ///
    /// - Parameter isInFactory: whether it is that factory that asks.
    func attempt(for registration: AnyResolverRegistration, isInFactory: Bool = false) -> Attempt? {
        guard let attempt = state.pointee.attempt, attempt.target === registration else { return nil }
        let depth = state.pointee.depth - (isInFactory && innermost === registration ? 1 : 0)
        for index in attempt.depth..<max(attempt.depth, depth)
        where !state.pointee.frames[index].registration.takeUnretainedValue().isAlias {
            return nil
        }
        return attempt
    }

    /// Whether the asynchronous factory of a registration has made something for this call that is still to be handed out.
    func hasMade(for registration: AnyResolverRegistration) -> Bool {
        attempt(for: registration)?.made(for: registration, isHandedOut: false) != nil
    }

    /// What was waited for, as it is kept: it comes before what is kept by now, and comes also if nothing is.
    ///
    /// - Returns: nil if nothing was; an empty result if the factory returned nil.
    func awaited(
        _ registration: AnyResolverRegistration, _ key: @autoclosure () throws -> ArgumentKey?
    ) rethrows -> Result<AnyObject?, ResolutionError>? {
        try attempt(for: registration)?.kept(for: registration, key)?.result
    }

    /// The registration that a door asks for, or an alias, if a task has waited for its instance.
    func awaited(
        _ key: ServiceKey, as service: ObjectIdentifier, insteadOf alias: AnyResolverRegistration? = nil
    ) -> AnyResolverRegistration? {
        guard let attempt = state.pointee.attempt, attempt.target === alias else { return nil }
        return attempt.awaited(key, as: service)
    }

    /// The attempt is to get an instance of `registration`: the door has found it, or an alias that stands for it.
    func aim(at registration: AnyResolverRegistration, insteadOf alias: AnyResolverRegistration?) {
        guard let attempt = state.pointee.attempt, attempt.target === alias else { return }
        attempt.target = registration
        if registration.isAlias, !attempt.hasGone(through: registration) { attempt.aliases.append(registration) }
    }

    /// Calls `body`, in which code of the user runs that has nothing to do with the call: neither with the attempt that it
    /// is a part of, nor with the scope that is asked, nor with the reason why it came back with nil.
    func withoutAttempt<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (attempt, nilResult, asked) = (state.pointee.attempt, state.pointee.nilResult, state.pointee.asked)
        let parked = state.pointee.parked.count
        state.pointee.attempt = nil
        state.pointee.asked = Asked()
        defer {
            (state.pointee.attempt, state.pointee.nilResult, state.pointee.asked) = (attempt, nilResult, asked)
            dropParked(downTo: parked)
        }
        return try body()
    }

    /// What the asynchronous factory of a registration has made for this call.
    ///
    /// - Parameters:
    ///   - args: those of the call. What a scope of the user passes on in their place goes to another task as well.
    ///   - isHandedOut: false for a look ahead.
    /// - Throws: `.requiresAsync` if that is still to be done.
    func made<Service>(
        by factory: @escaping AsyncFactory<Service>, for registration: AnyResolverRegistration, _ resolver: Resolver,
        _ args: PassedArguments, isHandedOut: Bool
    ) throws -> Service? {
        guard let attempt = attempt(for: registration, isInFactory: true) else {
            throw refusal(of: registration, hasArguments: !args.isNone, isEntered: true)
        }
        if let made = attempt.made(for: registration, isHandedOut: isHandedOut) {
            return isHandedOut ? (try made.result.get() as? InstanceBox<Service>)?.service : nil
        }
        let args = Sent(value: args.value)
        throw attempt.demand(
            .work {
                let result: Result<AnyObject?, ResolutionError>
                do {
                    result = .success(
                        try await registration.prepare(resolver, args, factory).map { InstanceBox($0.value) })
                } catch let error as ResolutionError {
                    // A wrapper around the factory may have something else then.
                    result = .failure(error)
                }
                return Attempt.Prepared(stage: .made(registration), result: result)
            })
    }

    /// Why the asynchronous factory of `registration` is not called: it is running already, or this call cannot wait for it.
    ///
    /// - Parameter isEntered: whether the registration is the last on the path, as its factory has been asked.
    func refusal(of registration: AnyResolverRegistration, hasArguments: Bool, isEntered: Bool) -> ResolutionError {
        let refusal = ResolutionError.requiresAsync(registration, isOnPath: isEntered)
        if hasArguments { return refusal }
        if var ring = TaskFrame.current?.elements(fromMaking: registration) {
            ring += elements
            if !isEntered { ring.append(.registration(registration)) }
            return .circle(ring)
        }
        return circle(closedBy: registration, state.pointee.depth - (isEntered ? 1 : 0)) ?? refusal
    }

    /// The registration whose factory runs on this thread.
    var innermost: AnyResolverRegistration? {
        let depth = state.pointee.depth
        return depth == 0 ? nil : state.pointee.frames[depth - 1].registration.takeUnretainedValue()
    }
}
