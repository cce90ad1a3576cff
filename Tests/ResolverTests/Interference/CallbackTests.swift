import Resolver
import Testing

/// User code may change a service during a call for it, between the lookup and the return of the instance. Some order
/// of call and change must explain the result, and the later of the two determines the state afterwards.
@Suite struct CallbackTests {
    /// The callbacks that are tried in one process.
    enum UserCode: String, CaseIterable, Codable {
        case clock, argument, release, factory, emptyFactory, asyncFactory, properties, observer, scope, decorator
        case contextClock

        var callbacks: [Trial.Callback] {
            switch self {
            case .clock: [.clock, .secondClock]
            case .argument: [.hash, .equality]
            case .release: [.onRelease, .report, .deinitializer]
            case .factory: [.factory]
            case .emptyFactory: [.emptyFactory]
            case .asyncFactory: [.asyncFactory]
            case .properties: [.properties]
            case .observer: [.observer]
            case .scope: [.scopeBefore, .scopeAfter]
            case .decorator: [.decorator]
            case .contextClock: [.scopeClock]
            }
        }
    }

    /// Runs in its own process, because a trial uses process-wide state.
    @Test(.disabled(if: Sanitizer.current == .thread, "a trial runs on one thread"), arguments: UserCode.allCases)
    func `user code may change the service that is being resolved`(_ code: UserCode) async {
        await #expect(processExitsWith: .success) { [code] in
            Child.mustEnd()
            let failures = Failures()
            for callback in code.callbacks { await TrialRunner(failures).run(callback) }
            failures.report()
        }
    }
}
