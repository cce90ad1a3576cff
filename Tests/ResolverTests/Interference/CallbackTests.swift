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
