import ConcurrencySupport
import Testing

extension Specification {
    /// Asynchronous factories that run once for all waiters.
    static let asynchronousCreations: [Promise] = [
        Promise(
            "A kept asynchronous service is made once for all tasks.", "AsyncServices.md#creation-tasks",
            each: Lifetime.keeping
        ) { _, container, lifetime in
            let areAsking = Rendezvous(6)
            let made = Counter()
            container.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in
                await areAsking.gate.pass()
                made.increment()
                return Leaf()
            }.setLifetime(lifetime)
            let leaves = try await together(6) { _ in
                areAsking.arrive()
                return try await container.getAsync(Leaf.self)
            }
            expect(made.value, is: 1, "\(lifetime)")
            expect(leaves.allSatisfy { $0 === leaves[0] }, "\(lifetime)")
        },
        Promise(
            "Asynchronous services that do not need each other are made at the same time.", "Threads.md",
            each: Lifetime.plain
        ) { _, container, lifetime in
            let areMaking = Rendezvous(3)
            for index in 0..<3 {
                container.registerAsync(Numbered.self, name: "\(index)", line: 1) { _, _ in
                    await areMaking.arriveAndPass()
                    return Numbered(index)
                }.setLifetime(lifetime)
            }
            let all = try await together(3) { try await container.getAsync(Numbered.self, name: "\($0)") }
            expect(all.map(\.number), is: [0, 1, 2], "\(lifetime)")
        },
        Promise("A task that is cancelled leaves, and the others get the instance.", "AsyncServices.md#creation-tasks")
        { system, _ in
            let (container, isMaking, mayEnd) = slow(system, .cached)
            let staying = Task { try await container.getAsync(Numbered.self) }
            await isMaking.pass()
            let leaving = Task { try await container.getAsync(Numbered.self) }
            leaving.cancel()
            await #expect(throws: CancellationError.self) { _ = try await leaving.value }
            mayEnd.open()
            let one = try await staying.value
            try expect(container.get(Numbered.self) === one)
        },
        Promise("The instance is made and kept also if no caller is left.", "AsyncServices.md#creation-tasks") {
            system, _ in
            let (container, isMaking, mayEnd) = slow(system, .cached)
            let leaving = Task { try await container.getAsync(Numbered.self) }
            await isMaking.pass()
            leaving.cancel()
            await #expect(throws: CancellationError.self) { _ = try await leaving.value }
            mayEnd.open()
            try await expect(container.getAsync(Numbered.self).number, is: 1)
        },
        Promise(
            "A task that is cancelled already gets what is kept, and starts nothing.", "AsyncServices.md#creation-tasks"
        ) { _, container in
            container.registerNumberedAsync(.cached)
            await #expect(throws: CancellationError.self) { _ = try await cancelled(container) }
            try expect(container.existing(Numbered.self), is: nil)
            try await expect(container.getAsync(Numbered.self).number, is: 1)
            try await expect(cancelled(container), is: 1)
        },
        Promise(
            "The error of a creation goes to its caller, and the next call tries again.",
            "AsyncServices.md#creation-tasks"
        ) { system, _ in
            for lifetime in Lifetime.keeping {
                let container = system.makeContainer(), calls = Counter()
                container.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in
                    guard calls.increment() > 1 else { throw Mishap() }
                    return Leaf()
                }.setLifetime(lifetime)
                let failure = try await container.failureAsync(of: Leaf.self)
                expect(failure.code == "factoryFailed" && failure.underlying is Mishap, "\(lifetime)")
                _ = try await container.getAsync(Leaf.self)
                expect(calls.value, is: 2, "\(lifetime)")
            }
        },
        Promise(
            "What is made during a reset goes to those who wait and is not kept.", "AsyncServices.md#creation-tasks"
        ) { system, _ in
            for lifetime in Lifetime.strong {
                // Singletons outlive a reset of all.
                for part in lifetime == .application ? [.lifetime(lifetime)] : [ResetPart.lifetime(lifetime), .all] {
                    let (container, isMaking, mayEnd) = slow(system, lifetime)
                    let waiting = Task { try await container.getAsync(Numbered.self) }
                    await isMaking.pass()
                    container.reset(part)
                    mayEnd.open()
                    let one = try await waiting.value
                    expect(one.number, is: 1, "\(lifetime), \(part)")
                    try expect(container.existing(Numbered.self), is: nil, "\(lifetime), \(part)")
                    if part != .all { try await expect(container.getAsync(Numbered.self).number, is: 2) }
                }
            }
        },
        Promise("What is made while it is registered again goes to those who wait.", "AsyncServices.md#creation-tasks")
        { system, _ in
            let (container, isMaking, mayEnd) = slow(system, .cached)
            let waiting = Task { try await container.getAsync(Numbered.self) }
            await isMaking.pass()
            container.register { Numbered(7) }
            try expect(container.number(), is: 7)
            mayEnd.open()
            try await expect(waiting.value.number, is: 1)
            try expect(container.number(), is: 7)
        },
        Promise(
            "Where its context ends, all who wait get an error at once.", "EndingContexts.md#what-happens",
            needs: [.contexts]
        ) { system, _ in
            let (container, isMaking, mayEnd) = slow(system, .context(.session, isRequired: true))
            _ = system.setCurrent(.session, id: "ada")
            let waiting = Task { try await container.failureAsync(of: Numbered.self) }
            await isMaking.pass()
            system.clear(.session)
            try await expect(waiting.value.code, is: "scopeEnded")
            mayEnd.open()
        },
        Promise(
            "There is one asynchronous creation for each argument.", "AsyncServices.md#creation-in-each-scope",
            needs: [.arguments], each: Lifetime.keeping
        ) { _, container, lifetime in
            let bothMake = Rendezvous(2)
            let made = Counter()
            container.registerAsync(Numbered.self, name: nil, line: 1) { _, argument in
                made.increment()
                await bothMake.arriveAndPass()
                return Numbered(argument?.value ?? -1)
            }.with(lifetime).keepForEachArgument()
            let all = try await together(4) { try await container.getAsync(Numbered.self, Argument($0 % 2)) }
            expect(all.map(\.number), is: [0, 1, 0, 1], "\(lifetime)")
            expect(all[0] === all[2] && all[1] === all[3], "\(lifetime)")
            expect(made.value, is: 2, "\(lifetime)")
        },
        Promise("A task waits for the instance that a thread makes.", "Threads.md", needs: [.threads]) { _, container in
            let pause = Pause()
            container.register { pause.blocking(Leaf()) }.setLifetime(.cached)
            async let made = Threads.results({ try container.get(Leaf.self) })
            await pause.hasBegun.pass()
            let waiting = Task { try await container.getAsync(Leaf.self) }
            pause.mayEnd.open()
            let leaf = try await made[0]
            try await expect(waiting.value === leaf)
        },
    ]

    /// Runs `body` in several child tasks at once, each with its number.
    private static func together<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for index in 0..<count { group.addTask { (index, try await body(index)) } }
            var values: [Int: Value] = [:]
            for try await (index, value) in group { values[index] = value }
            return (0..<count).compactMap { values[$0] }
        }
    }

    /// Returns the number of the object that a task gets if it is cancelled before the call.
    private static func cancelled(_ container: any ContainerUnderTest) async throws -> Int {
        let isCancelled = Gate()
        let task = Task {
            await isCancelled.pass()
            return try await container.getAsync(Numbered.self).number
        }
        task.cancel()
        isCancelled.open()
        return try await task.value
    }

    /// Returns a container with a slow factory. The gates report that it has begun, and let it continue.
    static func slow(
        _ system: any SystemUnderTest, _ lifetime: Lifetime
    ) -> (any ContainerUnderTest, isMaking: Gate, mayEnd: Gate) {
        let container = system.makeContainer()
        let pause = Pause()
        let counter = Counter()
        container.registerAsync(Numbered.self, name: nil, line: 1) { _, _ in
            let number = counter.increment()
            return await pause.suspending(Numbered(number))
        }.setLifetime(lifetime)
        return (container, pause.hasBegun, pause.mayEnd)
    }
}
