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
}
