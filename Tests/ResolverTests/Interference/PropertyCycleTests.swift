import Foundation
import Resolver
import Testing

/// Services that refer to each other, resolved concurrently from all members.
@Suite struct PropertyCycleTests {
    private static let all = (2...5).flatMap { count in
        MemberCycle.Keeping.allCases.map { MemberCycle(ofProperties: count, $0) }
    }

    /// Cycles of two to four members: some need the next one in their initializer, and at least one does not.
    private static let mixed = (2...4).flatMap { count in
        (1..<(1 << count) - 1).map { mask in
            MemberCycle((0..<count).map { mask >> $0 & 1 == 1 ? .property : .dependency }, .cached)
        }
    }

    /// How the members of each cycle are resolved, and how often.
    enum Calls: String, CaseIterable, Codable {
        /// Each thread waits in its member's creation until every thread has begun its own.
        case meetingThreads
        case threads
        case tasks
    }

    /// A caller that can create a mixed cycle alone gets no error from the others.
    @Test(arguments: Calls.allCases, [false, true])
    func `concurrent callers of all members of a cycle get one object graph`(_ calls: Calls, _ isMixed: Bool) async {
        await #expect(processExitsWith: .success) { [calls, isMixed] in
            let failures = Failures(), cycles = isMixed ? PropertyCycleTests.mixed : PropertyCycleTests.all
            let rounds = Sanitizer.rounds(calls == .meetingThreads ? (isMixed ? 50 : 5) : (isMixed ? 100 : 150))
            for (index, cycle) in cycles.enumerated() {
                for round in 0..<rounds {
                    let line = UInt(index * rounds + round + 1)
                    try await PropertyCycleTests.askForAllMembers(of: cycle, calls, line: line, failures)
                }
            }
            failures.report()
        }
    }

    private static func askForAllMembers(
        of cycle: MemberCycle, _ calls: Calls, line: UInt, _ failures: Failures
    ) async throws {
        let answers = Box<[Int: Result<Member?, any Error>]>([:]), meeting = Rendezvous(cycle.count)
        // Only the first call for each member waits: a failed creation is tried again.
        let begun = Box<Set<Int>>([])
        let resolver = cycle.resolver(line: line) { number in
            if calls == .meetingThreads, begun.update({ $0.insert(number).inserted }) { meeting.arriveAndWait() }
        }
        if calls == .tasks {
            try await Tasks.results(cycle.count) { number in
                await meeting.arriveAndPass()
                let answer = await outcome { try await cycle.resolveAsync(number, from: resolver) }
                answers.update { $0[number] = answer }
            }
        } else {
            await Threads.results(cycle.count) { number in
                let answer = Result<Member?, any Error> { try cycle.resolve(number, from: resolver) }
                answers.update { $0[number] = answer }
            }
        }
        cycle.check(answers.value, failures)
        resolver.reset(scope: cycle.keeping.scope)
    }

    /// The property block of the task's instance runs on a thread, which waits for the other thread.
    @Test func `a thread gets the unfinished instance of a task that waits for it`() async throws {
        let isInProperties = Gate(), isMakingTwo = Gate(), resolver = Resolver()
        resolver.register(name: "one") { () async in Half() }.scope(.cached).resolveProperties { r, one in
            isInProperties.open()
            isMakingTwo.wait()
            one.other = r.resolve(Half.self, name: "two")
        }
        resolver.register(name: "two") { Half() }.scope(.cached).resolveProperties { r, two in
            isMakingTwo.open()
            isInProperties.wait()
            // The call fails until the task waits.
            for _ in 0..<300_000 where two.other == nil {
                two.other = try? r.tryResolve(Half.self, name: "one")
                sched_yield()
            }
        }
        let task = Task { try await resolver.resolveAsync(Half.self, name: "one") }
        await Threads.result { isInProperties.wait() }
        let two = await Threads.result { resolver.resolve(Half.self, name: "two") }
        let one = try await task.value
        expect(one.other === two)
        expect(two.other === one)
        (one.other, two.other) = (nil, nil)
    }
}
