import ConcurrencySupport
import Testing

extension Specification {
    /// The current context, and the code that sees it.
    static let currentContexts: [Promise] = [
        Promise("A context that is set is current until it is cleared.", "Contexts.md#current-scopes") { system, _ in
            for kind in ContextKind.allCases {
                expect(system.currentID(kind), is: nil)
                let context = system.setCurrent(kind, id: "1")
                expect(system.currentID(kind), is: "1")
                expect(context.isOpen)
                system.clear(kind)
                expect(system.currentID(kind), is: nil)
                expect(!context.isOpen)
            }
        },
        Promise("Another screen or session ends the one before.", "Contexts.md#current-scopes") { system, _ in
            for kind in [ContextKind.screen, .session] {
                let first = system.setCurrent(kind, id: "1")
                let second = system.setCurrent(kind, id: "2")
                expect(!first.isOpen && second.isOpen, "\(kind)")
                expect(system.currentID(kind), is: "2", "\(kind)")
                system.clear(kind)
                expect(system.currentID(kind), is: nil, "\(kind)")
            }
        },
        Promise(
            "A screen or session with the same id goes on.", "SessionsAndScreens.md#logging-in-and-out",
            each: [ContextKind.screen, .session]
        ) { system, container, kind in
            container.registerNumbered(.context(kind, isRequired: true))
            let context = system.setCurrent(kind, id: "1")
            _ = try container.number()
            _ = system.setCurrent(kind, id: "1")
            expect(context.isOpen, "\(kind)")
            try expect(container.number(), is: 1, "\(kind)")
            system.clear(kind)
        },
        Promise("An inner request hides the outer one until it is cleared.", "RequestScope.md#set-and-clear") {
            system, container in
            container.registerNumbered(.context(.request, isRequired: true))
            _ = system.setCurrent(.request, id: "outer")
            try expect(container.number(), is: 1)
            _ = system.setCurrent(.request, id: "inner")
            try expect(container.number(), is: 2)
            system.clear(.request)
            expect(system.currentID(.request), is: "outer")
            try expect(container.number(), is: 1)
            system.clear(.request)
        },
        Promise(
            "Child tasks do not see a request that is set by hand.", "RequestScope.md#set-and-clear", needs: [.async]
        ) { system, _ in
            _ = system.setCurrent(.request, id: "1")
            async let id = system.currentID(.request)
            await expect(id, is: nil)
            expect(system.currentID(.request), is: "1")
            system.clear(.request)
        },
        Promise(
            "Child tasks and tasks that a closure starts see its context.", "RequestScope.md#withscope", needs: [.async]
        ) { system, _ in
            for kind in ContextKind.allCases {
                await system.withContext(kind, id: "1") {
                    async let id = system.currentID(kind)
                    await expect(id, is: "1", "\(kind)")
                    await expect(Task { system.currentID(kind) }.value, is: "1", "\(kind)")
                    await expect(Task.detached { system.currentID(kind) }.value, is: nil, "\(kind)")
                }
                expect(system.currentID(kind), is: nil, "\(kind)")
            }
        },
        Promise("A task that outlives its request has none.", "RequestScope.md#withscope", needs: [.async]) {
            system, container in
            container.registerNumbered(.context(.request, isRequired: false))
            let (hasEnded, task) = (Gate(), Box<Task<[Int], any Error>?>(nil))
            try await system.withContext(.request, id: "1") {
                try expect(container.number(), is: 1)
                task.set(
                    Task {
                        await hasEnded.pass()
                        expect(system.currentID(.request), is: nil)
                        return [try container.number(), try container.number()]
                    })
                await Task.yield()
            }
            hasEnded.open()
            try await expect(task.value?.value, is: [2, 3])
        },
        Promise("In a boundary child tasks see what is set by hand.", "RequestScope.md#boundary", needs: [.boundaries])
        { system, _ in
            let left = Box<(any ContextUnderTest)?>(nil)
            await system.withBoundary {
                left.set(system.setCurrent(.request, id: "1"))
                async let id = system.currentID(.request)
                await expect(id, is: "1")
            }
            expect(left.value?.isOpen, is: false, "what is left set is ended")
            expect(system.currentID(.request), is: nil)
        },
        Promise("Two requests at the same time have two instances.", "RequestScope.md", needs: [.async]) {
            system, container in
            _ = container.registerLeaf(.context(.request, isRequired: true))
            let bothAsk = Rendezvous(2)
            @Sendable func serve() async throws -> [Leaf] {
                let leaves = Box<[Leaf]>([])
                try await system.withContext(.request, id: "the same id") {
                    try leaves.append(container.get(Leaf.self))
                    await bothAsk.arriveAndPass()
                    try leaves.append(container.get(Leaf.self))
                }
                return leaves.value
            }
            async let one = serve()
            async let other = serve()
            let (first, second) = try await (one, other)
            expect(first[0] === first[1] && second[0] === second[1])
            expect(first[0] !== second[0])
        },
        Promise("Code that runs in a context that is held sees it.", "Contexts.md#current-scopes") {
            system, container in
            container.registerNumbered(.context(.screen, isRequired: false))
            let context = system.setCurrent(.screen, id: "home")
            try expect(container.number(), is: 1)
            try system.within(.screen, id: "detail") {
                try expect(container.number(), is: 2)
                try context.run {
                    expect(system.currentID(.screen), is: "home")
                    try expect(container.number(), is: 1)
                }
            }
            context.end()
            expect(system.currentID(.screen), is: nil)
        },
        Promise("The innermost context counts, also when it has ended.", "Contexts.md#current-scopes") { system, _ in
            system.within(.request, id: "outer") {
                system.within(.request, id: "inner") {
                    system.clear(.request)
                    expect(system.currentID(.request), is: nil)
                }
                expect(system.currentID(.request), is: "outer")
            }
        },
    ]
}
