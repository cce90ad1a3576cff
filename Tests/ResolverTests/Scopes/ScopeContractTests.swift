import Resolver
import Testing

@Suite struct ScopeContractTests {
    @Test(arguments: ScopeRow.keeping)
    func `errors and nil are not cached`(_ row: ScopeRow) throws {
        let subject = ScopeSubject(row)
        subject.register { [made = subject.made] () throws -> Leaf? in
            switch made.increment() {
            case 1: throw Failure()
            case 2: nil
            default: Leaf()
            }
        }
        for code in [ResolutionError.Code.factoryFailed, .factoryReturnedNil] {
            let error = try #require(throws: ResolutionError.self) { try subject.tryResolve(Leaf.self) }
            expect(error.code, is: code)
            expect(subject.existing(Leaf.self), is: nil)
        }
        let leaf: Leaf = try subject.tryResolve(Leaf.self)
        try expect(subject.tryResolve(Leaf.self) === leaf)
        expect(subject.made.value, is: 3)
    }

    @Test(arguments: ScopeRow.keeping)
    func `existing returns a cached instance and never creates one`(_ row: ScopeRow) {
        let subject = ScopeSubject(row)
        subject.registerCounted()
        expect(subject.existing(), is: nil)
        expect(subject.made.value, is: 0)
        let kept = subject.resolve()
        expect(subject.existing() === (row.answersExisting ? kept : nil))
        expect(subject.existing(Any.self) as? Counted === (row.answersExisting ? kept : nil))
        expect(subject.made.value, is: 1)
    }

    @Test(arguments: LettingGo.cases)
    func `an instance stays until its release, or unheld in a weak scope, and the next call creates another`(
        _ row: ScopeRow, _ way: LettingGo
    ) {
        let subject = ScopeSubject(row)
        subject.registerCounted()
        for _ in 0..<3 { _ = (subject.resolve(), subject.resolve(Any.self)) }
        expect([subject.alive.value, subject.made.value], is: row.isWeak ? [0, 6] : [1, 1])
        var old: Counted? = subject.resolve()
        way.perform(on: subject) { subject.registerCounted() }
        expect(subject.existing(), is: nil)
        let new = subject.resolve()
        expect(new !== old)
        expect(subject.resolve() === new)
        expect(subject.alive.value, is: 2, "who holds the old one still has it")
        old = nil
        withExtendedLifetime(new) { expect(subject.alive.value, is: 1, "the scope has released it") }
    }

    @Test func `sixty four concurrent threads get one instance, also through an alias`() async {
        await #expect(processExitsWith: .success) {
            for row in ScopeRow.keeping {
                let subject = ScopeSubject(row), everybodyIsHere = Rendezvous(64)
                subject.registerCounted { _ in everybodyIsHere.arriveAndWait() }
                let got = await Threads.results(64) { thread -> Counted in
                    // The creating thread arrives inside the factory.
                    if thread > 0 { everybodyIsHere.arrive() }
                    return thread % 2 == 0 ? subject.resolve() : subject.resolve(Any.self) as! Counted
                }
                Child.require(subject.made.value == 1, "\(row.testDescription): one, not \(subject.made.value)")
                Child.require(got.allSatisfy { $0 === got[0] }, "\(row.testDescription): all have it")
            }
        }
    }

    @Test func `an instance created across a release goes only to its caller`() async {
        await #expect(processExitsWith: .success) {
            for (row, way) in LettingGo.cases {
                let claim = "\(row.testDescription), \(way.rawValue)", subject = ScopeSubject(row)
                let pause = Pause()
                let register = { @Sendable in subject.registerCounted { number in if number == 1 { pause.block() } } }
                register()
                let first = Box<Counted?>(nil)
                let maker = RunningThread { first.set(subject.resolve(Counted.self)) }
                await pause.during { way.perform(on: subject, register: register) }
                maker.join()
                Child.require(first.value != nil, "\(claim): the caller has its instance")
                Child.require(subject.existing() == nil, "\(claim): it is not kept")
                let second = subject.resolve()
                Child.require(second !== first.value, "\(claim): the next is new")
                Child.require(subject.resolve() === second, "\(claim): and kept")
                first.set(nil)
                withExtendedLifetime((subject, second)) {
                    Child.require(subject.alive.value == 1, "\(claim): no reference to the first exists")
                }
            }
        }
    }
}
