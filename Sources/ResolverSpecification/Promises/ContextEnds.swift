import Testing

extension Specification {
    /// Which context is current, and for whom.
    static let currentContexts: [Promise] = [
        Promise(
            "A context that is set is current until it is cleared.", "Contexts.md#current-for-whom", needs: [.contexts]
        ) {
            system in
            for kind in ContextKind.allCases {
                #expect(system.currentID(kind) == nil)
                let context = system.setCurrent(kind, id: "1")
                #expect(system.currentID(kind) == "1")
                #expect(context.isOpen)
                system.clear(kind)
                #expect(system.currentID(kind) == nil)
                #expect(!context.isOpen)
            }
        },
        Promise("Another screen or session ends the one before.", "Contexts.md#current-for-whom", needs: [.contexts]) {
            system in
            for kind in [ContextKind.screen, .session] {
                let first = system.setCurrent(kind, id: "1")
                let second = system.setCurrent(kind, id: "2")
                #expect(!first.isOpen && second.isOpen, "\(kind)")
                #expect(system.currentID(kind) == "2", "\(kind)")
                system.clear(kind)
                #expect(system.currentID(kind) == nil, "\(kind)")
            }
        },
        Promise(
            "A screen or session with the same id goes on.", "SessionsAndScreens.md#logging-in-and-out",
            needs: [.contexts]
        ) {
            system in
            for kind in [ContextKind.screen, .session] {
                let container = system.makeContainer()
                container.registerNumbered(.context(kind, isRequired: true))
                let context = system.setCurrent(kind, id: "1")
                _ = try container.number()
                _ = system.setCurrent(kind, id: "1")
                #expect(context.isOpen, "\(kind)")
                try #expect(container.number() == 1, "\(kind)")
                system.clear(kind)
            }
        },
        Promise(
            "An inner request hides the outer one until it is cleared.", "RequestScope.md#set-and-clear",
            needs: [.contexts]
        ) {
            system in
            let container = system.makeContainer()
            container.registerNumbered(.context(.request, isRequired: true))
            _ = system.setCurrent(.request, id: "outer")
            try #expect(container.number() == 1)
            _ = system.setCurrent(.request, id: "inner")
            try #expect(container.number() == 2)
            system.clear(.request)
            #expect(system.currentID(.request) == "outer")
            try #expect(container.number() == 1)
            system.clear(.request)
        },
        Promise(
            "Child tasks do not see a request that is set by hand.", "RequestScope.md#set-and-clear", needs: [.contexts]
        ) {
            system in
            _ = system.setCurrent(.request, id: "1")
            async let id = system.currentID(.request)
            #expect(await id == nil)
            #expect(system.currentID(.request) == "1")
            system.clear(.request)
        },
        Promise("Child tasks and tasks see the context of a closure.", "RequestScope.md#withscope", needs: [.contexts])
        {
            system in
            for kind in ContextKind.allCases {
                await system.withContext(kind, id: "1") {
                    async let id = system.currentID(kind)
                    #expect(await id == "1", "\(kind)")
                    #expect(await Task { system.currentID(kind) }.value == "1", "\(kind)")
                }
                #expect(system.currentID(kind) == nil, "\(kind)")
            }
        },
        Promise(
            "In a boundary child tasks see what is set by hand.", "RequestScope.md#boundary",
            needs: [.contexts, .boundaries]
        ) {
            system in
            let left = Locked<(any ContextUnderTest)?>(nil)
            await system.withBoundary {
                left.value = system.setCurrent(.request, id: "1")
                async let id = system.currentID(.request)
                #expect(await id == "1")
            }
            #expect(left.value?.isOpen == false, "what is left set is ended")
            #expect(system.currentID(.request) == nil)
        },
        Promise("Two requests at the same time have two instances.", "RequestScope.md", needs: [.contexts]) { system in
            let container = system.makeContainer()
            _ = container.registerLeaf(.context(.request, isRequired: true))
            let bothAsk = Rendezvous(2)
            @Sendable func serve() async throws -> [Leaf] {
                let leaves = Locked<[Leaf]>([])
                try await system.withContext(.request, id: "the same id") {
                    leaves.value.append(try container.get(Leaf.self))
                    await bothAsk.join()
                    leaves.value.append(try container.get(Leaf.self))
                }
                return leaves.value
            }
            async let one = serve()
            async let other = serve()
            let (first, second) = try await (one, other)
            #expect(first[0] === first[1] && second[0] === second[1])
            #expect(first[0] !== second[0])
        },
        Promise("Code that runs in a context that is held sees it.", "Contexts.md#current-for-whom", needs: [.contexts])
        {
            system in
            let container = system.makeContainer()
            container.registerNumbered(.context(.screen, isRequired: false))
            let context = system.setCurrent(.screen, id: "home")
            try #expect(container.number() == 1)
            try system.within(.screen, id: "detail") {
                try #expect(container.number() == 2)
                try context.run {
                    #expect(system.currentID(.screen) == "home")
                    try #expect(container.number() == 1)
                }
            }
            context.end()
            #expect(system.currentID(.screen) == nil)
        },
        Promise(
            "The innermost context counts, also when it has ended.", "Contexts.md#current-for-whom", needs: [.contexts]
        ) {
            system in
            system.within(.request, id: "outer") {
                system.within(.request, id: "inner") {
                    system.clear(.request)
                    #expect(system.currentID(.request) == nil)
                }
                #expect(system.currentID(.request) == "outer")
            }
        },
    ]

    /// How a context ends, and what goes with it.
    static let contextEnds: [Promise] = [
        Promise(
            "A context releases what it keeps when it ends, the youngest first.", "Contexts.md#the-end",
            needs: [.contexts, .hooks]
        ) {
            system in
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
                    #expect(log.value == ["young", "old"], "\(kind)")
                    end(context)
                    #expect(log.value == ["young", "old"], "\(kind)")
                }
            }
        },
        Promise("A closure ends its context however it is left.", "RequestScope.md#withscope", needs: [.contexts]) {
            system in
            let container = system.makeContainer()
            let log = Log()
            container.register { Mortal { log.note("released") } }.setLifetime(.context(.request, isRequired: true))
            #expect(throws: Mishap.self) {
                try system.within(.request, id: "1") {
                    _ = try container.get(Mortal.self)
                    throw Mishap()
                }
            }
            #expect(log.value == ["released"])
            await #expect(throws: Mishap.self) {
                try await system.withContext(.request, id: "1") {
                    _ = try container.get(Mortal.self)
                    await Task.yield()
                    throw Mishap()
                }
            }
            #expect(log.value == ["released", "released"])
            #expect(system.currentID(.request) == nil)
        },
        Promise("In a hook the context is not current any more.", "Contexts.md#the-end", needs: [.contexts, .hooks]) {
            system in
            let container = system.makeContainer()
            let seen = Locked<[String?]>([])
            container.registerLeaf(.context(.session, isRequired: false)).onRelease { [weak container] _ in
                let id = system.currentID(.session)
                let isKept = try container?.existing(Leaf.self) != nil
                seen.update { $0 += [id, isKept ? "kept" : nil] }
            }
            _ = system.setCurrent(.session, id: "ada")
            _ = try container.get(Leaf.self)
            system.clear(.session)
            #expect(seen.value == [nil, nil])
        },
        Promise("What was handed out lives on after the end.", "Contexts.md#the-end", needs: [.contexts]) { system in
            let container = system.makeContainer()
            _ = container.registerLeaf(.context(.session, isRequired: false))
            _ = system.setCurrent(.session, id: "ada")
            let leaf = try container.get(Leaf.self)
            weak var again = leaf
            system.clear(.session)
            #expect(again != nil)
            withExtendedLifetime(leaf) {}
        },
        Promise(
            "An end that waits returns when asynchronous hooks have run.", "Contexts.md#the-end",
            needs: [.contexts, .hooks, .asyncHooks]
        ) {
            system in
            let container = system.makeContainer()
            let log = Log()
            let registration = container.registerLeaf(.context(.request, isRequired: true))
            system.onRelease(registration) { _ in
                await Task.yield()
                log.note("released")
            }
            try await system.withContext(.request, id: "1") { _ = try container.get(Leaf.self) }
            #expect(log.value.count == 1)
            let context = system.setCurrent(.request, id: "2")
            _ = try container.get(Leaf.self)
            await context.endAndWait()
            #expect(log.value.count == 2)
            _ = system.setCurrent(.request, id: "3")
            _ = try container.get(Leaf.self)
            await system.clearAndWait(.request)
            #expect(log.value.count == 3)
        },
        Promise(
            "What is made while its context ends goes to the caller and is not kept.", "Contexts.md#the-end",
            needs: [.contexts, .threads]
        ) {
            system in
            let container = system.makeContainer()
            let log = Log()
            let (isMaking, hasEnded) = (Gate(), Gate())
            container.register {
                isMaking.open()
                hasEnded.wait()
                return Mortal { log.note("gone") }
            }
            .setLifetime(.context(.request, isRequired: false))
            let context = system.setCurrent(.request, id: "1")
            let isMade = try await Threads.run(
                {
                    let mortal = Locked<Mortal?>(nil)
                    try context.run { mortal.value = try container.get(Mortal.self) }
                    return mortal.value != nil
                },
                {
                    isMaking.wait()
                    context.end()
                    hasEnded.open()
                    return true
                })
            #expect(isMade == [true, true])
            #expect(log.value == ["gone"], "only its caller has held it")
        },
        Promise(
            "A session may end with the screens that began in it.", "SessionsAndScreens.md#logging-in-and-out",
            needs: [.contexts, .cascades]
        ) {
            system in
            _ = system.setCurrent(.session, id: "ada")
            let screen = system.setCurrent(.screen, id: "home")
            system.clear(.session)
            #expect(screen.isOpen)
            _ = system.setCurrent(.session, id: "bob")
            let later = system.setCurrent(.screen, id: "detail")
            system.clearCascading(.session)
            #expect(!later.isOpen)
            #expect(system.currentID(.session) == nil && system.currentID(.screen) == nil)
        },
        Promise(
            "A session that expires is no longer current.", "SessionsAndScreens.md#expiry",
            needs: [.contexts, .expiringContexts]
        ) {
            system in
            let session = system.setCurrent(.session, id: "ada", expiresAfter: 60)
            system.setTime(59)
            #expect(system.currentID(.session) == "ada")
            system.setTime(60)
            #expect(system.currentID(.session) == nil)
            #expect(!session.isOpen)
        },
        Promise(
            "A session is replaced when the new one is ready.", "SessionsAndScreens.md#refreshing",
            needs: [.contexts, .replacement]
        ) {
            system in
            let container = system.makeContainer()
            container.registerNumbered(.context(.session, isRequired: true))
            let old = system.setCurrent(.session, id: "old")
            _ = try container.number()
            try await system.replaceCurrent(.session, id: "new") {
                #expect(system.currentID(.session) == "new")
                try #expect(container.number() == 2)
                #expect(old.isOpen)
            }
            #expect(!old.isOpen)
            #expect(system.currentID(.session) == "new")
            try #expect(container.number() == 2)
            system.clear(.session)
        },
        Promise(
            "Where the new session fails, the old one stays.", "SessionsAndScreens.md#refreshing",
            needs: [.contexts, .replacement]
        ) {
            system in
            let old = system.setCurrent(.session, id: "old")
            await #expect(throws: Mishap.self) {
                try await system.replaceCurrent(.session, id: "new") { throw Mishap() }
            }
            #expect(old.isOpen)
            #expect(system.currentID(.session) == "old")
            system.clear(.session)
        },
    ]

    /// What lives longer gets nothing of a context that lives shorter.
    static let captives: [Promise] = [
        Promise(
            "What lives longer gets an instance of its own.", "Contexts.md#nothing-is-taken-along", needs: [.contexts]
        ) {
            system in
            for lifetime in Lifetime.strong + [.shared] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(.request, isRequired: false))
                container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
                try system.within(.request, id: "1") {
                    let leaf = try container.get(Leaf.self)
                    try #expect(container.get(Holder<Leaf>.self).part !== leaf, "\(lifetime)")
                    try #expect(container.get(Leaf.self) === leaf, "\(lifetime)")
                }
            }
        },
        Promise(
            "What is not kept gets the instance of the context.", "Contexts.md#nothing-is-taken-along",
            needs: [.contexts]
        ) {
            system in
            for lifetime in [Lifetime.graph, .unique, .context(.request, isRequired: false)] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(.request, isRequired: false))
                container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
                try system.within(.request, id: "1") {
                    let leaf = try container.get(Leaf.self)
                    try #expect(container.get(Holder<Leaf>.self).part === leaf, "\(lifetime)")
                }
            }
        },
        Promise(
            "What belongs to a context gets instances of higher rank only.", "Contexts.md#nothing-is-taken-along",
            needs: [.contexts]
        ) {
            system in
            for (outer, inner) in [(ContextKind.session, ContextKind.request), (.request, .session)] {
                let container = system.makeContainer()
                _ = container.registerLeaf(.context(inner, isRequired: false))
                container.register { container in Holder(try container.get(Leaf.self)) }
                    .setLifetime(.context(outer, isRequired: false))
                _ = system.setCurrent(.session, id: "ada")
                _ = system.setCurrent(.request, id: "1")
                let leaf = try container.get(Leaf.self)
                let isTaken = try container.get(Holder<Leaf>.self).part === leaf
                #expect(isTaken == (inner == .session))
                system.clear(.request)
                system.clear(.session)
            }
        },
        Promise(
            "A service of a hidden context alone is not found.", "Contexts.md#nothing-is-taken-along",
            needs: [.contexts]
        ) {
            system in
            let container = system.makeContainer()
            container.register { container in Holder(try container.get(String.self)) }.setLifetime(.cached)
            _ = system.setCurrent(.request, id: "1")
            system.register(String.self, in: .request, line: 1) { "of the request" }
            try #expect(container.get(String.self) == "of the request")
            try #expect(container.failure(of: Holder<String>.self).code == "notRegistered")
            system.clear(.request)
        },
        Promise(
            "A required context that is hidden leaves no instance.", "Contexts.md#when-no-scope-is-current",
            needs: [.contexts]
        ) {
            system in
            let container = system.makeContainer()
            _ = container.registerLeaf(.context(.request, isRequired: true))
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.cached)
            try system.within(.request, id: "1") {
                try #expect(container.failure(of: Holder<Leaf>.self).code == "scopeDeclined")
                try #expect(container.optional(Leaf.self) != nil)
            }
        },
    ]
}
