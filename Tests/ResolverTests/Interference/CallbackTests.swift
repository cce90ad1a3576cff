import Resolver
import Testing

/// Code of the user may do anything to the service that is being asked for, between the moment when its registration is
/// found and the moment when the instance is handed out. The answer is one that an order of the two explains, and what
/// stands afterwards is what the later of the two has left.
@Suite struct CallbackTests {
    /// In a process of its own: a trial uses what a process has once.
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
