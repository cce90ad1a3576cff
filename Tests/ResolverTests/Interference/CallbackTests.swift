import Resolver
import Testing

/// User code may change a service during a call for it, between the lookup and the return of the instance. Some order
/// of call and change must explain the result, and the later of the two determines the state afterwards.
@Suite struct CallbackTests {
    /// Runs in its own process, because a trial uses process-wide state.
    private static func runInChild(_ callbacks: Trial.Callback...) async {
        Child.mustEnd()
        let complaints = Complaints()
        for callback in callbacks { await TrialRunner(complaints).run(callback) }
        complaints.tell()
    }

    @Test func `a clock may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.clock, .secondClock, .thirdClock)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `hashing and comparing an argument may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.hash, .equality)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a hook, report or deinitializer may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.onRelease, .report, .deinitializer)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a factory may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.factory)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a factory that returns nil may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.emptyFactory)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `an asynchronous factory may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.asyncFactory)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a property block may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.properties)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `an observer of contexts may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.observer)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a custom scope may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.scopeBefore, .scopeAfter)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a decorator may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.decorator)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `the clock of a context may change the service that is being resolved`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.scopeClock)
        }
        Complaints.expectNone(in: result)
    }
}
