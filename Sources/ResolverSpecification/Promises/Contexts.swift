import ConcurrencySupport
import Testing

extension Specification {
    /// Services of a screen, a session or a request.
    static let contexts: [Promise] =
        (contextInstances + contextRegistrations + currentContexts + contextEnds + captives)
        .map { $0.needing(.contexts) }

    private static let contextInstances: [Promise] = [
        Promise(
            "A context has one instance, made when it is first asked for.", "Contexts.md#registering",
            each: ContextKind.allCases
        ) { system, container, kind in
            container.registerNumbered(.context(kind, isRequired: false))
            _ = system.setCurrent(kind, id: "1")
            try expect(container.existing(Numbered.self), is: nil, "\(kind)")
            for _ in 1...2 { try expect(container.number(), is: 1, "\(kind)") }
            try expect(container.existing(Numbered.self)?.number, is: 1, "\(kind)")
            system.clear(kind)
        },
        Promise("A context keeps values as well.", "Contexts.md#registering", each: ContextKind.allCases) {
            system, container, kind in
            let counter = Counter()
            container.register { Price(number: counter.increment()) }.setLifetime(.context(kind, isRequired: false))
            system.within(kind, id: "1") {
                for _ in 1...2 { expect((try? container.get(Price.self))?.number, is: 1, "\(kind)") }
            }
        },
        Promise("A later context has another instance.", "Contexts.md#what-a-scope-is", each: ContextKind.allCases) {
            system, container, kind in
            container.registerNumbered(.context(kind, isRequired: false))
            for number in 1...2 {
                _ = system.setCurrent(kind, id: "the same id")
                try expect(container.number(), is: number, "\(kind)")
                system.clear(kind)
            }
        },
        Promise("Containers share no instance of a context.", "Contexts.md#registering") { system, _ in
            let containers = [system.makeContainer(), system.makeContainer()]
            for container in containers { _ = container.registerLeaf(.context(.session, isRequired: false)) }
            _ = system.setCurrent(.session, id: "ada")
            let leaf = try containers[0].get(Leaf.self)
            try expect(containers[1].get(Leaf.self) !== leaf)
            try expect(containers[0].get(Leaf.self) === leaf)
            system.clear(.session)
        },
        Promise(
            "Without a context each call makes an instance that is not kept.", "Contexts.md#when-no-scope-is-current"
        ) { system, container in
            container.registerNumbered(.context(.request, isRequired: false))
            for number in 1...3 { try expect(container.number(), is: number) }
            try expect(container.existing(Numbered.self), is: nil)
            expect(system.currentID(.request), is: nil)
        },
        Promise(
            "Without a context that is required there is no instance.", "Contexts.md#when-no-scope-is-current",
            each: ContextKind.allCases
        ) { system, container, kind in
            container.registerNumbered(.context(kind, isRequired: true))
            try expect(container.optional(Numbered.self), is: nil, "\(kind)")
            try expect(container.failure(of: Numbered.self).code, is: "scopeDeclined", "\(kind)")
            try system.within(kind, id: "1") { try expect(container.number(), is: 1, "\(kind)") }
        },
        Promise("A context keeps an instance for each argument.", "Contexts.md#registering", needs: [.arguments]) {
            system, container in
            container.registerByArgument(.context(.session, isRequired: false)).keepForEachArgument()
            _ = system.setCurrent(.session, id: "ada")
            let one = try container.get(Numbered.self, Argument(1))
            try expect(container.number(Argument(2)), is: 2)
            try expect(container.get(Numbered.self, Argument(1)) === one)
            system.clear(.session)
        },
        Promise("A time to live counts in a context, too.", "Contexts.md#registering", needs: [.timeToLive]) {
            system, container in
            container.registerLeaf(.context(.session, isRequired: false)).setTimeToLive(60, fromCreation: true)
            _ = system.setCurrent(.session, id: "ada")
            let leaf = try container.get(Leaf.self)
            system.setTime(59)
            try expect(container.get(Leaf.self) === leaf)
            system.setTime(60)
            try expect(container.get(Leaf.self) !== leaf)
            system.clear(.session)
        },
        Promise(
            "What belongs to a context is the same through an isolating container.", "Containers.md#isolating",
            needs: [.isolation]
        ) { system, live in
            _ = live.registerLeaf(.context(.request, isRequired: false))
            let rehearsal = system.makeContainer(isolating: live)
            try system.within(.request, id: "1") {
                let leaf = try rehearsal.get(Leaf.self)
                try expect(live.get(Leaf.self) === leaf)
            }
        },
        Promise("An instance of a context is made once for all threads.", "Contexts.md#registering", needs: [.threads])
        { system, container in
            let areAsking = Rendezvous(6)
            let made = Counter()
            container.register {
                areAsking.gate.wait()
                return Numbered(made.increment())
            }.setLifetime(.context(.request, isRequired: true))
            let context = system.setCurrent(.request, id: "1")
            let numbers = try await Threads.results(6) { _ in
                areAsking.arrive()
                let number = Box(0)
                try context.run { try number.set(container.number()) }
                return number.value
            }
            expect(numbers, is: Array(repeating: 1, count: 6))
            context.end()
        },
    ]

    private static let contextRegistrations: [Promise] = [
        Promise(
            "What is registered for a context is found in it, and gone with it.", "Contexts.md#registering",
            each: ContextKind.allCases
        ) { system, container, kind in
            _ = system.setCurrent(kind, id: "1")
            system.register(String.self, in: kind, line: 1) { "of the context" }
            try expect(container.get(String.self), is: "of the context", "\(kind)")
            system.clear(kind)
            try expect(container.optional(String.self), is: nil, "\(kind)")
            system.within(kind, id: "2") { _ = container.registerLeaf(.context(kind, isRequired: true)) }
            try system.within(kind, id: "3") {
                try expect(container.optional(Leaf.self) != nil, "\(kind): it was registered in the container")
            }
        },
        Promise("A registration of a context comes before those of containers.", "Contexts.md#registering") {
            system, container in
            container.register { "of the container" }
            _ = system.setCurrent(.session, id: "ada")
            system.register(String.self, in: .session, line: 1) { "of the context" }
            try expect(container.get(String.self), is: "of the context")
            system.clear(.session)
            try expect(container.get(String.self), is: "of the container")
        },
        Promise("Of several contexts the one with the lowest rank answers.", "Contexts.md#registering") {
            system, container in
            for kind in [ContextKind.request, .session, .screen] {
                _ = system.setCurrent(kind, id: "1")
                system.register(String.self, in: kind, line: 1) { kind.rawValue }
            }
            for kind in ContextKind.allCases {
                try expect(container.get(String.self), is: kind.rawValue)
                system.clear(kind)
            }
        },
        Promise("A context keeps what is registered for it.", "Contexts.md#registering") { system, container in
            _ = system.setCurrent(.session, id: "ada")
            let counter = Counter()
            system.register(Numbered.self, in: .session, line: 1) { Numbered(counter.increment()) }
            for _ in 1...2 { try expect(container.number(), is: 1) }
            system.clear(.session)
        },
    ]
}
