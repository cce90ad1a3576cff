import ConcurrencySupport
import Testing

extension Specification {
    /// The end of a context, and the instances that it releases.
    static let contextEnds: [Promise] = [
        Promise(
            "A context releases what it keeps when it ends, the youngest first.", "EndingContexts.md#what-happens",
            needs: [.hooks]
        ) { system, _ in
            for kind in ContextKind.allCases {
                let ends: [(any ContextUnderTest) -> Void] = [{ _ in system.clear(kind) }, { $0.end() }]
                for end in ends {
                    let container = system.makeContainer()
                    let log = Log()
                    for name in ["old", "young"] {
                        container.registerLeaf(.context(kind, isRequired: true), name: name)
                            .onRelease { _ in log.note(name) }
                    }
                    let context = system.setCurrent(kind, id: "1")
                    for name in ["old", "young"] { _ = try container.get(Leaf.self, name: name) }
                    end(context)
                    expect(log.value, is: ["young", "old"], "\(kind)")
                    end(context)
                    expect(log.value, is: ["young", "old"], "\(kind)")
                }
            }
        },
        Promise("A closure ends its context however it is left.", "RequestScope.md#withscope") { system, container in
            let log = Log()
            container.register { Mortal { log.note("released") } }.setLifetime(.context(.request, isRequired: true))
            #expect(throws: Mishap.self) {
                try system.within(.request, id: "1") {
                    _ = try container.get(Mortal.self)
                    throw Mishap()
                }
            }
            expect(log.value, is: ["released"])
            await #expect(throws: Mishap.self) {
                try await system.withContext(.request, id: "1") {
                    _ = try container.get(Mortal.self)
                    await Task.yield()
                    throw Mishap()
                }
            }
            expect(log.value, is: ["released", "released"])
            expect(system.currentID(.request), is: nil)
        },
        Promise("In a hook the context is not current any more.", "EndingContexts.md#what-happens", needs: [.hooks]) {
            system, container in
            let seen = Box<[String?]>([])
            container.registerLeaf(.context(.session, isRequired: false)).onRelease { [weak container] _ in
                let id = system.currentID(.session)
                let isKept = try container?.existing(Leaf.self) != nil
                seen.update { $0 += [id, isKept ? "kept" : nil] }
            }
            _ = system.setCurrent(.session, id: "ada")
            _ = try container.get(Leaf.self)
            system.clear(.session)
            expect(seen.value, is: [nil, nil])
        },
        Promise("What was handed out lives on after the end.", "EndingContexts.md#what-happens") { system, container in
            _ = container.registerLeaf(.context(.session, isRequired: false))
            _ = system.setCurrent(.session, id: "ada")
            let leaf = try container.get(Leaf.self)
            weak var again = leaf
            system.clear(.session)
            expect(again != nil)
            withExtendedLifetime(leaf) {}
        },
        Promise(
            "An end that waits returns when asynchronous hooks have run.", "EndingContexts.md#waiting-for-hooks",
            needs: [.hooks, .asyncHooks]
        ) { system, container in
            let log = Log()
            let registration = container.registerLeaf(.context(.request, isRequired: true))
            system.onRelease(registration) { _ in
                await Task.yield()
                log.note("released")
            }
            try await system.withContext(.request, id: "1") {
                await Task.yield()
                _ = try container.get(Leaf.self)
            }
            expect(log.value.count, is: 1)
            let context = system.setCurrent(.request, id: "2")
            _ = try container.get(Leaf.self)
            await context.endAndWait()
            expect(log.value.count, is: 2)
            _ = system.setCurrent(.request, id: "3")
            _ = try container.get(Leaf.self)
            await system.clearAndWait(.request)
            expect(log.value.count, is: 3)
        },
        Promise(
            "What is made while its context ends goes to the caller and is not kept.", "EndingContexts.md#what-happens",
            needs: [.threads]
        ) { system, container in
            let log = Log()
            let pause = Pause()
            container.register { pause.blocking(Mortal { log.note("gone") }) }.setLifetime(
                .context(.request, isRequired: false))
            let context = system.setCurrent(.request, id: "1")
            let isMade = try await Threads.results(
                {
                    let mortal = Box<Mortal?>(nil)
                    try context.run { try mortal.set(container.get(Mortal.self)) }
                    return mortal.value != nil
                },
                {
                    pause.hasBegun.wait()
                    context.end()
                    pause.mayEnd.open()
                    return true
                })
            expect(isMade, is: [true, true])
            expect(log.value, is: ["gone"], "only its caller has held it")
        },
        Promise(
            "A session may end with the screens that began in it.", "SessionsAndScreens.md#logging-in-and-out",
            needs: [.cascades]
        ) { system, _ in
            _ = system.setCurrent(.session, id: "ada")
            let screen = system.setCurrent(.screen, id: "home")
            system.clear(.session)
            expect(screen.isOpen)
            _ = system.setCurrent(.session, id: "bob")
            let later = system.setCurrent(.screen, id: "detail")
            system.clearCascading(.session)
            expect(!later.isOpen)
            expect(system.currentID(.session) == nil && system.currentID(.screen) == nil)
        },
        Promise(
            "A session that expires is no longer current.", "SessionsAndScreens.md#expiry", needs: [.expiringContexts]
        ) { system, _ in
            let session = system.setCurrent(.session, id: "ada", expiresAfter: 60)
            system.setTime(59)
            expect(system.currentID(.session), is: "ada")
            system.setTime(60)
            expect(system.currentID(.session), is: nil)
            expect(!session.isOpen)
        },
        Promise(
            "A session is replaced when the new one is ready.", "SessionsAndScreens.md#refreshing",
            needs: [.replacement]
        ) { system, container in
            container.registerNumbered(.context(.session, isRequired: true))
            let old = system.setCurrent(.session, id: "old")
            _ = try container.number()
            for number in 2...3 {
                try await system.replaceCurrent(.session, id: "new") {
                    expect(system.currentID(.session), is: "new")
                    try expect(container.number(), is: number)
                    expect(old.isOpen, is: number == 2)
                }
                expect(!old.isOpen)
                expect(system.currentID(.session), is: "new")
                try expect(container.number(), is: number)
            }
            system.clear(.session)
        },
        Promise(
            "Where the new session fails, the old one stays.", "SessionsAndScreens.md#refreshing", needs: [.replacement]
        ) { system, _ in
            let old = system.setCurrent(.session, id: "old")
            await #expect(throws: Mishap.self) {
                try await system.replaceCurrent(.session, id: "new") { throw Mishap() }
            }
            expect(old.isOpen)
            expect(system.currentID(.session), is: "old")
            system.clear(.session)
        },
        Promise(
            "Where the new session ends before it is ready, the old one stays.", "SessionsAndScreens.md#refreshing",
            needs: [.replacement]
        ) { system, _ in
            let old = system.setCurrent(.session, id: "old")
            let failure = await #expect(throws: Failure.self) {
                try await system.replaceCurrent(.session, id: "new") { system.clear(.session) }
            }
            expect(failure?.code, is: "scopeEnded")
            expect(old.isOpen)
            expect(system.currentID(.session), is: "old")
            system.clear(.session)
        },
    ]
}
