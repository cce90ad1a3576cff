import Resolver
import Testing

/// A flight is as urgent as the most urgent of those who wait for it.
@Suite struct FlightPriorityTests {
    /// A service whose factory waits until its task becomes more urgent, and tells how urgent it is then.
    private static func registerUrgency(on resolver: Resolver, hasStarted: AsyncGate) {
        resolver.register { () async throws -> UInt8 in
            guard #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return 0 }
            let isEscalated = AsyncGate()
            try await withTaskPriorityEscalationHandler {
                hasStarted.open()
                try await isEscalated.wait()
            } onPriorityEscalated: { _, new in
                if new >= .high { isEscalated.open() }
            }
            return Task.currentPriority.rawValue
        }.scope(.container)
    }

    @Test func aFlightHasThePriorityOfTheOneThatStartsIt() async throws {
        let resolver = Resolver()
        resolver.register { () async -> UInt8 in
            await Task.yield()
            return Task.currentPriority.rawValue
        }.scope(.container)
        // Nobody awaits the task before it has answered: that would make it more urgent.
        let answer = Box<UInt8?>(nil), hasAnswered = AsyncGate()
        let task = Task.detached(priority: .background) {
            answer.set(try await resolver.resolveAsync(UInt8.self))
            hasAnswered.open()
        }
        try await hasAnswered.wait()
        try await task.value
        #expect(answer.value == TaskPriority.background.rawValue)
    }

    @Test func oneThatIsMoreUrgentMakesAFlightThatIsUnderWayMoreUrgent() async {
        await #expect(processExitsWith: .success) {
            guard #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
            Child.mustEnd()
            let resolver = Resolver(), hasStarted = AsyncGate()
            FlightPriorityTests.registerUrgency(on: resolver, hasStarted: hasStarted)
            let leader = Task.detached(priority: .background) { try await resolver.resolveAsync(UInt8.self) }
            try await hasStarted.wait()
            let urgent = Task.detached(priority: .high) { try await resolver.resolveAsync(UInt8.self) }
            let priorities = [try await urgent.value, try await leader.value]
            Child.require(priorities.allSatisfy { $0 >= TaskPriority.high.rawValue }, "\(priorities)")
        }
    }

    @Test func oneThatBecomesMoreUrgentWhileItWaitsMakesTheFlightMoreUrgent() async {
        await #expect(processExitsWith: .success) {
            guard #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
            Child.mustEnd()
            let resolver = Resolver(), hasStarted = AsyncGate(), callers = Callers()
            FlightPriorityTests.registerUrgency(on: resolver, hasStarted: hasStarted)
            let leader = callers.call(priority: .background) { try await resolver.resolveAsync(UInt8.self) }
            let waiter = callers.call(priority: .background) { try await resolver.resolveAsync(UInt8.self) }
            try await hasStarted.wait()
            await callers.untilAllWait()
            waiter.escalatePriority(to: .high)
            let priorities = [try await waiter.value, try await leader.value]
            Child.require(priorities.allSatisfy { $0 >= TaskPriority.high.rawValue }, "\(priorities)")
        }
    }
}
