/// One attempt of an asynchronous call to resolve synchronously.
///
/// The attempt records what the call would have to wait for. The call does that work and tries again, so an alias or a custom
/// scope between the call and the factory need not know about tasks.
///
/// A pass is about one registration, its target: the one that the call has found, or that an alias on the way stands for. For its target,
/// what the call has awaited takes precedence over what a scope keeps by now: first the *kept result*, in the form in which a scope keeps
/// instances, then the *factory's result*, which is still to be completed. Without either, the call takes the kept instance, or records
/// what it has to wait for.
///
/// Belongs to the thread that makes the attempt.
final class AsyncPass {
    /// The work that the call must do before the next pass.
    enum PendingWork: Sendable {
        /// The instance must be created on this actor.
        case actor(any Actor)
        /// The asynchronous part of the creation, or a wait for another thread that creates the instance.
        case work(Work)

        /// Stays on the caller's actor until it has to wait.
        typealias Work = nonisolated(nonsending) @Sendable () async throws -> AwaitedResult?

        /// Work for an instance that `store` is to keep. An error of the work is the answer of the store when a scope asks again.
        static func answer(
            of registration: AnyResolverRegistration, _ key: ArgumentKey?, in store: InstanceStore,
            askedBy asked: ObjectIdentifier?, _ work: @escaping Work
        ) -> PendingWork {
            .work {
                do { return try await work() } catch let error as ResolutionError {
                    return .kept(.failure(error), for: registration, key, in: store, askedBy: asked)
                }
            }
        }
    }

    /// A result that the call has awaited in an earlier pass.
    struct AwaitedResult: @unchecked Sendable {
        let registration: AnyResolverRegistration
        /// The number of the store that keeps the result, or would keep it without a reset or replacement in the meantime.
        ///
        /// nil for the result of the asynchronous factory, still to be completed.
        var store: UInt64?
        /// The key of the arguments for which it is kept.
        var key: ArgumentKey?
        /// The scope that the registration had when the call asked for the kept instance.
        var asked: ObjectIdentifier?
        /// nil if the factory returned nil; an error that a custom scope around the factory or the store may handle. It may go from one task
        /// to another: `register` requires asynchronous services to be `Sendable`, and `resolveAsync` all services.
        let result: Result<AnyObject?, ResolutionError>

        /// Whether the result needs no pass to be completed. Modifiers may have been added while the factory ran.
        var isWhole: Bool {
            if store != nil { return true }
            let plan = registration.plan
            return plan.isPlain && (plan.lifetime.isTransient || plan.lifetime.isPerCycle)
        }

        var isError: Bool { if case .failure = result { true } else { false } }

        static func kept(
            _ result: Result<AnyObject?, ResolutionError>, for registration: AnyResolverRegistration,
            _ key: ArgumentKey?, in store: InstanceStore, askedBy asked: ObjectIdentifier?
        ) -> AwaitedResult {
            AwaitedResult(registration: registration, store: store.number, key: key, asked: asked, result: result)
        }
    }

    /// The facts that the call has learned in earlier passes.
    struct Progress: Sendable {
        var results: [AwaitedResult] = []
        /// The aliases that the call has followed.
        var aliases: [AnyResolverRegistration] = []
        /// The actors on which the call has tried.
        var actors: [any Actor] = []
        /// How often the call has waited in vain: for an error, or because the service was registered again meanwhile.
        var startCount = 0
        /// Whether the call is in its first pass.
        var isFirst: Bool { results.isEmpty && actors.isEmpty && startCount == 0 }
    }

    fileprivate(set) var progress: Progress
    /// The registrations whose results were handed out, once for each result.
    private var handedOut: [UInt64] = []
    private(set) var pendingWork: PendingWork?
    /// The requested registration. Requests by user code meanwhile, in a scope or a `deinit`, are not part of the pass.
    fileprivate(set) var target: AnyResolverRegistration?
    /// The depth of the thread's path when the pass began.
    fileprivate let depth: Int

    fileprivate init(_ progress: Progress, depth: Int) {
        self.progress = progress
        self.depth = depth
    }

    /// Whether the call may wait once more for an instance to be kept. After too many waits, it creates an instance for itself: a scope
    /// may ask for other arguments in each pass.
    var mayWait: Bool { progress.startCount < 16 && progress.results.count < 1000 }

    /// Returns the result of the asynchronous factory for the next factory call that hands it out.
    ///
    /// - Parameter isHandedOut: whether this is that factory call.
    func factoryResult(for registration: AnyResolverRegistration, isHandedOut: Bool) -> AwaitedResult? {
        var before = handedOut.count { $0 == registration.number }
        for result in progress.results where result.store == nil && registration.isSuccessor(of: result.registration) {
            if before == 0 {
                if isHandedOut { handedOut.append(registration.number) }
                return result
            }
            before -= 1
        }
        return nil
    }

    /// Whether the call has awaited a result of the registration, or went through it as an alias.
    func hasResult(for registration: AnyResolverRegistration) -> Bool {
        progress.results.contains { registration.isSuccessor(of: $0.registration) }
            || !progress.results.isEmpty && hasGone(through: registration)
    }

    fileprivate func hasGone(through alias: AnyResolverRegistration) -> Bool {
        progress.aliases.contains { $0 === alias }
    }

    /// Records work to do before the next pass. The first counts: a scope that has got no answer to it may have asked for something else.
    ///
    /// - Returns: the error to throw. Only a custom scope on the way can read it.
    func pendingWork(_ pendingWork: PendingWork) -> ResolutionError {
        self.pendingWork = self.pendingWork ?? pendingWork
        return AsyncPass.unfinished
    }

    static let unfinished = ResolutionError(
        .requiresAsync, headline: Messages.unfinished,
        subject: ResolutionError.Hop(service: Messages.noService, name: nil, location: nil), path: [])
}

extension ResolutionCycle {
    enum Answer: Sendable {
        case value(PackedService)
        case pendingWork(AsyncPass.PendingWork, AsyncPass.Progress)
    }

    var isInPass: Bool { state.pointee.pass != nil }

    /// Whether the result of the current pass is ignored, because the call must wait, or go to an actor, and try again.
    var hasPendingWork: Bool { state.pointee.pass?.pendingWork != nil }

    /// Calls `body`, which resolves, as one pass.
    func pass(_ progress: AsyncPass.Progress, _ body: () throws -> AnyObject?) throws -> Answer {
        let pass = AsyncPass(progress, depth: state.pointee.depth)
        let outer = state.pointee.pass
        state.pointee.pass = pass
        defer { state.pointee.pass = outer }
        let result = Result { PackedService(value: try body()) }
        guard let pendingWork = pass.pendingWork else { return .value(try result.get()) }
        return .pendingWork(pendingWork, pass.progress)
    }

    /// Returns the current pass if it is to get an instance of `registration`.
    ///
    /// Returns nil while a factory runs on the pass's path: that factory would have to run again.
    ///
    /// - Parameter isInFactory: whether the factory of `registration` itself asks.
    func pass(for registration: AnyResolverRegistration, isInFactory: Bool = false) -> AsyncPass? {
        guard let pass = state.pointee.pass, pass.target === registration else { return nil }
        let depth = state.pointee.depth - (isInFactory && innermost === registration ? 1 : 0)
        for index in pass.depth..<max(pass.depth, depth)
        where !state.pointee.frames[index].registration.object.isAlias {
            return nil
        }
        return pass
    }

    /// Whether the asynchronous factory of a registration has a result for this call that is not handed out yet.
    func hasFactoryResult(for registration: AnyResolverRegistration) -> Bool {
        pass(for: registration)?.factoryResult(for: registration, isHandedOut: false) != nil
    }

    /// Returns the kept result that the call has awaited. It takes precedence over the instance that is kept now, if any.
    ///
    /// The result of another store counts too, because the registration may have got another scope meanwhile. A custom scope, however,
    /// may ask several caches, each for the result of its own.
    ///
    /// - Parameters:
    ///   - store: the store that asks, if any.
    ///   - key: returns the key of the arguments, whose creation hashes them.
    /// - Returns: nil if the call has awaited no such result; a result with nil if the factory returned nil.
    func keptResult(
        for registration: AnyResolverRegistration, in store: InstanceStore? = nil,
        _ key: @autoclosure () throws -> ArgumentKey?
    ) rethrows -> AsyncPass.AwaitedResult? {
        guard let pass = pass(for: registration) else { return nil }
        let only = isAskingScope ? store?.number : nil
        let kept = pass.progress.results.filter {
            $0.store != nil && (only == nil || only == $0.store) && registration.isSuccessor(of: $0.registration)
        }
        if kept.isEmpty { return nil }
        let key = try key()
        return kept.last { $0.key == key }
    }

    /// Returns the registration that a task has awaited for this call or alias, or the alias it went through. Either may have been removed.
    func awaitedRegistration(
        _ key: ServiceKey, insteadOf alias: AnyResolverRegistration? = nil
    ) -> AnyResolverRegistration? {
        guard let pass = state.pointee.pass, pass.target === alias, !pass.progress.results.isEmpty else { return nil }
        let known = pass.progress.results.map(\.registration) + pass.progress.aliases.reversed()
        return known.first { $0.serviceKey == key }
    }

    /// Makes `registration` the target of the pass, after the call or an alias has found it.
    func setTarget(_ registration: AnyResolverRegistration, insteadOf alias: AnyResolverRegistration?) {
        guard let pass = state.pointee.pass, pass.target === alias else { return }
        pass.target = registration
        if registration.isAlias, !pass.hasGone(through: registration) { pass.progress.aliases.append(registration) }
    }

    /// Calls `body`, which runs user code that is unrelated to the call.
    ///
    /// The pass, the scope that is asked and the reason of a nil result are hidden meanwhile. Errors that it leaves are dropped.
    func withoutPass<Result>(_ body: () throws -> Result) rethrows -> Result {
        let pendingErrors = state.pointee.pendingErrors.count
        // Exchanged, because copies would be retained and released.
        var (pass, lastNilResult, asked) = (nil as AsyncPass?, nil as NilResult?, Asked())
        func exchange() {
            swap(&state.pointee.pass, &pass)
            swap(&state.pointee.lastNilResult, &lastNilResult)
            swap(&state.pointee.asked, &asked)
        }
        exchange()
        defer {
            exchange()
            dropPendingErrors(downTo: pendingErrors)
        }
        return try body()
    }

    /// Calls `body`, which runs user code that is unrelated to the call, in a resolution cycle of its own.
    ///
    /// The path, the instances and the hidden scopes of the call do not apply to it. Waits of `body` are waits of the same thread and the
    /// same creation task, so a dependency cycle through them is detected.
    @inline(never)
    func apart(_ body: () -> Void) {
        var other = State(inside: state.pointee)
        swap(&state.pointee, &other)
        TaskFrame.apart(body)
        swap(&state.pointee, &other)
        other.deallocate()
    }

    /// Returns the result of a registration's asynchronous factory.
    ///
    /// - Parameters:
    ///   - args: the arguments of the call. A custom scope may pass on others, which also go to another task.
    ///   - isHandedOut: whether the caller hands the result out.
    /// - Throws: `.requiresAsync` if the factory must still run for this call.
    @inline(never)
    func factoryResult(
        of factory: @escaping AsyncFactory, for registration: AnyResolverRegistration, _ resolver: Resolver,
        _ args: PassedArguments, isHandedOut: Bool
    ) throws -> AsyncPass.AwaitedResult {
        guard let pass = pass(for: registration, isInFactory: true) else {
            throw errorWithoutPass(of: registration, hasArguments: !args.isNone, isEntered: true)
        }
        if let made = pass.factoryResult(for: registration, isHandedOut: isHandedOut) { return made }
        let held = HeldArguments(args.value)
        throw pass.pendingWork(.work { try await registration.make(factory, resolver, held) })
    }

    /// Returns the error of a call that must not run the asynchronous factory of `registration`: a dependency cycle, or
    /// `.requiresAsync`.
    ///
    /// - Parameter isEntered: whether the registration is the last one on the path, because its factory was called.
    func errorWithoutPass(
        of registration: AnyResolverRegistration, hasArguments: Bool, isEntered: Bool
    ) -> ResolutionError {
        if !hasArguments {
            if let steps = TaskFrame.current?.elements(fromMaking: registration) {
                return .dependencyCycle(steps + elements + (isEntered ? [] : [.registration(registration)]))
            }
            let depth = state.pointee.depth - (isEntered ? 1 : 0)
            if let error = dependencyCycle(closedBy: registration, depth) { return error }
        }
        return .requiresAsync(registration, isOnPath: isEntered)
    }

    /// The registration whose factory runs on this thread.
    var innermost: AnyResolverRegistration? {
        let depth = state.pointee.depth
        return depth == 0 ? nil : state.pointee.frames[depth - 1].registration.object
    }
}
