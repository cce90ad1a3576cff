import Resolver
import Testing

/// The ends that are not `clear`: of an id, of all, by replacement and by time.
@Suite struct ScopeEndTests {
    private let context = ScopeContext.shared

    private final class Parent: Sendable { let part = Box<Part?>(nil) }
    private final class Part: Sendable { let parent = Box<Parent?>(nil) }

    /// Creates two services of a scope that refer to each other, and calls `meanwhile` while the first one is completed.
    ///
    /// - Returns: whether the second service refers to the first.
    private static func isCompleted(_ meanwhile: @escaping @Sendable (Resolver, ScopeHandle) -> Void) throws -> Bool {
        let kind = ScopeKind.ofTest("meanwhile"), resolver = Resolver()
        let scope = ScopeContext.shared.open(kind, id: "")
        resolver.register { Parent() }.timeToLive(60).resolveProperties { resolver, parent in
            meanwhile(resolver, scope)
            parent.part.set(try resolver.tryResolve(Part.self))
        }.scoped(to: kind)
        resolver.register { Part() }.resolveProperties { resolver, part in
            part.parent.set(try resolver.tryResolve(Parent.self))
        }.scoped(to: kind)
        let parent = try scope.run { try resolver.tryResolve(Parent.self) }
        defer { parent.part.set(nil) }
        return parent.part.value?.parent.value === parent
    }

    @Test func `services that refer to each other are completed when their scope ends or is reset meanwhile`() async {
        await #expect(processExitsWith: .success) {
            // The clock is read when the call has found the scope already.
            let due = Box<ScopeHandle?>(nil)
            Resolver.clock = ResolverClock {
                due.exchange(nil)?.end()
                return 0
            }
            try expect(ScopeEndTests.isCompleted { due.set($1) })
            expect(due.value == nil, "the clock was read")
            try expect(ScopeEndTests.isCompleted { $1.end() })
            try expect(ScopeEndTests.isCompleted { resolver, _ in resolver.reset(Parent.self) })
        }
    }

    /// A session registers a service for its requests, and ends while one of these creates the service.
    @Test func `an instance of a request is released with its hook if the session of its registration ends`() async {
        await #expect(processExitsWith: .success) {
            let isStopped = Box(false), isFound = Gate(), mayGoOn = Gate(), isOver = Gate()
            // Stops the thread between the search for the registration and the request's answer.
            let observation = Resolver.observe { event in
                if event.kind == .lookup, event.type == Counted.self, isStopped.exchange(false) {
                    isFound.open()
                    mayGoOn.wait()
                }
            }
            defer { observation.cancel() }
            let alive = Box(0), made = Box(0), released = Box(0)
            let session = ScopeContext.shared.open(.session, id: "ada")
            session.register { Leaf() }?.scoped(to: .request).onRelease { _ in
                mayGoOn.open()
                isOver.wait()
            }
            session.register { made.counting(Counted(alive)) }?.scoped(to: .request)
                .onRelease { _ in released.increment() }
            let request = ScopeContext.shared.open(.request, id: "1")
            session.run {
                _ = request.resolve(Leaf.self)
                Resolver.withScope(.request, id: "0") { _ = Resolver.resolve(Counted.self) }
            }
            let thread = RunningThread {
                isStopped.set(true)
                session.run { request.run { _ = Resolver.optional(Counted.self) } }
                isOver.open()
            }
            await isFound.pass()
            session.end()
            thread.join()
            request.end()
            expect([made.value, released.value, alive.value], is: [1, 1, 0], "made, released, alive")
        }
    }

    /// The statement is younger than the connection that it uses.
    @Test(arguments: [false, true])
    func `the end of a scope releases what other scopes keep of its registrations in order`(_ waits: Bool) async {
        let session = ScopeKind("outer of two", rank: 40, binding: .execution)
        let request = ScopeKind.ofTest("inner of two"), log = Box<[String]>([]), resolver = Resolver()
        let outer = ScopeContext.shared.open(session, id: ""), inner = ScopeContext.shared.open(request, id: "")
        outer.register { Leaf() }?.onRelease { _, reason in log.append("connection \(reason)") }
        let options = outer.register { OtherLeaf() }?.scoped(to: request)
        if waits {
            options?.onRelease { _, reason in await yielding(log.append("statement \(reason)"), times: 100) }
        } else {
            options?.onRelease { _, reason in log.append("statement \(reason)") }
        }
        outer.run { inner.run { _ = (resolver.optional(Leaf.self), resolver.optional(OtherLeaf.self)) } }
        if waits { await outer.endAndWait() } else { outer.end() }
        expect(log.value, is: ["statement released", "connection ended"])
        expect(inner.instanceCount, is: 0)
        inner.end()
        expect(log.value.count, is: 2)
    }

    @Test func `ending an id ends all scopes with it also those that other tasks and threads left open`() async {
        let kind = ScopeKind.ofTest("forgotten"), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        @Sendable func leave(_ id: String) {
            ScopeContext.shared.setCurrent(kind, id: id)
            _ = resolver.resolve(Counted.self)
        }
        for id in ["a", "b"] { await Task { leave(id) }.value }
        await Threads.result { leave("a") }
        leave("a")
        expect(alive.value, is: 4)
        ScopeContext.shared.end(kind, id: "a")
        expect(alive.value, is: 1)
        expect(context.openIDs(of: kind), is: ["b"])
        await Task.detached { ScopeContext.shared.end(kind, id: "b") }.value
        expect(alive.value, is: 0)
    }

    @Test func `clearing all ends the scopes that other tasks and threads left open the youngest first`() async {
        await #expect(processExitsWith: .success) {
            let alive = Box(0), log = ScopeLog(.screen, .session, .request)
            for kind in ScopeKind.builtIn {
                Resolver.register(name: .init(kind.name)) { Counted(alive) }.scoped(to: kind)
            }
            @Sendable func leave(_ kind: ScopeKind) {
                ScopeContext.shared.setCurrent(kind, id: "left")
                _ = Resolver.resolve(Counted.self, name: .init(kind.name))
            }
            await Task.detached { leave(.session) }.value
            leave(.screen)
            await Task { leave(.request) }.value
            await Threads.result { leave(.request) }
            expect(alive.value, is: 4)
            await Threads.result { ScopeContext.shared.clearAll() }
            expect(alive.value, is: 0)
            expect(ScopeContext.shared.openScopes().isEmpty)
            expect(log.ends.map(\.kind), is: [.request, .request, .screen, .session])
        }
    }

    @Test(arguments: [true, false])
    func `a replacement in code with a scope is for that code and hides the other`(_ isOpened: Bool) async throws {
        let kind = ScopeKind.ofTest("replaced in \(isOpened)", .process)
        @Sendable func replace() async throws {
            try await context.replaceCurrent(kind, id: "new") {}
            expect(context.currentID(for: kind), is: "new")
            await expect(Threads.result { context.currentID(for: kind) }, is: "process's")
            context.clear(kind)
            expect(context.currentID(for: kind), is: "own")
            await #expect(throws: ResolutionError.self) {
                try await context.replaceCurrent(kind, id: "ended") { context.clear(kind) }
            }
            expect(context.currentID(for: kind), is: "own")
            for id in ["first", "second", "left open"] { try await context.replaceCurrent(kind, id: id) {} }
            expect(context.openIDs(of: kind), is: ["process's", "own", "left open"])
        }
        context.setCurrent(kind, id: "process's")
        if isOpened {
            let own = context.open(kind, id: "own")
            try await own.run(replace)
            expect(own.isOpen)
            own.end()
        } else {
            try await Resolver.withScope(kind, id: "own", replace)
        }
        expect(context.openIDs(of: kind), is: ["process's"])
        context.clear(kind)
    }

    @Test(arguments: ["clear", "clear all of its id", "end its handle", "throw"])
    func `a replacement that fails or has ended meanwhile leaves the old scope current`(_ way: String) async throws {
        let kind = ScopeKind("replacement \(way)", rank: 30, binding: .process), failed = Box<ScopeHandle?>(nil)
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: kind)
        let old = context.setCurrent(kind, id: "old"), leaf: Leaf = resolver.resolve()
        let result = await outcome {
            try await context.replaceCurrent(kind, id: "new", fileID: "Shop/Login.swift", line: 7) {
                failed.set(context.current(kind))
                switch way {
                case "clear": context.clear(kind)
                case "clear all of its id": context.end(kind, id: "new")
                case "end its handle": context.current(kind)?.end()
                default: throw Failure(number: 1)
                }
            }
        }
        let error = result.error as? ResolutionError
        expect(error?.code, is: way == "throw" ? nil : .scopeEnded)
        expect(result.error as? Failure, is: way == "throw" ? Failure(number: 1) : nil)
        expect(context.current(kind) === old)
        expect(old.isOpen)
        expect(resolver.resolve(Leaf.self) === leaf)
        expect(failed.value?.id, is: "new")
        expect(failed.value?.isOpen, is: false)
        if way == "clear" {
            try expectGolden(
                (error?.description ?? "").replacing("replacement clear", with: "session"), "replacement-ended")
        }
        context.clear(kind)
    }

    /// What is registered then is for all scopes to come, as before the first one.
    @Test(.ownResolver, arguments: [ScopeKind.session, .request])
    func `no scope is current after the end of the last one`(_ kind: ScopeKind) {
        context.setCurrent(kind, id: "1").end()
        let log = ScopeLog(kind)
        Resolver.registerScoped(Leaf.self, scope: kind) { Leaf() }
        expect(log.events, is: [.registeredWithoutScope(kind, service: "ResolverTests.Leaf")])
        context.setCurrent(kind, id: "2")
        expect(Resolver.optional(Leaf.self) != nil)
    }

    /// The scope ends while the argument is hashed, so after it was found and before the instance is made.
    @Test func `a service that a scope registers for itself is not kept if the scope ends during a call`() {
        let alive = Box(0), resolver = Resolver()
        let handle = ScopeContext.shared.open(ScopeKind("ends in a call", rank: 10, binding: .execution), id: "1")
        let options = handle.register(Counted.self) { Counted(alive) }?.scopeOnArguments()
        handle.run { _ = resolver.optional(Counted.self, args: CallingArgument(onHash: { handle.end() })) }
        withExtendedLifetime(options) { expect(alive.value, is: 0) }
    }

    /// The call has found the registration, and goes on as soon as the scope has ended, before its end has released anything.
    @Test func `a service that a scope registers for itself is not created while another thread ends the scope`() {
        let resolver = Resolver(), made = Box(0)
        for _ in 0..<Sanitizer.rounds(300) {
            let handle = ScopeContext.shared.open(.ofTest("ends beside a call"), id: ""), isFound = Gate()
            handle.register(Leaf.self) { Leaf(after: made.increment()) }?.scopeOnArguments(CallingArgument.self)
            for index in 0..<50 { handle.register(name: .init("\(index)")) { index } }
            let argument = CallingArgument(onHash: {
                isFound.open()
                while handle.isOpen {}
            })
            Threads.run {
                handle.run { _ = resolver.optional(Leaf.self, args: argument) }
            } beside: {
                isFound.wait()
                handle.end()
            }
        }
        expect(made.value, is: 0)
    }
}
