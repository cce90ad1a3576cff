import Resolver
import Testing

/// Resets and registrations during a creation.
@Suite struct CreationResetTests {
    enum Cause: CaseIterable {
        case scopeReset, scopeResetInResolver, registeredAnew, scopeChanged

        func apply(
            _ subject: CreationSubject, _ options: ResolverOptions<Counted>, _ register: () -> ResolverOptions<Counted>
        ) {
            switch self {
            case .scopeReset: subject.scope.reset()
            case .scopeResetInResolver: subject.resolver.reset(scope: subject.scope)
            case .registeredAnew: _ = register()
            case .scopeChanged: options.scope(ResolverScopeCache())
            }
        }
    }

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
        reset.cause.apply(subject, options, register)
        let meanwhile = isAskedMeanwhile ? try await subject.resolve() : nil
        subject.mayFinish.open()
        let old = try await tasks[0].value
        for task in tasks { #expect(try await task.value === old) }
        let new = try await subject.resolve()
        #expect(new !== old)
        #expect(meanwhile == nil || meanwhile === new)
        #expect(subject.made.value == 2)
        #expect(released.value == 0)
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

    enum Detachment: CaseIterable { case none, reset, registeredAnew, scopeChanged }

    @Test(arguments: Detachment.allCases)
    func `the end of a scope cancels a creation that was reset, and its waiter gets scopeEnded`(
        _ detachment: Detachment
    ) async throws {
        let kind = ScopeKind.ofTest("ends what was reset"), resolver = Resolver()
        let isMaking = Gate(), mayFinish = Gate(), isOver = Gate(), isCancelled = Box(false)
        @Sendable func register() -> ResolverOptions<Leaf> {
            resolver.register { () async -> Leaf in
                isMaking.open()
                defer { isOver.open() }
                do { try await mayFinish.passUnlessCancelled() } catch { isCancelled.set(true) }
                return Leaf()
            }.scoped(to: kind)
        }
        let options = register(), scope = ScopeContext.shared.open(kind, id: "")
        let task = Task { try await scope.run { try await resolver.resolveAsync(Leaf.self) } }
        await isMaking.pass()
        switch detachment {
        case .none: break
        case .reset: resolver.reset(Leaf.self)
        case .registeredAnew: _ = register()
        case .scopeChanged: options.scope(.cached)
        }
        await scope.endAndWait()
        mayFinish.open()
        await isOver.pass()
        #expect(isCancelled.value)
        #expect((await task.result.error as? ResolutionError)?.code == .scopeEnded)
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
                    #expect(await task.result.error is CancellationError, "\(row)")
                }
                mayFinish.open()
                try await instanceEnds.passUnlessCancelled()
                try await factoryEnds.passUnlessCancelled()
            }
        }
    }
}
