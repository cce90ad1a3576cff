import ConcurrencySupport
import Testing

extension Specification {
    /// Changes while asynchronous calls wait.
    static let asynchronousChanges: [Promise] = [
        Promise(
            "What is made asynchronously while its lifetime changes goes to those who wait.",
            "AsyncServices.md#creation-tasks", needs: [.contexts],
            each: Lifetime.plain + [.context(.session, isRequired: true)]
        ) { _, container, lifetime in
            let made = Counter()
            let registration = Box<(any RegistrationUnderTest<Numbered>)?>(nil)
            registration.set(
                container.registerAsync(Numbered.self, name: nil, line: 1) { _, _ in
                    registration.value?.setLifetime(lifetime)
                    return Numbered(made.increment())
                })
            for first in [Lifetime.unique, .cached] {
                registration.value?.setLifetime(first)
                let number = made.value + 1
                try await expect(container.getAsync(Numbered.self).number, is: number, "\(first), \(lifetime)")
                expect(made.value, is: number, "\(first), \(lifetime)")
            }
            registration.set(nil)
        },
        Promise(
            "What a call makes for itself stays the answer if a context begins meanwhile.",
            "AsyncServices.md#creation-in-each-scope", needs: [.contexts]
        ) { system, container in
            let made = Counter()
            container.registerAsync(Numbered.self, name: nil, line: 1) { _, _ in
                _ = system.setCurrent(.session, id: "ada")
                return Numbered(made.increment())
            }.setLifetime(.context(.session, isRequired: false))
            try await expect(container.getAsync(Numbered.self).number, is: 1)
            expect(made.value, is: 1)
            system.clear(.session)
        },
        Promise(
            "A context's own service that is registered meanwhile is for later calls.",
            "AsyncServices.md#creation-tasks", needs: [.contexts]
        ) { system, _ in
            for lifetime in [Lifetime.cached, .unique] {
                let (container, isMaking, mayEnd) = slow(system, lifetime)
                _ = system.setCurrent(.session, id: "ada")
                let waiting = Task { try await container.getAsync(Numbered.self).number }
                await isMaking.pass()
                system.register(Numbered.self, in: .session, line: 2) { Numbered(7) }
                mayEnd.open()
                try await expect(waiting.value, is: 1, "\(lifetime)")
                try await expect(container.getAsync(Numbered.self).number, is: 7, "\(lifetime)")
                system.clear(.session)
            }
        },
        Promise(
            "A call through aliases that change meanwhile gets what it has waited for.",
            "AsyncServices.md#creation-tasks", needs: [.aliases], each: [Lifetime.cached, .unique]
        ) { _, container, lifetime in
            let made = Box<Leaf?>(nil)
            container.register(Leaf.self, name: "middle", line: 1) { Leaf() }
                .implement((any Role).self, name: nil, line: 2)
            container.registerAsync(Leaf.self, name: nil, line: 3) { _, _ in
                container.register(Leaf.self, name: "middle", line: 4) { Leaf() }
                let leaf = Leaf()
                made.set(leaf)
                return leaf
            }.with(lifetime).implement(Leaf.self, name: "middle", line: 5)
            let role = try await container.getAsync((any Role).self)
            expect(role === made.value, "\(lifetime)")
        },
        Promise(
            "What completes an asynchronous service cannot ask for another one of it.", "CyclicDependencies.md",
            needs: [.properties, .contexts], each: [Lifetime.unique, .context(.session, isRequired: false)]
        ) { _, container, lifetime in
            let made = Counter()
            let failure = Box<Failure?>(nil)
            container.registerAsync(Numbered.self, name: nil, line: 1) { _, _ in
                Numbered(made.increment())
            }.with(lifetime).complete { container, _, _ in try failure.set(container.failure(of: Numbered.self)) }
            try await expect(container.getAsync(Numbered.self).number, is: 1, "\(lifetime)")
            expect(made.value, is: 1, "\(lifetime)")
            expect(failure.value, is: Failure("circularDependency", ["Numbered@1", "Numbered@1"]), "\(lifetime)")
        },
        Promise(
            "A decorator that asks for an asynchronous service gets an error.", "AsyncServices.md#when-the-app-starts",
            needs: [.aliases]
        ) { system, container in
            let made = Counter()
            let codes = Box<Set<String>>([])
            container.registerAsync(Decorated.self, name: nil, line: 1) { _, _ in
                made.increment()
                return Decorated()
            }.with(.unique).implement((any Role).self, name: nil, line: 2)
            system.decorate { service in
                // Limited, because the instance is made again. Other tests hand out no such service.
                guard service is Decorated, made.value < 3,
                    let failure = try? container.failure(of: Decorated.self)
                else { return }
                codes.update { _ = $0.insert(failure.code) }
            }
            _ = try await container.getAsync((any Role).self)
            system.decorate(nil)
            expect(made.value, is: 1)
            expect(codes.value, is: ["requiresAsync"])
        },
        Promise(
            "The path of a dependency cycle in a task has all its services.", "CyclicDependencies.md",
            needs: [.arguments]
        ) { _, container in
            let failure = Box<Failure?>(nil)
            container.registerAsync(Leaf.self, name: nil, line: 1) { container, argument in
                if argument == nil {
                    _ = try await container.askAsync(.resolveAsync, Leaf.self, name: nil, Argument(1))
                } else {
                    try await failure.set(container.failureAsync(of: Leaf.self))
                }
                return Leaf()
            }.setLifetime(.unique)
            _ = try await container.getAsync(Leaf.self)
            expect(failure.value, is: Failure("circularDependency", ["Leaf@1", "Leaf@1", "Leaf@1"]))
        },
        Promise(
            "Of two asynchronous creations that need each other, the inner one gets the error.",
            "AsyncServices.md#tasks-that-belong-to-a-call"
        ) { system, _ in
            for _ in 0..<50 {
                let container = system.makeContainer()
                container.registerAsync(Leaf.self, name: "outer", line: 1) { container, _ in
                    _ = try await container.getAsync(Leaf.self, name: "inner")
                    return Leaf()
                }.setLifetime(.cached)
                let failure = Box<Failure?>(nil)
                container.registerAsync(Leaf.self, name: "inner", line: 2) { container, _ in
                    try await failure.set(container.failureAsync(of: Leaf.self, name: "outer"))
                    return Leaf()
                }.setLifetime(.cached)
                _ = try await container.getAsync(Leaf.self, name: "outer")
                expect(failure.value?.code, is: "circularDependency")
            }
        },
        Promise(
            "A service that becomes asynchronous while it is asked for is made asynchronously.", "AsyncServices.md",
            needs: [.arguments]
        ) { _, container in
            container.register(Numbered.self, name: nil, line: 1) { Numbered(1) }.with(.cached).keepForEachArgument()
            // Hashing the argument runs user code.
            let argument = Argument(7) {
                container.registerAsync(Numbered.self, name: nil, line: 2) { _, _ in Numbered(2) }.setLifetime(.cached)
            }
            let numbered = try await container.askAsync(.resolveAsync, Numbered.self, name: nil, argument)
            expect(numbered?.number, is: 2)
        },
    ]
}

/// A service that one promise decorates. The decorator is called for the services of all tests.
private final class Decorated: Role {}
