import Resolver
import Testing

/// Creation tasks with a time to live, arguments or release hooks.
@Suite struct CreationLifetimeTests {
    @Test func `the time to live begins when the instance is created`() async throws {
        let subject = CreationSubject(.timeToLive)
        subject.registerSlow()
        let task = try await subject.start(callers: 1)[0]
        subject.time.set(50)
        subject.mayFinish.open()
        let kept = try await task.value
        subject.time.set(59.9)
        #expect(try await subject.resolve() === kept)
        subject.time.set(60)
        #expect(try await subject.resolve() !== kept)
        #expect(subject.made.value == 2)
    }

    @Test func `sixty four callers that find an expired instance wait for one new creation task`() async throws {
        let subject = CreationSubject(.timeToLive)
        subject.registerCounted { [mayFinish = subject.mayFinish] run in
            if run > 1 { try await mayFinish.passUnlessCancelled() }
        }
        let first = try await subject.resolve()
        subject.time.set(10)
        let all = try await subject.outcomes(of: 64) { try await subject.resolve() }.map { try $0.get() }
        #expect(all[0] !== first)
        #expect(all.allSatisfy { $0 === all[0] })
        #expect(subject.made.value == 2)
    }

    @Test func `an asynchronous call restarts a time to live that counts from the last use`() async throws {
        let time = ManualTime(), resolver = time.resolver()
        resolver.register { () async in Leaf() }.scope(.cached).timeToLive(10, from: .lastUse)
        let first: Leaf = try await resolver.resolveAsync()
        for seconds in [6.0, 12, 18] {
            time.set(seconds)
            #expect(try await resolver.resolveAsync(Leaf.self) === first)
        }
        time.set(28)
        #expect(try await resolver.resolveAsync(Leaf.self) !== first)
    }

    @Test func `an asynchronous service behind a protocol is shared while it is referenced`() async throws {
        let resolver = Resolver()
        resolver.register { () async -> Role in Player() }.scope(.shared)
        let role: Role = try await resolver.resolveAsync()
        #expect(try await resolver.resolveAsync(Role.self) === role)
    }

    @Test func `each argument has its own creation task and equal arguments share one`() async {
        await #expect(processExitsWith: .success) {
            try await CreationSubject.each { subject, row in
                let callers = subject.callers
                let hasStarted = [Gate(), Gate()], mayFinish = [Gate(), Gate()], runs = Box<[Int]>([])
                subject.owner.register { (_, args) -> Box<Int> in
                    let number: Int = args()
                    runs.append(number)
                    hasStarted[number].open()
                    try await mayFinish[number].passUnlessCancelled()
                    return Box(number)
                }.scope(subject.scope).scopeOnArguments()
                let ask = { (number: Int) in
                    callers.call(times: 8) { try await subject.resolver.resolveAsync(Box<Int>.self, args: number) }
                }
                let tasks = [ask(0), ask(1)]
                for gate in hasStarted { try await gate.passUnlessCancelled() }
                await callers.untilAllWait()
                // The later creation task finishes first: neither waits for the other.
                for number in [1, 0] {
                    mayFinish[number].open()
                    let got = try await tasks[number][0].value
                    #expect(got.value == number)
                    for task in tasks[number] { #expect(try await task.value === got) }
                    #expect(try await subject.resolver.resolveAsync(Box<Int>.self, args: number) === got)
                }
                #expect(runs.value.sorted() == [0, 1], "\(row)")
            }
        }
    }

    @Test(arguments: CreationRow.strong)
    func `a release hook runs once when a cached instance is released`(_ row: CreationRow) async throws {
        let subject = CreationSubject(row), released = Box<[ObjectIdentifier]>([])
        subject.registerSlow().onRelease { released.append(ObjectIdentifier($0)) }
        let tasks = try await subject.start(callers: 4)
        subject.mayFinish.open()
        let kept = try await tasks[0].value
        for task in tasks { #expect(try await task.value === kept) }
        #expect(released.value == [])
        subject.resolver.reset(scope: subject.scope)
        #expect(released.value == [ObjectIdentifier(kept)])
        subject.resolver.reset(scope: subject.scope)
        #expect(released.value == [ObjectIdentifier(kept)])
    }

    @Test func `a resolver and its isolating resolver have separate creation tasks`() async throws {
        let subject = CreationSubject(.isolating), callers = subject.callers
        let runs = Box<[ObjectIdentifier]>([])
        subject.owner.register { [mayFinish = subject.mayFinish] r -> Leaf in
            runs.append(ObjectIdentifier(r))
            try await mayFinish.passUnlessCancelled()
            return Leaf()
        }.scope(subject.scope)
        let owners = callers.call(times: 4) { try await subject.owner.resolveAsync(Leaf.self) }
        let isolated = callers.call(times: 4) { try await subject.resolver.resolveAsync(Leaf.self) }
        await callers.untilAllWait()
        subject.mayFinish.open()
        let (outer, inner) = (try await owners[0].value, try await isolated[0].value)
        #expect(outer !== inner)
        for task in owners { #expect(try await task.value === outer) }
        for task in isolated { #expect(try await task.value === inner) }
        #expect(runs.value.count == 2)
        #expect(Set(runs.value) == [ObjectIdentifier(subject.owner), ObjectIdentifier(subject.resolver)])
    }
}
