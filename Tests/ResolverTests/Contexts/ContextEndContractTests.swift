import Dispatch
import Resolver
import Testing

/// What holds for every context, however it begins and ends: what its end releases, and what tasks and threads see.
///
/// One case at a time, as `ContextContractTests`.
@Suite(.serialized) struct ContextEndContractTests {
    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `each is released before the next hook, the youngest first`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form), order = Box<[String]>([])
        for number in 0..<8 {
            subject.register("\(number)", options: { $0.onRelease { _ in order.append("hook \(number)") } }) {
                DeinitCallback { order.append("release \(number)") }
            }
        }
        await subject.inContext { scope in
            for number in 0..<8 { _ = subject.resolve(DeinitCallback.self, "\(number)") }
            expect(scope.instanceCount, is: 8)
            expect(order.value, is: [])
        }
        expect(order.value, is: (0..<8).reversed().flatMap { ["hook \($0)", "release \($0)"] })
    }

    @Test(arguments: ContextRow.awaited, ContextForm.allCases)
    func `awaited hooks have run when an end returns, also if cancelled`(_ row: ContextRow, _ form: ContextForm) async {
        for isCancelled in [false, true] {
            let subject = ContextSubject(row, form), order = Box<[String]>([])
            for number in 0..<4 {
                subject.registerCounted("\(number)") { options in
                    guard number % 2 == 1 else { return _ = options.onRelease { _ in order.append("\(number)") } }
                    options.onRelease { _, reason async in
                        await yielding(order.append(Task.isCancelled ? "cancelled" : "\(number) \(reason)"), times: 10)
                    }
                }
            }
            let task = Task {
                await subject.inContext { _ in
                    for number in 0..<4 { _ = subject.resolve(Counted.self, "\(number)") }
                    if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return order.value
            }
            await expect(task.value, is: ["3 \(row.reason)", "2", "1 \(row.reason)", "0"])
        }
    }

    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `hooks get the end's reason and find nothing of their context`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form), name = subject.name(), told = Box<[String]>([])
        subject.registerCounted()
        subject.register(
            "younger",
            options: { [unowned resolver = subject.resolver] in
                $0.onRelease { told.append("\($1) \(resolver.existing(Counted.self, name: name) == nil)") }
            }, { Leaf() })
        await subject.inContext { _ in _ = (subject.resolve(), subject.resolve(Leaf.self, "younger")) }
        expect(told.value, is: ["\(row.reason) true"])
    }

    @Test(arguments: ContextRow.all)
    func `the end of a context releases the captures of its factories`(_ row: ContextRow) async {
        struct Watched: Sendable { weak let leaf: Leaf? }
        let subject = ContextSubject(row), watched = Box<Watched?>(nil)
        await subject.inContext { scope in
            let leaf = Leaf()
            watched.set(Watched(leaf: leaf))
            Resolver.registerScoped(OtherLeaf.self, name: subject.name("current"), scope: subject.kind) {
                withExtendedLifetime(leaf) { OtherLeaf() }
            }
            scope.register(OtherLeaf.self, name: subject.name("handle")) { withExtendedLifetime(leaf) { OtherLeaf() } }
            expect(subject.resolve(OtherLeaf.self, "current") !== subject.resolve(OtherLeaf.self, "handle"))
        }
        expect(watched.value != nil)
        expect(watched.value?.leaf, is: nil)
    }

    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `a context that has ended inside ends once`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form)
        subject.registerCounted()
        await subject.inContext { scope in
            _ = subject.resolve()
            scope.end()
            expect(subject.alive.value, is: 0)
            expect(!scope.isOpen)
            expect(ScopeContext.shared.current(subject.kind) !== scope)
            expect(subject.optional() == nil, is: form.isOwn)
            scope.end()
        }
        expect(subject.life, is: [.opened(subject.scope), .ended(subject.scope, reason: .ended, instances: 1)])
    }

    @Test(arguments: ContextRow.all, ContextForm.allCases)
    func `an ended context keeps no new instance and events report it`(_ row: ContextRow, _ form: ContextForm) async {
        let subject = ContextSubject(row, form), late = ["late", "later"].map { subject.name($0) }
        subject.registerCounted()
        let scope = await subject.inContext { scope in
            _ = subject.resolve()
            return scope
        }
        let before = subject.log.count
        expect(scope.register(Leaf.self, name: late[0]) { Leaf() }, is: nil)
        scope.run {
            expect(ScopeContext.shared.currentID(for: subject.kind), is: nil)
            Resolver.registerScoped(Leaf.self, name: late[1], scope: subject.kind) { Leaf() }
            for name in late { expect(Resolver.optional(Leaf.self, name: name), is: nil) }
            expect(subject.optional() == nil, is: form.isOwn)
            expect(subject.existing(), is: nil)
            expect(subject.alive.value, is: 0)
        }
        expect(scope.instanceCount, is: 0)
        let events: [ScopeEvent] = [
            .registeredInEndedScope(subject.scope, service: "ResolverTests.Leaf"),
            .resolvedInEndedScope(subject.scope, service: "ResolverTests.Counted"),
        ]
        // Another test may be the one that ends an expired scope, and reports its end meanwhile.
        let reported = subject.log.dropFirst(before).filter { !subject.life.contains($0) }
        if !row.isInTest { expect(reported, is: Array(events.prefix(form.isOwn ? 1 : 2))) }
        await subject.inContext { _ in for name in late { expect(Resolver.optional(Leaf.self, name: name), is: nil) } }
        expect(!scope.isOpen)
    }

    @Test func `the end cancels a creation task and its waiters get an error`() async {
        await #expect(processExitsWith: .success) {
            try await ContextSubject.each { subject, claim in
                let hasStarted = Gate(), isNeverOpened = Gate()
                subject.registerAsync {
                    hasStarted.open()
                    // Ends when it is cancelled.
                    try await isNeverOpened.passUnlessCancelled()
                    return Counted(subject.alive)
                }
                let waiter = try await subject.inAsyncContext { scope in
                    let waiter = Task { try await subject.resolveAsync(in: scope) }
                    try await hasStarted.passUnlessCancelled()
                    return waiter
                }
                await expect(waiter.result.resolutionError?.code, is: .scopeEnded, "\(claim)")
            }
        }
    }

    @Test(arguments: ContextRow.suspending, ContextForm.allCases)
    func `a context is seen by the tasks and threads of its row`(_ row: ContextRow, _ form: ContextForm) async throws {
        let subject = ContextSubject(row, form)
        subject.registerCounted()
        try await subject.inAsyncContext { scope in
            let own = subject.resolve()
            @Sendable func isSeen() -> Bool {
                let isSeen = subject.optional() === own
                expect(ScopeContext.shared.currentID(for: subject.kind) == subject.id, is: isSeen)
                return isSeen
            }
            let before = subject.log.count
            async let child = isSeen()
            let isSeenByChild = await child
            let told = subject.log.dropFirst(before)
            let byTasks = [
                isSeenByChild, await Task { isSeen() }.value, await Task { await Task { isSeen() }.value }.value,
                await Task { @MainActor in isSeen() }.value,
            ]
            let elsewhere = [
                await Task.detached { isSeen() }.value, await Threads.result { isSeen() },
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: isSeen()) }
                },
            ]
            expect(byTasks, is: Array(repeating: row.sight != .execution, count: 4))
            expect(elsewhere, is: Array(repeating: row.sight == .process, count: 3))
            await Task.yield()
            expect(isSeen())
            expect(subject.alive.value, is: 1, "no scope keeps the other instances")
            expect(scope.instanceCount, is: 1)
            let event = ScopeEvent.notInherited(subject.kind, service: "ResolverTests.Counted")
            expect(told, is: row.sight == .execution ? [event] : [])
        }
    }

    @Test func `an instance is made once for tasks that wait for its creation task`() async {
        await #expect(processExitsWith: .success) {
            try await ContextSubject.each { subject, claim in
                let mayFinish = Gate(), callers = Callers(), made = subject.made
                subject.registerAsync {
                    made.increment()
                    try await mayFinish.passUnlessCancelled()
                    return Counted(Box(0))
                }
                let found = try await subject.inAsyncContext { scope in
                    let tasks = callers.call(times: 64) { try await subject.resolveAsync(in: scope) }
                    await callers.untilAllWait()
                    mayFinish.open()
                    let found = Box<[Counted]>([])
                    for task in tasks { found.append(try await task.value) }
                    Threads.run(2) { _ in found.append(scope.run { subject.resolve() }) }
                    return found.value
                }
                expect(made.value, is: 1, "\(claim)")
                expect(found.count == 66 && found.allSatisfy { $0 === found[0] }, "\(claim)")
            }
        }
    }
}
