import Resolver
import Testing

@Suite struct CreationResetTests {
    enum Cause: CaseIterable { case scopeReset, scopeResetInResolver, registeredAnew, scopeChanged }

    /// Each row with each cause that applies to it. A test does not reset process-wide scopes, and a reset of the scope
    /// does not reach an isolating resolver.
    static let cases: [(row: CreationRow, cause: Cause)] = CreationRow.allCases.flatMap { row in
        Cause.allCases.filter { cause in
            cause != .scopeReset || ![.application, .cached, .container, .isolating].contains(row)
        }.map { (row, $0) }
    }

    /// - Parameter isAskedMeanwhile: whether a call is made before the old creation task has finished.
    @Test(arguments: cases, [false, true])
    func `waiters across a reset get the old instance and every later call a new one`(
        _ reset: (row: CreationRow, cause: Cause), _ isAskedMeanwhile: Bool
    ) async throws {
        let subject = CreationSubject(reset.row), released = Box(0)
        let register = { subject.registerSlow().onRelease { _ in released.increment() } }
        let options = register()
        let tasks = try await subject.start(callers: 4)
        switch reset.cause {
        case .scopeReset: subject.scope.reset()
        case .scopeResetInResolver: subject.resolver.reset(scope: subject.scope)
        case .registeredAnew: _ = register()
        case .scopeChanged: options.scope(ResolverScopeCache())
        }
        let meanwhile = isAskedMeanwhile ? try await subject.resolve() : nil
        subject.mayFinish.open()
        let old = try await tasks[0].value
        for task in tasks { try await expect(task.value === old) }
        let new = try await subject.resolve()
        expect(new !== old)
        expect(meanwhile == nil || meanwhile === new)
        expect(subject.made.value, is: 2)
        expect(released.value, is: 0)
    }

    @Test func `an instance whose creation was reset is released with its last reference`() async {
        await #expect(processExitsWith: .success) {
            try await CreationSubject.each { subject, _ in
                let isReleased = Gate()
                subject.registerDeinitCallback { isReleased.open() }
                do {
                    let task = subject.callers.call { try await subject.resolve(DeinitCallback.self) }
                    try await subject.hasStarted.passUnlessCancelled()
                    subject.resolver.reset(scope: subject.scope)
                    subject.mayFinish.open()
                    _ = try await task.value
                }
                try await isReleased.passUnlessCancelled()
            }
        }
    }

    enum Detachment: CaseIterable { case none, reset, resetAndAskedAgain, registeredAnew, scopeChanged }

    /// What happens to a creation before its scope ends, and whether the scope has registered the service for itself.
    static let detachments = Detachment.allCases.map { ($0, false) } + [(.none, true), (.registeredAnew, true)]

    @Test(arguments: detachments, [nil, 1])
    func `the end of a scope cancels a creation that was reset, and its waiter gets scopeEnded`(
        _ detached: (by: Detachment, isOwn: Bool), _ args: Int?
    ) async throws {
        let resolver = Resolver(), scope = ScopeContext.shared.open(.ofTest("ends what was reset"), id: "")
        let isMaking = [Gate(), Gate()], isOver = [Gate(), Gate()], mayFinish = Gate()
        let made = Box(0), cancelled = Box(0)
        let make = { @Sendable () async -> Leaf in
            let number = made.increment() - 1
            isMaking[number].open()
            defer { isOver[number].open() }
            // The gate may be open before the factory gets to it.
            try? await mayFinish.passUnlessCancelled()
            if Task.isCancelled { cancelled.increment() }
            return Leaf()
        }
        @Sendable func register() -> ResolverOptions<Leaf>? {
            guard detached.isOwn else {
                return resolver.register(factory: make).scoped(to: scope.kind).scopeOnArguments()
            }
            let options = scope.register(factory: make)
            return args == nil ? options : options?.scopeOnArguments()
        }
        let options = register()
        var tasks = [Task { try await scope.resolveAsync(Leaf.self, in: resolver, args: args) }]
        await isMaking[0].pass()
        switch detached.by {
        case .none: break
        case .reset: resolver.reset(Leaf.self)
        case .resetAndAskedAgain:
            resolver.reset(Leaf.self)
            tasks.append(Task { try await scope.resolveAsync(in: resolver, args: args) })
            await isMaking[1].pass()
        case .registeredAnew: _ = register()
        case .scopeChanged: options?.scope(.cached)
        }
        await scope.endAndWait()
        mayFinish.open()
        for (index, task) in tasks.enumerated() {
            await isOver[index].pass()
            await expect(task.result.resolutionError?.code, is: .scopeEnded)
        }
        expect(cancelled.value, is: tasks.count)
    }

    /// A task waits for its creation task, or for a thread that creates the instance. The hash of an argument is the user's code.
    enum Ending: CaseIterable { case besideATask, besideAThread, inAHash }

    /// The scope holds the registration while the creation runs, to reach those who wait for it, and no longer.
    @Test(arguments: Ending.allCases, [nil, 1])
    func `a scope holds no registration that ended during a creation`(_ ending: Ending, _ args: Int?) async throws {
        let isThread = ending == .besideAThread, alive = Box(0)
        let kind = ScopeKind.ofTest("lets registrations go, \(ending), \(args, default: "-")")
        let scope = ScopeContext.shared.open(kind, id: ""), callers = Callers()
        for _ in 0..<20 {
            let resolver = Resolver(), captured = Counted(alive), pause = Pause()
            let options =
                isThread
                ? resolver.register { pause.blocking(withExtendedLifetime(captured) { Leaf() }) }
                : resolver.register { await pause.suspending(withExtendedLifetime(captured) { Leaf() }) }
            options.scoped(to: kind).scopeOnArguments()
            let thread = isThread ? RunningThread { _ = scope.run { resolver.resolve(Leaf.self, args: args) } } : nil
            if isThread { await pause.hasBegun.pass() }
            let task = callers.call { _ = try await scope.resolveAsync(Leaf.self, in: resolver, args: args) }
            await pause.hasBegun.pass()
            await callers.untilAllWait()
            if ending == .inAHash {
                let late = CallingArgument(onHash: { resolver.unregister(Leaf.self) })
                scope.run { expect(resolver.optional(Leaf.self, args: late), is: nil) }
            } else {
                resolver.unregister(Leaf.self)
            }
            pause.mayEnd.open()
            try await task.value
            thread?.join()
        }
        expect(alive.value <= 1)
        scope.end()
    }

    private struct Key: Hashable, Sendable {
        let number: Int, counted: Counted
        static func == (lhs: Key, rhs: Key) -> Bool { lhs.number == rhs.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test func `an argument is released with the creation that a reset has forgotten`() async throws {
        let resolver = Resolver(), alive = Box(0), pauses = (0..<20).map { _ in Pause() }
        resolver.register { (_, args: Resolver.Args) async -> Leaf in
            await pauses[(args() as Key).number].suspending(Leaf())
        }.scope(.cached).scopeOnArguments()
        let tasks = pauses.indices.map { number in
            Task { try await resolver.resolveAsync(Leaf.self, args: Key(number: number, counted: Counted(alive))) }
        }
        for pause in pauses { await pause.hasBegun.pass() }
        resolver.reset(Leaf.self)
        for pause in pauses { pause.mayEnd.open() }
        for task in tasks { _ = try await task.value }
        await settle(alive)
        expect(alive.value, is: 0)
    }

    /// A creation that was reset ends between the replacement of its registration and the release of the instances.
    @Test func `each instance is released if another creation ends while its registration is replaced`() async throws {
        let kind = ScopeKind.ofTest("replaced at the end of a creation"), released = Box(0), rounds = 200
        for _ in 0..<rounds {
            let resolver = Resolver(), scope = ScopeContext.shared.open(kind, id: ""), pause = Pause()
            resolver.register { (_, args: Resolver.Args) async -> Leaf in
                args() == 1 ? Leaf() : await pause.suspending(Leaf())
            }.scoped(to: kind).scopeOnArguments().onRelease { _ in released.increment() }
            let task = Task { try await scope.resolveAsync(Leaf.self, in: resolver, args: 2) }
            await pause.hasBegun.pass()
            resolver.reset(Leaf.self)
            _ = try await scope.resolveAsync(Leaf.self, in: resolver, args: 1)
            let start = StartLine(2)
            let thread = RunningThread {
                start.wait()
                resolver.register { Leaf() }
            }
            start.wait()
            pause.mayEnd.open()
            thread.join()
            _ = await task.result
            scope.end()
        }
        expect(released.value, is: rounds)
    }

    @Test(arguments: [true, false])
    func `a call finds the service that a scope registers anew for itself meanwhile`(_ isScopeChanged: Bool) async {
        await #expect(processExitsWith: .success) { [isScopeChanged] in
            let scope = ScopeContext.shared.open(.session, id: ""), isDone = Box(false)
            let options = scope.register { () async -> Box<Int> in Box(1) }?.scopeOnArguments()
            let argument = CallingArgument(onHash: {
                if isDone.exchange(true) { return }
                if isScopeChanged {
                    options?.scope(.unique)
                } else {
                    scope.register { () async -> Box<Int> in Box(2) }?.scopeOnArguments()
                }
            })
            try await expect(scope.resolveAsync(Box<Int>.self, args: argument).value, is: isScopeChanged ? 1 : 2)
        }
    }

    /// A singleton belongs to no resolver.
    @Test func `a resolver released during a creation ends with the instance when that finishes`() async {
        await #expect(processExitsWith: .success) {
            for row in CreationRow.allCases where row != .application {
                let instanceEnds = Gate(), factoryEnds = Gate(), mayFinish: Gate
                do {
                    let subject = CreationSubject(row)
                    mayFinish = subject.mayFinish
                    let captured = DeinitCallback { factoryEnds.open() }
                    subject.registerDeinitCallback { withExtendedLifetime(captured) { instanceEnds.open() } }
                    let task = subject.callers.call { try await subject.resolve(DeinitCallback.self) }
                    try await subject.hasStarted.passUnlessCancelled()
                    task.cancel()
                    await expect(task.result.error is CancellationError, "\(row)")
                }
                mayFinish.open()
                try await instanceEnds.passUnlessCancelled()
                try await factoryEnds.passUnlessCancelled()
            }
        }
    }
}
