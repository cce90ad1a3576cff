/// One try of an asynchronous door: it resolves synchronously, as all doors do, and is told what it would have to wait
/// for. It sees to that and tries again, so whatever stands between door and factory, an alias or a scope of the user,
/// need not know about tasks.
///
/// Belongs to the thread that tries.
final class AsyncPass {
    /// What has to be seen to before the next try.
    enum PendingWork: Sendable {
        /// To be made on this actor.
        case actor(any Actor)
        /// An instance that a thread is making.
        case creation(Creation, in: InstanceCell, of: AnyResolverRegistration, ArgumentKey?)
        /// The asynchronous part of making an instance.
        case work(Work)

        /// Stays on the caller's actor until it has to wait.
        typealias Work = nonisolated(nonsending) @Sendable () async throws -> AwaitedResult?
    }

    /// A result that the call has waited for in an earlier pass.
    struct AwaitedResult: @unchecked Sendable {
        let registration: AnyResolverRegistration
        /// Whether the registration keeps it, or would if it had not been reset or replaced meanwhile. Otherwise it is what the
        /// asynchronous factory has made, and is to be completed.
        var isKept = false
        /// The arguments for which it is kept.
        var key: ArgumentKey?
        /// nil if the factory returned nil. It crosses from one task to another: `register` asks asynchronous services to
        /// be `Sendable`, and `resolveAsync` all.
        let result: Result<AnyObject?, ResolutionError>
    }

    private let results: [AwaitedResult]
    /// The registrations whose results were handed out: one that is made several times is here several times.
    private var handedOut: [UInt64] = []
    private(set) var pendingWork: PendingWork?
    /// What is asked for. What code of the user asks for on the way, a scope or a `deinit`, it asks for by itself.
    fileprivate(set) var target: AnyResolverRegistration?
    /// The aliases through which the passes have gone, this one included.
    fileprivate(set) var aliases: [AnyResolverRegistration]
    /// The thread's path when it began.
    fileprivate let depth: Int

    /// Whether nothing has been seen to for this call yet.
    let isFirst: Bool

    init(results: [AwaitedResult], through aliases: [AnyResolverRegistration], isFirst: Bool, depth: Int) {
        self.results = results
        self.aliases = aliases
        self.isFirst = isFirst
        self.depth = depth
    }

    /// What an asynchronous factory has made for the next call of the factory that hands it out.
    ///
    /// - Parameter isHandedOut: whether this is that call.
    func made(for registration: AnyResolverRegistration, isHandedOut: Bool) -> AwaitedResult? {
        var before = handedOut.count { $0 == registration.number }
        for result in results where !result.isKept && registration.isSuccessor(of: result.registration) {
            if before == 0 {
                if isHandedOut { handedOut.append(registration.number) }
                return result
            }
            before -= 1
        }
        return nil
    }

    /// Whether something was seen to for the registration, or through it.
    func hasWaited(for registration: AnyResolverRegistration) -> Bool {
        results.contains { registration.isSuccessor(of: $0.registration) }
            || !results.isEmpty && hasGone(through: registration)
    }

    fileprivate func hasGone(through alias: AnyResolverRegistration) -> Bool { aliases.contains { $0 === alias } }

    /// What was waited for: it is for those who waited, whatever has become of the registration.
    ///
    /// - Parameter key: makes the key of the arguments, which hashes them.
    func kept(
        for registration: AnyResolverRegistration, _ key: () throws -> ArgumentKey?
    ) rethrows -> AwaitedResult? {
        let kept = results.filter { $0.isKept && registration.isSuccessor(of: $0.registration) }
        if kept.isEmpty { return nil }
        let key = try key()
        return kept.last { $0.key == key }
    }

    /// The registration for which something was seen to, or the alias through which it was. It may be gone by now.
    fileprivate func awaited(_ key: ServiceKey, as service: ObjectIdentifier) -> AnyResolverRegistration? {
        if results.isEmpty { return nil }
        return (results.map(\.registration) + aliases.reversed()).first { $0.isFound(by: key, as: service) }
    }

    /// Asks for the asynchronous factory of a registration to run.
    fileprivate func work(
        of registration: AnyResolverRegistration, _ factory: @escaping AsyncFactory, _ resolver: Resolver,
        _ args: PassedArguments
    ) -> ResolutionError {
        let args = UncheckedSendable(value: args.value)
        return pendingWork(.work { try await registration.make(factory, resolver, args) })
    }

    /// Asks for something to be seen to.
    ///
    /// - Returns: what to throw. Only a scope of the user on the way can read it.
    func pendingWork(_ pendingWork: PendingWork) -> ResolutionError {
        self.pendingWork = pendingWork
        return AsyncPass.unfinished
    }

    static let unfinished = ResolutionError(
        .requiresAsync, headline: Messages.unfinished,
        subject: ResolutionError.Hop(service: Messages.noService, name: nil, location: nil), path: [])
}

extension ResolutionCycle {
    enum Answer: Sendable {
        case value(PackedService)
        /// What is to be seen to, the way that led to it, and what came out without it: an error, or what a
        /// scope had instead.
        case pendingWork(
            AsyncPass.PendingWork, through: [AnyResolverRegistration], fallback: Result<PackedService, any Error>)
    }

    /// Whether the pass that is being made has found something that it has to wait for. (An actor that the call is not on may be the
    /// second one, and then that is its error.)
    var isToWait: Bool {
        switch state.pointee.pass?.pendingWork {
        case .creation, .work: true
        case .actor, nil: false
        }
    }

    /// Calls `body`, which resolves.
    func pass(
        results: [AsyncPass.AwaitedResult], through aliases: [AnyResolverRegistration] = [], isFirst: Bool = false,
        _ body: () throws -> AnyObject?
    ) throws -> Answer {
        let pass = AsyncPass(results: results, through: aliases, isFirst: isFirst, depth: state.pointee.depth)
        let outer = state.pointee.pass
        state.pointee.pass = pass
        defer { state.pointee.pass = outer }
        let result = Result { PackedService(value: try body()) }
        guard let pendingWork = pass.pendingWork else { return .value(try result.get()) }
        return .pendingWork(pendingWork, through: pass.aliases, fallback: result)
    }

    /// The pass that is being made to get an instance of `registration`, unless its factory runs, which would have to
    /// run again.
    ///
    /// - Parameter isInFactory: whether it is that factory that asks.
    func pass(for registration: AnyResolverRegistration, isInFactory: Bool = false) -> AsyncPass? {
        guard let pass = state.pointee.pass, pass.target === registration else { return nil }
        let depth = state.pointee.depth - (isInFactory && innermost === registration ? 1 : 0)
        for index in pass.depth..<max(pass.depth, depth)
        where !state.pointee.frames[index].registration.object.isAlias {
            return nil
        }
        return pass
    }

    /// Whether the asynchronous factory of a registration has made something for this call that is still to be handed out.
    func hasMade(for registration: AnyResolverRegistration) -> Bool {
        pass(for: registration)?.made(for: registration, isHandedOut: false) != nil
    }

    /// What was waited for, as it is kept: it comes before what is kept by now, and comes also if nothing is.
    ///
    /// - Returns: nil if nothing was; an empty result if the factory returned nil.
    func awaited(
        _ registration: AnyResolverRegistration, _ key: @autoclosure () throws -> ArgumentKey?
    ) rethrows -> Result<AnyObject?, ResolutionError>? {
        try pass(for: registration)?.kept(for: registration, key)?.result
    }

    /// The registration that a door asks for, or an alias, if a task has waited for its instance.
    func awaited(
        _ key: ServiceKey, as service: ObjectIdentifier, insteadOf alias: AnyResolverRegistration? = nil
    ) -> AnyResolverRegistration? {
        guard let pass = state.pointee.pass, pass.target === alias else { return nil }
        return pass.awaited(key, as: service)
    }

    /// The pass is to get an instance of `registration`: the door has found it, or an alias that stands for it.
    func setTarget(_ registration: AnyResolverRegistration, insteadOf alias: AnyResolverRegistration?) {
        guard let pass = state.pointee.pass, pass.target === alias else { return }
        pass.target = registration
        if registration.isAlias, !pass.hasGone(through: registration) { pass.aliases.append(registration) }
    }

    /// Calls `body`, in which code of the user runs that has nothing to do with the call: neither with the pass that it
    /// is a part of, nor with the scope that is asked, nor with the reason why it came back with nil.
    func withoutPass<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (pass, lastNilResult, asked) = (state.pointee.pass, state.pointee.lastNilResult, state.pointee.asked)
        let pendingErrors = state.pointee.pendingErrors.count
        state.pointee.pass = nil
        state.pointee.asked = Asked()
        defer {
            (state.pointee.pass, state.pointee.lastNilResult, state.pointee.asked) = (pass, lastNilResult, asked)
            dropPendingErrors(downTo: pendingErrors)
        }
        return try body()
    }

    /// Puts what the asynchronous factory of a registration has made for this call into `memory`.
    ///
    /// - Parameter args: those of the call. What a scope of the user passes on in their place goes to another task as well.
    /// - Returns: whether it has made anything.
    /// - Throws: `.requiresAsync` if that is still to be done.
    func handOutMade(
        by factory: @escaping AsyncFactory, for registration: AnyResolverRegistration, _ resolver: Resolver,
        _ args: PassedArguments, into memory: ServiceMemory
    ) throws -> Bool {
        let pass = try asyncPass(for: registration, hasArguments: !args.isNone)
        guard let made = pass.made(for: registration, isHandedOut: true) else {
            throw pass.work(of: registration, factory, resolver, args)
        }
        return try made.result.get().map { registration.unpack($0, into: memory) } ?? false
    }

    /// - Throws: `.requiresAsync` if the asynchronous factory of a registration is still to make something for this call.
    func requireMade(
        by factory: @escaping AsyncFactory, for registration: AnyResolverRegistration, _ resolver: Resolver,
        _ args: PassedArguments
    ) throws {
        let pass = try asyncPass(for: registration, hasArguments: !args.isNone)
        if pass.made(for: registration, isHandedOut: false) == nil {
            throw pass.work(of: registration, factory, resolver, args)
        }
    }

    private func asyncPass(for registration: AnyResolverRegistration, hasArguments: Bool) throws -> AsyncPass {
        if let pass = pass(for: registration, isInFactory: true) { return pass }
        throw refusal(of: registration, hasArguments: hasArguments, isEntered: true)
    }

    /// Why the asynchronous factory of `registration` is not called: it is running already, or this call cannot wait for it.
    ///
    /// - Parameter isEntered: whether the registration is the last on the path, as its factory has been asked.
    func refusal(of registration: AnyResolverRegistration, hasArguments: Bool, isEntered: Bool) -> ResolutionError {
        if !hasArguments {
            if let ring = TaskFrame.current?.elements(fromMaking: registration) {
                return .circle(ring + elements + (isEntered ? [] : [.registration(registration)]))
            }
            let depth = state.pointee.depth - (isEntered ? 1 : 0)
            if let refusal = circle(closedBy: registration, depth) { return refusal }
        }
        return .requiresAsync(registration, isOnPath: isEntered)
    }

    /// The registration whose factory runs on this thread.
    var innermost: AnyResolverRegistration? {
        let depth = state.pointee.depth
        return depth == 0 ? nil : state.pointee.frames[depth - 1].registration.object
    }
}
