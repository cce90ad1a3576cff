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

    // MARK: Threads

    @Test func `threads that meet in their property blocks get one object graph`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            PropertyCycleTests.ask(PropertyCycleTests.all, rounds: 5, meeting: true)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a thread for each member of a property cycle gets one object graph`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            PropertyCycleTests.ask(PropertyCycleTests.all, rounds: 150)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a thread that can create a mixed cycle alone gets no error from other threads`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            PropertyCycleTests.ask(PropertyCycleTests.mixed, rounds: 100)
        }
        Complaints.expectNone(in: result)
    }

    @Test
    func `a thread that can create a mixed cycle alone gets it when all threads meet`()
        async
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            PropertyCycleTests.ask(PropertyCycleTests.mixed, rounds: 50, meeting: true)
        }
        Complaints.expectNone(in: result)
    }

    /// The parent's thread closes the cycle: the child waits for the parent while the parent's factory runs.
    @Test func `a parent gets a child that waited for it before it had an object`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            let cycle = MemberCycle([.property, .dependency], .cached), complaints = Complaints()
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
                for complaint in cycle.complaints(about: answers.value) { complaints.add(complaint) }
                MemberCycle.release(answers.value)
            }
            complaints.tell()
        }
        Complaints.expectNone(in: result)
    }

    // MARK: Tasks

    @Test func `a task for each member of a property cycle gets one object graph`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            await PropertyCycleTests.askInTasks(PropertyCycleTests.all, rounds: 150)
        }
        Complaints.expectNone(in: result)
    }

    @Test func `a task that can create a mixed cycle alone gets no error from other tasks`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            await PropertyCycleTests.askInTasks(PropertyCycleTests.mixed, rounds: 100)
        }
        Complaints.expectNone(in: result)
    }

    // MARK: Rounds

    /// Resolves all members of each cycle concurrently, each on its own thread.
    ///
    /// - Parameter meeting: whether each member waits until every thread has begun to create its own.
    private static func ask(_ cycles: [MemberCycle], rounds: Int, meeting: Bool = false) {
        let complaints = Complaints()
        for (index, cycle) in cycles.enumerated() {
            let all = (0..<rounds).map { Round(cycle, line: UInt(index * rounds + $0 + 1), meeting: meeting) }
            Threads.run(cycle.count) { number in
                for round in all {
                    round.start.arriveAndWait()
                    let answer = Result<Member?, any Error> { try cycle.resolve(number, from: round.resolver) }
                    round.answers.update { $0[number] = answer }
                    round.end.arriveAndWait()
                    if number == 0 { round.check(complaints) }
                }
            }
        }
        complaints.tell()
    }

    /// Resolves all members of each cycle concurrently, each in its own task.
    private static func askInTasks(_ cycles: [MemberCycle], rounds: Int) async {
        let complaints = Complaints()
        for (index, cycle) in cycles.enumerated() {
            for number in 0..<rounds {
                let round = Round(cycle, line: UInt(index * rounds + number + 1), meeting: false)
                let arrived = Box(0), start = Gate()
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<cycle.count {
                        group.addTask {
                            if arrived.increment() == cycle.count { start.open() }
                            await start.pass()
                            let answer: Result<Member?, any Error>
                            do {
                                answer = .success(try await cycle.resolveAsync(number, from: round.resolver))
                            } catch {
                                answer = .failure(error)
                            }
                            round.answers.update { $0[number] = answer }
                        }
                    }
                }
                round.check(complaints)
            }
        }
        complaints.tell()
    }

    private final class Round: Sendable {
        let cycle: MemberCycle
        let resolver: Resolver
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

        func check(_ complaints: Complaints) {
            let answers = answers.value
            for complaint in cycle.complaints(about: answers) { complaints.add(complaint) }
            MemberCycle.release(answers)
            resolver.reset(scope: cycle.keeping.scope)
        }
    }
}
