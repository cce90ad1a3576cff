import Resolver
import Testing

@Suite struct TimeToLiveTests {
    private let time = ManualTime()
    private let resolver: Resolver

    init() { resolver = time.resolver() }

    @Test func `a time to live may be a duration`() {
        resolver.register { Leaf() }.scope(.cached).timeToLive(.milliseconds(1500))
        resolver.register { OtherLeaf() }.scope(.cached).timeToLive(.seconds(2), from: .creation)
        let sliding: Leaf = resolver.resolve(), fixed: OtherLeaf = resolver.resolve()
        time.set(1.499)
        expect(resolver.resolve(Leaf.self) === sliding)
        expect(resolver.resolve(OtherLeaf.self) === fixed)
        time.set(2.998)
        expect(resolver.resolve(Leaf.self) === sliding)
        expect(resolver.resolve(OtherLeaf.self) !== fixed)
        time.set(4.498)
        expect(resolver.resolve(Leaf.self) !== sliding)
    }

    /// The clock steps back, where a life that is over at once could seem to be to come.
    @Test(arguments: [Double.infinity, .greatestFiniteMagnitude, 0, -0.0, -1, -.infinity, .nan])
    func `an infinite time to live never expires and one that is not positive expires at once`(_ seconds: Double) {
        let isEndless = seconds > 0
        resolver.register { Leaf() }.scope(.cached).timeToLive(seconds, from: isEndless ? .creation : .lastUse)
        let first: Leaf = resolver.resolve()
        time.set(isEndless ? 3_000_000_000 : -10)
        expect(resolver.existing(Leaf.self) === (isEndless ? first : nil))
        expect(resolver.resolve(Leaf.self) === first, is: isEndless)
    }

    @Test func `purging leaves what a hook creates for an expired instance meanwhile`() {
        let created = Box<Leaf?>(nil)
        resolver.register { Leaf() }.scope(.cached).timeToLive(60)
        resolver.register { OtherLeaf() }.scope(.cached).timeToLive(60)
            .onRelease { [unowned resolver] _ in created.set(resolver.resolve(Leaf.self)) }
        let expired: Leaf = resolver.resolve()
        _ = resolver.resolve(OtherLeaf.self)
        time.set(60)
        resolver.purgeExpired()
        expect(created.value !== expired)
        expect(resolver.existing(Leaf.self) === created.value)
    }

    @Test func `a clock that goes backwards does not shorten a time to live, which ends however far it goes forward`() {
        resolver.register { Leaf() }.scope(.cached).timeToLive(10)
        time.set(100)
        let first: Leaf = resolver.resolve()
        time.set(50)
        expect(resolver.resolve(Leaf.self) === first)
        time.set(109)
        expect(resolver.resolve(Leaf.self) === first)
        time.set(119)
        expect(resolver.resolve(Leaf.self) !== first)
        resolver.reset(Leaf.self)
        time.set(-5e9)
        let early: Leaf = resolver.resolve()
        time.set(5e9)
        expect(resolver.resolve(Leaf.self) !== early)
    }

    @Test func `a call ends although a release hook always creates an instance that is over at once`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), hooks = Box(0)
            resolver.register { Leaf() }.scope(.cached).timeToLive(0).onRelease { _ in
                hooks.increment()
                _ = resolver.resolve(Leaf.self)
            }
            for _ in 1...3 { _ = resolver.resolve(Leaf.self) }
            expect(hooks.value, is: 20, "ten for each call that finds an instance")
        }
    }

    @Test func `the registering resolver's clock applies whichever resolver is asked`() {
        let time = ManualTime(), fronts = ManualTime()
        let inner = time.resolver(), front = Resolver(child: inner)
        front.clock = fronts.clock
        inner.register { Leaf() }.scope(.cached).timeToLive(10)
        let first: Leaf = front.resolve()
        fronts.set(1000)
        expect(front.resolve(Leaf.self) === first)
        time.set(10)
        expect(front.resolve(Leaf.self) !== first)
    }

    @Test func `a resolver without its own clock uses the process's clock`() async {
        await #expect(processExitsWith: .success) {
            let time = ManualTime(), own = ManualTime()
            Resolver.clock = time.clock
            let plain = Resolver(), special = own.resolver()
            for resolver in [plain, special] { resolver.register { Leaf() }.scope(.cached).timeToLive(10) }
            let plains: Leaf = plain.resolve(), specials: Leaf = special.resolve()
            time.set(10)
            Child.require(plain.resolve(Leaf.self) !== plains, "the clock of the process")
            Child.require(special.resolve(Leaf.self) === specials, "the clock of its own")
            own.set(10)
            Child.require(special.resolve(Leaf.self) !== specials, "and its time")
        }
    }

    @Test func `the default clock advances`() {
        let resolver = Resolver()
        resolver.register { Leaf() }.scope(.cached).timeToLive(.nanoseconds(1))
        resolver.register { OtherLeaf() }.scope(.cached).timeToLive(3600)
        let short: Leaf = resolver.resolve(), long: OtherLeaf = resolver.resolve()
        // Starting a thread takes longer than any clock step.
        Threads.run(1) { _ in }
        expect(resolver.resolve(Leaf.self) !== short)
        expect(resolver.resolve(OtherLeaf.self) === long)
    }

    @Test(.ownResolver) func `purging measures the instance of a scope by the clock of that scope`() {
        let time = ManualTime(100), own = ManualTime(5)
        Resolver.main.clock = time.clock
        let resolver = own.resolver()
        resolver.register { Leaf() }.scoped(to: .request).timeToLive(10)
        Resolver.withScope(.request, id: "1") {
            let first: Leaf = resolver.resolve()
            own.set(1000)
            resolver.purgeExpired()
            expect(resolver.existing(Leaf.self) === first)
            time.set(110)
            weak let held = first
            resolver.purgeExpired()
            expect(resolver.existing(Leaf.self), is: nil)
            withExtendedLifetime(held) {}
        }
    }

    @Test func `a call during a creation does not start the time to live`() async {
        await #expect(processExitsWith: .success) {
            let seconds = Box(0.0), isAskedAgain = Box(false), reads = Box(0)
            let creation = Pause(), hasLooked = Gate(), resolver = Resolver()
            resolver.clock = ResolverClock {
                // The clock is read once to look for an instance, and once more before the call waits for the creation.
                if isAskedAgain.value, reads.increment() == 2 { hasLooked.open() }
                return seconds.value
            }
            resolver.register { creation.blocking(Leaf()) }.scope(.cached).timeToLive(10)
            let first = RunningThread { _ = resolver.resolve(Leaf.self) }
            await creation.hasBegun.pass()
            isAskedAgain.set(true)
            let second = RunningThread { _ = resolver.resolve(Leaf.self) }
            await hasLooked.pass()
            seconds.set(100)
            resolver.purgeExpired()
            creation.mayEnd.open()
            first.join()
            second.join()
            Child.require(resolver.existing(Leaf.self) != nil, "what was made is kept")
        }
    }

    @Test func `threads release every expired instance but the last once in a running time`() {
        let time = ManualTime(), made = Box(0), alive = Box(0)
        let released = Box<[ObjectIdentifier: Int]>([:]), all = Box<[Counted]>([]), resolver = time.resolver()
        resolver.register { () -> Counted in
            made.increment()
            let new = Counted(alive)
            // The instance is retained, so that no address is reused.
            all.append(new)
            return new
        }.scope(.cached).timeToLive(10).onRelease { instance in
            released.update { $0[ObjectIdentifier(instance), default: 0] += 1 }
        }
        Threads.run(8) { thread in
            for _ in 0..<1000 {
                if thread == 0 { time.advance(by: 10) }
                if thread == 1 { resolver.purgeExpired() }
                _ = resolver.resolve(Counted.self)
            }
        }
        let last: Counted = resolver.resolve()
        expect(released.value.count, is: made.value - 1)
        expect(released.value.values.allSatisfy { $0 == 1 })
        expect(released.value[ObjectIdentifier(last)], is: nil)
    }

    @Test func `a purge holds no lock while it asks the clock`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), time = Box(0.0)
            resolver.register { OtherLeaf() }.scope(.cached)
            resolver.register { Leaf() }.scope(.cached).timeToLive(10)
            resolver.clock = ResolverClock {
                // Another thread would block here if a lock were held.
                Threads.run(1) { _ in _ = resolver.resolve(OtherLeaf.self) }
                return time.value
            }
            _ = resolver.resolve(Leaf.self)
            time.set(10)
            resolver.purgeExpired()
            Child.require(resolver.existing(Leaf.self) == nil, "purged")
        }
    }
}
