import Resolver
import Testing

/// User code may change a service during a call for it, between the lookup and the return of the instance. Some order
/// of call and change must explain the result, and the later of the two determines the state afterwards.
@Suite struct CallbackTests {
    /// Runs in its own process, because a trial uses process-wide state.
    @Test(.disabled(if: Sanitizer.current == .thread, "a trial runs on one thread"), arguments: Trial.Callback.allCases)
    func `user code may change the service that is being resolved`(_ callback: Trial.Callback) async {
        await #expect(processExitsWith: .success) { [callback] in await TrialRunner().run(callback) }
    }
}

/// Runs the trials of a callback one after the other and records the failures.
struct TrialRunner: Sendable {
    private static let count = Box(0)

    private let failures = Failures()
    /// Creation tasks may retain their instance for a moment.
    private let pending = Box<[(trial: Trial, ledger: ProductLedger)]>([])
    private let reached = Box(0)

    func run(_ callback: Trial.Callback) async {
        // The app's registrations are not part of the trials, and would cause events.
        Resolver.main.registerServices()
        let observation = Box<Interruption?>(nil)
        let observer = ScopeContext.shared.observe { _ in observation.value?.reach(.observer) }
        if callback != .observer { observer.cancel() }
        for trial in Trial.all(of: callback) {
            let ledger = await run(trial, observation)
            guard let failure = ledger.failure else { continue }
            if trial.usesCreationTasks { pending.append((trial, ledger)) } else { fail(trial, failure) }
        }
        observer.cancel()
        failures.expect(reached.value > 0, "\(callback) was never reached")
        for (trial, ledger) in pending.value {
            var turns = 0
            while ledger.failure != nil, turns < 1_000 {
                await Task.yield()
                turns += 1
            }
            if let failure = ledger.failure { fail(trial, failure) }
        }
        failures.report()
    }

    private func fail(_ trial: Trial, _ text: String) {
        failures.add("\(trial.whatHappens): \(text)", at: trial.whereItHappens)
    }

    private func run(_ trial: Trial, _ observation: Box<Interruption?>) async -> ProductLedger {
        let world = TrialWorld(trial, number: TrialRunner.count.increment())
        observation.set(world.ledger.interruption)
        let isReached = await world.request.run { await self.check(world) }
        observation.set(nil)
        world.nested.set(nil)
        if isReached, !trial.usesCreationTasks, let held = TrialOracle(trial: trial).heldAfterwards,
            world.ledger.alive != held
        {
            fail(trial, "\(world.ledger.alive) products are held instead of \(held)")
        }
        world.end()
        return world.ledger
    }

    /// - Returns: whether the callback was reached.
    private func check(_ world: TrialWorld) async -> Bool {
        let trial = world.trial, oracle = TrialOracle(trial: trial), interruption = world.ledger.interruption
        var kept: Product?
        if trial.start != .empty {
            kept = world.ask(.tryResolve).product
            guard let product = kept else {
                fail(trial, "nothing could be kept before the trial")
                return false
            }
            if trial.lifetime.keepsStrongly { world.ledger.note(kept: product) }
        }
        if trial.start == .over {
            kept = nil
            world.time.set(100)
        }
        interruption.arm(trial.callback) { [unowned world] in world.act() }
        let answer = await world.answer()
        let hasFired = interruption.disarm()
        guard hasFired else {
            // Calls that create nothing do not reach every callback.
            if trial.call != .existing { fail(trial, "the callback was not reached") }
            return false
        }
        reached.increment()
        if let failure = oracle.failure(about: answer, kept: kept) { fail(trial, failure) }
        if let nested = world.nested.value, let failure = oracle.failure(aboutNested: nested) { fail(trial, failure) }
        await checkLater(world, oracle, answer: answer.product, kept: kept)
        return true
    }

    /// Checks that later calls see the state that the trial left.
    private func checkLater(_ world: TrialWorld, _ oracle: TrialOracle, answer: Product?, kept: Product?) async {
        let trial = world.trial
        let first = world.ask(.tryResolve), second = world.ask(.tryResolve)
        let asynchronous = await world.askAsync()
        let last = world.ask(.tryResolve), existing = world.ask(.existing)
        // A synchronous call gets an asynchronous instance only if the trial's call left one.
        let isKept = answer.map { oracle.isKept($0) } ?? false
        for (name, outcome, call, isAnythingKept) in [
            ("first", first, .tryResolve, isKept), ("second", second, .tryResolve, isKept),
            ("asynchronous", asynchronous, .resolveAsync, isKept), ("last", last, .tryResolve, oracle.keeps),
        ] as [(String, TrialWorld.Outcome, Trial.Call, Bool?)]
        where !oracle.isRight(outcome, later: call, isAnythingKept: isAnythingKept) {
            fail(trial, "afterwards the \(name) call gave \(outcome)")
        }
        guard let product = asynchronous.product else { return }
        if oracle.keepsStrongly { world.ledger.note(kept: product) }
        for (name, later) in [("first", first), ("second", second), ("last", last)] {
            guard let later = later.product, (later === product) != oracle.keeps else { continue }
            fail(trial, "the \(name) call gave \(oracle.keeps ? "another" : "the same") instance")
        }
        if !trial.hasArguments, (existing.product === product) != oracle.keeps {
            fail(trial, "existing() gave \(existing)")
        }
        if let answer, let isKept = oracle.isKept(answer), (answer === product) != isKept {
            fail(trial, "its answer was \(isKept ? "not " : "")kept")
        }
        if let kept, oracle.releasesCached, kept === product { fail(trial, "what was released is handed out") }
    }
}

extension Trial {
    fileprivate var usesCreationTasks: Bool {
        callback == .asyncFactory || action == .registersAsync || action == .registersOnMainActor
    }
}
