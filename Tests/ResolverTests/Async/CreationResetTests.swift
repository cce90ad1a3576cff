import Resolver
import Testing

/// Resets and registrations during a creation.
@Suite struct CreationResetTests {
    enum Cause: CaseIterable {
        case scopeReset, scopeResetInResolver, registeredAnew, scopeChanged

        func strike(
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
    static let cases: [(CreationRow, Cause)] = CreationRow.allCases.flatMap { row in
        Cause.allCases.filter { cause in
            switch (cause, row) {
            case (.scopeReset, .application), (.scopeReset, .cached), (.scopeReset, .container),
                (.scopeReset, .isolating):
                false
            default: true
            }
        }.map { (row, $0) }
    }

    @Test(arguments: cases)
    func `waiters across a reset receive the old instance and it is not cached`(_ row: CreationRow, _ cause: Cause)
        async throws
    {
        let subject = CreationSubject(row), released = Box(0)
        let register = { subject.registerSlow().onRelease { _ in released.increment() } }
        let options = register()
        let tasks = try await subject.takeOff(callers: 4)
        cause.strike(subject, options, register)
        // The old creation task still runs.
        let new = try await subject.resolve()
        #expect(subject.made.value == 2)
        subject.mayFinish.open()
        let old = try await tasks[0].value
        #expect(old !== new)
        for task in tasks { #expect(try await task.value === old) }
        #expect(try await subject.resolve() === new)
        #expect(subject.made.value == 2)
        #expect(released.value == 0)
    }

    /// No call is made before the old creation task has finished.
    @Test(arguments: cases)
    func `the call after a creation that was reset creates another instance`(_ row: CreationRow, _ cause: Cause)
        async throws
    {
        let subject = CreationSubject(row), released = Box(0)
        let register = { subject.registerSlow().onRelease { _ in released.increment() } }
        let options = register()
        let tasks = try await subject.takeOff(callers: 2)
        cause.strike(subject, options, register)
        subject.mayFinish.open()
        let old = try await tasks[0].value
        #expect(try await tasks[1].value === old)
        #expect(try await subject.resolve() !== old)
        #expect(subject.made.value == 2)
        #expect(released.value == 0)
    }

    @Test func `an instance whose creation was reset is released with its last reference`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for row in CreationRow.allCases {
                let subject = CreationSubject(row), isGone = Gate()
                subject.registerDeinitCallback { isGone.open() }
                do {
                    let task = subject.callers.call { try await subject.resolve(DeinitCallback.self) }
                    try await subject.hasStarted.passUnlessCancelled()
                    subject.resolver.reset(scope: subject.scope)
                    subject.mayFinish.open()
                    _ = try await task.value
                }
                try await isGone.passUnlessCancelled()
            }
        }
    }

    /// A singleton belongs to no resolver.
    @Test func `a resolver released during a creation ends with the instance when that finishes`()
        async
    {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for row in CreationRow.allCases where row != .application {
                let instanceIsGone = Gate(), factoryIsGone = Gate(), mayFinish: Gate
                do {
                    let subject = CreationSubject(row)
                    mayFinish = subject.mayFinish
                    let captured = DeinitCallback { factoryIsGone.open() }
                    subject.registerDeinitCallback { withExtendedLifetime(captured) { instanceIsGone.open() } }
                    let task = subject.callers.call { try await subject.resolve(DeinitCallback.self) }
                    try await subject.hasStarted.passUnlessCancelled()
                    task.cancel()
                    let error = await task.result.error
                    Child.require(error is CancellationError, "\(row): leaves: \(String(describing: error))")
                }
                mayFinish.open()
                try await instanceIsGone.passUnlessCancelled()
                try await factoryIsGone.passUnlessCancelled()
            }
        }
    }
}
