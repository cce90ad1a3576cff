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
            let cycles = isMixed ? PropertyCycleTests.mixed : PropertyCycleTests.all
            switch calls {
            case .meetingThreads: PropertyCycleTests.ask(cycles, rounds: isMixed ? 50 : 5, meeting: true)
            case .threads: PropertyCycleTests.ask(cycles, rounds: isMixed ? 100 : 150)
            case .tasks: try await PropertyCycleTests.askInTasks(cycles, rounds: isMixed ? 100 : 150)
            }
        }
    }

    /// The parent's thread closes the cycle: the child waits for the parent while the parent's factory runs.
    @Test func `a parent gets a child that waited for it before it had an object`() async {
        await #expect(processExitsWith: .success) {
            let cycle = MemberCycle([.property, .dependency], .cached), failures = Failures()
            for _ in 0..<Sanitizer.rounds(2_000) {
                let parentIsBeingMade = Gate(), childIsBeingMade = Gate()
                let answers = Box<[Int: Result<Member?, any Error>]>([:])
                let resolver = cycle.resolver(line: 1) { number in
                    // The child's thread waits for the parent next.
                    if number == 1 { childIsBeingMade.open() }
                } making: { number in
                    guard number == 0 else { return }
                    parentIsBeingMade.open()
                    childIsBeingMade.wait()
                }
                Threads.run(2) { number in
                    if number == 1 { parentIsBeingMade.wait() }
                    let answer = Result<Member?, any Error> { try cycle.resolve(number, from: resolver) }
                    answers.update { $0[number] = answer }
                }
                cycle.check(answers.value, failures)
            }
            failures.report()
        }
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
        #expect(one.other === two)
        #expect(two.other === one)
        (one.other, two.other) = (nil, nil)
    }

    /// Resolves all members of each cycle concurrently, each on its own thread.
    ///
    /// - Parameter meeting: whether each member waits until every thread has begun to create its own.
    private static func ask(_ cycles: [MemberCycle], rounds: Int, meeting: Bool = false) {
        let failures = Failures(), rounds = Sanitizer.rounds(rounds)
        for (index, cycle) in cycles.enumerated() {
            let all = (0..<rounds).map { Round(cycle, line: UInt(index * rounds + $0 + 1), meeting: meeting) }
            Threads.run(cycle.count) { number in
                for round in all {
                    round.start.arriveAndWait()
                    let answer = Result<Member?, any Error> { try cycle.resolve(number, from: round.resolver) }
                    round.answers.update { $0[number] = answer }
                    round.end.arriveAndWait()
                    if number == 0 { round.check(failures) }
                }
            }
        }
        failures.report()
    }

    /// Resolves all members of each cycle concurrently, each in its own task.
    private static func askInTasks(_ cycles: [MemberCycle], rounds: Int) async throws {
        let failures = Failures(), rounds = Sanitizer.rounds(rounds)
        for (index, cycle) in cycles.enumerated() {
            for number in 0..<rounds {
                let round = Round(cycle, line: UInt(index * rounds + number + 1), meeting: false)
                try await Tasks.results(cycle.count) { number in
                    await round.start.arriveAndPass()
                    let answer = await outcome { try await cycle.resolveAsync(number, from: round.resolver) }
                    round.answers.update { $0[number] = answer }
                }
                round.check(failures)
            }
        }
        failures.report()
    }

    private final class Round: Sendable {
        let cycle: MemberCycle, resolver: Resolver
        let start: Rendezvous, end: Rendezvous
        let answers = Box<[Int: Result<Member?, any Error>]>([:])

        init(_ cycle: MemberCycle, line: UInt, meeting: Bool) {
            self.cycle = cycle
            start = Rendezvous(cycle.count)
            end = Rendezvous(cycle.count)
            let meet = Rendezvous(cycle.count)
            // Only the first call for each member waits: a failed creation is tried again.
            let begun = Box<Set<Int>>([])
            resolver = cycle.resolver(line: line) { number in
                if meeting, begun.update({ $0.insert(number).inserted }) { meet.arriveAndWait() }
            }
        }

        func check(_ failures: Failures) {
            cycle.check(answers.value, failures)
            resolver.reset(scope: cycle.keeping.scope)
        }
    }
}
