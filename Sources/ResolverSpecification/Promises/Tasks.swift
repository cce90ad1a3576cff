import ConcurrencySupport
import Testing

extension Specification {
    /// Tasks that belong to a call, and the instances they share.
    static let tasks: [Promise] = [
        Promise("Child tasks of a factory share the objects of its resolution.", "ResolutionCycle.md#tasks") {
            _, container in
            registerLeafAsync(container)
            registerPairAsync(container) { container in try await container.getAsync(Leaf.self) }
            let one = try await container.getAsync(Pair.self)
            let two = try await container.getAsync(Pair.self)
            expect(one.first === one.second)
            expect(one.first !== two.first)
        },
        Promise("What child tasks resolve synchronously is shared as well, by one call.", "ResolutionCycle.md#tasks") {
            _, container in
            _ = container.registerLeaf(.graph)
            registerPairAsync(container) { container in
                await Task.yield()
                return try container.get(Leaf.self)
            }
            let pair = try await container.getAsync(Pair.self)
            expect(pair.first === pair.second)
            try await expect(container.getAsync(Pair.self).first !== pair.first)
        },
        Promise("A task of the factory's own has a resolution of its own.", "ResolutionCycle.md#tasks") {
            _, container in
            _ = container.registerLeaf(.graph)
            container.registerAsync(Pair.self, name: nil, line: 1) { container, _ in
                let first = try container.get(Leaf.self)
                let second = try await Task.detached { try container.get(Leaf.self) }.value
                return Pair(first, second)
            }
            let pair = try await container.getAsync(Pair.self)
            expect(pair.first !== pair.second)
        },
        Promise("Two calls outside of a factory have two resolutions.", "ResolutionCycle.md#tasks") { _, container in
            registerLeafAsync(container)
            async let one = container.getAsync(Leaf.self)
            async let other = container.getAsync(Leaf.self)
            let leaves = try await [one, other]
            expect(leaves[0] !== leaves[1])
        },
        Promise(
            "A kept asynchronous service shares no parts with the call that waits.", "ResolutionCycle.md#tasks",
            each: Lifetime.strong
        ) { _, container, lifetime in
            _ = container.registerLeaf(.graph)
            container.registerAsync(Holder<Leaf>.self, name: nil, line: 1) { container, _ in
                await Task.yield()
                return Holder(try container.get(Leaf.self))
            }.setLifetime(lifetime)
            container.registerAsync(Pair.self, name: nil, line: 2) { container, _ in
                let leaf = try container.get(Leaf.self)
                return Pair(leaf, try await container.getAsync(Holder<Leaf>.self).part)
            }
            let pair = try await container.getAsync(Pair.self)
            expect(pair.first !== pair.second, "\(lifetime)")
        },
        Promise(
            "A kept synchronous service shares the parts of an asynchronous call.", "ResolutionCycle.md#tasks",
            each: Lifetime.strong
        ) { _, container, lifetime in
            _ = container.registerLeaf(.graph)
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
            container.registerAsync(Pair.self, name: nil, line: 2) { container, _ in
                let leaf = try container.get(Leaf.self)
                return Pair(leaf, try await container.getAsync(Holder<Leaf>.self).part)
            }
            let pair = try await container.getAsync(Pair.self)
            expect(pair.first === pair.second, "\(lifetime)")
        },
        Promise(
            "An asynchronous factory that needs itself is an error.", "AsyncServices.md#tasks-that-belong-to-a-call",
            each: Lifetime.plain
        ) { _, container, lifetime in
            container.registerAsync(Leaf.self, name: nil, line: 1) { container, _ in
                try await container.getAsync(Leaf.self)
            }.setLifetime(lifetime)
            try await expect(
                container.failureAsync(of: Leaf.self), is: Failure("circularDependency", ["Leaf@1", "Leaf@1"]),
                "\(lifetime)")
        },
        Promise(
            "A factory that needs itself in a child task is an error.", "AsyncServices.md#tasks-that-belong-to-a-call",
            each: Lifetime.plain
        ) { _, container, lifetime in
            container.registerAsync(Leaf.self, name: nil, line: 1) { container, _ in
                async let leaf = container.getAsync(Leaf.self)
                return try await leaf
            }.setLifetime(lifetime)
            try await expect(
                container.failureAsync(of: Leaf.self).code, is: "circularDependency", "\(lifetime)")
        },
        Promise(
            "Asynchronous services that need each other are an error for both.",
            "AsyncServices.md#tasks-that-belong-to-a-call", each: Lifetime.strong
        ) { _, container, lifetime in
            let bothMake = Rendezvous(2)
            container.registerAsync(Leaf.self, name: nil, line: 1) { container, _ in
                await bothMake.arriveAndPass()
                _ = try await container.getAsync(OtherLeaf.self)
                return Leaf()
            }.setLifetime(lifetime)
            container.registerAsync(OtherLeaf.self, name: nil, line: 2) { container, _ in
                await bothMake.arriveAndPass()
                _ = try await container.getAsync(Leaf.self)
                return OtherLeaf()
            }.setLifetime(lifetime)
            async let one = container.failureAsync(of: Leaf.self)
            async let other = container.failureAsync(of: OtherLeaf.self)
            let failures = try await [one, other]
            expect(failures.map(\.code), is: ["circularDependency", "circularDependency"], "\(lifetime)")
        },
        Promise(
            "Child tasks that need the same service are no dependency cycle.",
            "AsyncServices.md#tasks-that-belong-to-a-call", each: Lifetime.plain
        ) { _, container, lifetime in
            registerLeafAsync(container, lifetime)
            registerPairAsync(container, lifetime) { container in try await container.getAsync(Leaf.self) }
            let pair = try await container.getAsync(Pair.self)
            expect(pair.first === pair.second, is: lifetime != .unique, "\(lifetime)")
        },
        Promise(
            "What runs in the task that asks is cancelled with it.", "AsyncServices.md#creation-in-each-scope",
            each: [Lifetime.graph, .unique]
        ) { _, container, lifetime in
            let pause = Pause()
            container.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in
                try await pause.suspending(Task.checkCancellation())
                return Leaf()
            }.setLifetime(lifetime)
            let task = Task { try await container.getAsync(Leaf.self) }
            await pause.during { task.cancel() }
            await #expect(throws: CancellationError.self, "\(lifetime)") { _ = try await task.value }
        },
        Promise("An error of a factory goes to the task that asks alone.", "Errors.md#asynchronous-services") {
            _, container in
            let bothMake = Rendezvous(2)
            container.registerAsync(Numbered.self, name: nil, line: 1) { _, argument in
                await bothMake.arriveAndPass()
                guard let argument else { throw Mishap() }
                return Numbered(argument.value)
            }
            async let failure = container.failureAsync(of: Numbered.self)
            try await expect(container.getAsync(Numbered.self, Argument(1)).number, is: 1)
            try await expect(failure.code, is: "factoryFailed")
        },
    ]

    private static func registerLeafAsync(_ container: any ContainerUnderTest, _ lifetime: Lifetime = .graph) {
        container.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in
            await Task.yield()
            return Leaf()
        }.setLifetime(lifetime)
    }

    /// Registers a pair whose parts are resolved by two child tasks.
    private static func registerPairAsync(
        _ container: any ContainerUnderTest, _ lifetime: Lifetime = .graph,
        half: @escaping @Sendable (any ContainerUnderTest) async throws -> Leaf
    ) {
        container.registerAsync(Pair.self, name: nil, line: 2) { container, _ in
            async let first = half(container)
            async let second = half(container)
            return Pair(try await first, try await second)
        }.setLifetime(lifetime)
    }
}
