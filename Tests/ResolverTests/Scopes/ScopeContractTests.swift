import Resolver
import Testing

/// The contract of every caching scope, built-in or custom.
@Suite struct ScopeContractTests {
    @Test(arguments: ScopeRow.keeping)
    func `every call gets the instance of the first call which stays unless the scope is weak`(_ row: ScopeRow) {
        let subject = ScopeSubject(row)
        subject.registerCounted()
        do {
            let first = subject.resolve()
            for _ in 0..<3 {
                #expect(subject.resolve() === first)
                #expect(subject.resolve(Any.self) as? Counted === first)
            }
        }
        #expect(subject.made.value == 1)
        withExtendedLifetime(subject) { #expect(subject.alive.value == (row.isWeak ? 0 : 1)) }
    }

    @Test(arguments: ScopeRow.keeping)
    func `an object behind a protocol is cached and so is a value unless the scope is weak`(_ row: ScopeRow) {
        let subject = ScopeSubject(row), other = ScopeSubject(row)
        subject.register { Player() as any Role }
        let first = subject.resolve((any Role).self)
        #expect(subject.resolve((any Role).self) === first)
        #expect(subject.resolve(Any.self) as? any Role === first)
        other.register { [made = other.made] in made.increment() }
        #expect([other.resolve(Int.self), other.resolve(Int.self)] == (row.isWeak ? [1, 2] : [1, 1]))
    }

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
            #expect(error.code == code)
            #expect(subject.existing(Leaf.self) == nil)
        }
        let leaf: Leaf = try subject.tryResolve(Leaf.self)
        #expect(try subject.tryResolve(Leaf.self) === leaf)
        #expect(subject.made.value == 3)
    }

    @Test(arguments: ScopeRow.keeping)
    func `existing returns a cached instance and never creates one`(_ row: ScopeRow) {
        let subject = ScopeSubject(row)
        subject.registerCounted()
        #expect(subject.existing() == nil)
        #expect(subject.made.value == 0)
        let kept = subject.resolve()
        #expect(subject.existing() === (row.answersExisting ? kept : nil))
        #expect(subject.existing(Any.self) as? Counted === (row.answersExisting ? kept : nil))
        #expect(subject.made.value == 1)
    }

    @Test(arguments: LettingGo.cases)
    func `an instance without other references is released with its scope's entry`(_ row: ScopeRow, _ way: LettingGo) {
        let subject = ScopeSubject(row)
        subject.registerCounted()
        for _ in 0..<3 { _ = (subject.resolve(), subject.resolve(Any.self)) }
        way.perform(on: subject) { subject.registerCounted() }
        #expect(subject.alive.value == 0)
    }

    @Test(arguments: LettingGo.cases)
    func `a held instance survives a release and the next call creates another`(_ row: ScopeRow, _ way: LettingGo) {
        let subject = ScopeSubject(row)
        subject.registerCounted()
        let old = subject.resolve()
        way.perform(on: subject) { subject.registerCounted() }
        #expect(subject.existing() == nil)
        let new = subject.resolve()
        #expect(new !== old)
        #expect(subject.resolve() === new)
        withExtendedLifetime((old, new)) { #expect(subject.alive.value == 2) }
    }

    @Test(arguments: ScopeRow.keeping)
    func `two resolvers have separate instances unless the scope shares definitions`(_ row: ScopeRow) {
        let subject = ScopeSubject(row), other = Resolver()
        for resolver in [subject.resolver, other] { subject.registerCounted(on: resolver) }
        let one = subject.resolve(), others = subject.resolve(on: other)
        #expect((one === others) == row.sharesDefinitions)
        #expect(subject.resolve() === one)
        #expect(subject.resolve(on: other) === others)
    }

    @Test(arguments: ScopeRow.keeping)
    func `a resolver releases its instance when it ends unless the scope shares definitions`(_ row: ScopeRow) {
        let subject = ScopeSubject(row)
        do {
            let resolver = Resolver()
            subject.registerCounted(on: resolver)
            let held = subject.resolve(on: resolver)
            #expect(subject.resolve(on: resolver) === held)
            #expect(subject.resolve(Any.self, on: resolver) as? Counted === held)
        }
        #expect(subject.alive.value == (row.sharesDefinitions ? 1 : 0))
    }

    @Test(arguments: ScopeRow.all)
    func `creating a service of any scope is one resolution cycle`(_ row: ScopeRow) {
        final class Pair: Sendable {
            let leaf: Leaf, same: Leaf
            init(_ leaf: Leaf, _ same: Leaf) { (self.leaf, self.same) = (leaf, same) }
        }
        let resolver = Resolver()
        resolver.register { Leaf() }
        resolver.register { r in Pair(r.resolve(), r.resolve()) }.scope(row.make())
        let pair: Pair = resolver.resolve()
        #expect(pair.leaf === pair.same)
        #expect(resolver.resolve(Leaf.self) !== pair.leaf, "the cycle is over")
    }

    @Test(arguments: ScopeRow.all)
    func `each name has an instance of its own in every scope`(_ row: ScopeRow) {
        let resolver = Resolver(), scope = row.make(), names: [Resolver.Name?] = [nil, "a", "b"]
        for name in names { resolver.register(name: name) { Leaf() }.scope(scope) }
        resolver.register { r in (names + names).map { r.resolve(Leaf.self, name: $0) } }
        let leaves: [Leaf] = resolver.resolve(), isUnique = type(of: scope) == ResolverScopeUnique.self
        #expect(Set(leaves.map(ObjectIdentifier.init)).count == (isUnique ? 6 : 3))
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
