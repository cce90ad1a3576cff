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

    @Test func `a clock may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.clock, .secondClock, .thirdClock)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `an argument may interfere while it is hashed and compared`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.hash, .equality)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a release may interfere by its hook its report and its deinitializer`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.onRelease, .report, .deinitializer)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a factory may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.factory)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a factory may interfere and return nil`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.emptyFactory)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `an asynchronous factory may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.asyncFactory)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a block of properties may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.properties)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `an observer of scopes may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.observer)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a scope of one's own may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.scopeBefore, .scopeAfter)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a decorator may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.decorator)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `the clock of a scope may interfere`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await CallbackTests.runInChild(.scopeClock)
        }
        Complaints.expectNone(in: result)
    }
}
