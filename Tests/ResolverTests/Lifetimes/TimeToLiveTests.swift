import Resolver
import Testing

/// How long a cached instance is returned, with a time that the tests set.
@Suite struct TimeToLiveTests {
    private let time = ManualTime()

    // MARK: Counting

    @Test(arguments: KeepingScope.allCases)
    func `each use extends a time to live in every caching scope`(_ keeping: KeepingScope) {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(keeping.make()).timeToLive(60 * 20)
        let first: Leaf = resolver.resolve()
        time.set(1199)
        #expect(resolver.resolve(Leaf.self) === first)
        time.set(2398)
        #expect(resolver.resolve(Leaf.self) === first)
        time.advance(by: 1201)
        let second: Leaf = resolver.resolve()
        #expect(second !== first)
        #expect(resolver.resolve(Leaf.self) === second)
    }

    @Test(arguments: KeepingScope.allCases)
    func `an instance expires exactly at its time to live in every caching scope`(_ keeping: KeepingScope) {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(keeping.make()).timeToLive(20)
        let first: Leaf = resolver.resolve()
        time.set(19.999_999_999)
        #expect(resolver.existing(Leaf.self) === first)
        time.set(20)
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    @Test(arguments: KeepingScope.allCases)
    func `a time to live counted from creation is not extended by use`(_ keeping: KeepingScope) {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(keeping.make()).timeToLive(20, from: .creation)
        let first: Leaf = resolver.resolve()
        for moment in [10, 15, 19.9] {
            time.set(moment)
            #expect(resolver.resolve(Leaf.self) === first)
        }
        time.set(20)
        let second: Leaf = resolver.resolve()
        #expect(second !== first)
        time.set(39.9)
        #expect(resolver.resolve(Leaf.self) === second)
    }

    @Test(arguments: [false, true])
    func `a time to live that is set after hits applies to the instance`(_ isIsolating: Bool) {
        let registering = time.resolver()
        let options = registering.register { Leaf() }.scope(.cached)
        let resolver = isIsolating ? Resolver(isolating: registering) : registering
        resolver.clock = time.clock
        let first: Leaf = resolver.resolve()
        #expect(resolver.resolve(Leaf.self) === first)
        options.timeToLive(10, from: .creation)
        #expect(resolver.resolve(Leaf.self) === first)
        time.set(10)
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    @Test func `a time to live may be a duration`() {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(.cached).timeToLive(.milliseconds(1500))
        resolver.register { OtherLeaf() }.scope(.cached).timeToLive(.seconds(2), from: .creation)
        let sliding: Leaf = resolver.resolve(), fixed: OtherLeaf = resolver.resolve()
        time.set(1.499)
        #expect(resolver.resolve(Leaf.self) === sliding)
        #expect(resolver.resolve(OtherLeaf.self) === fixed)
        time.set(2.998)
        #expect(resolver.resolve(Leaf.self) === sliding)
        #expect(resolver.resolve(OtherLeaf.self) !== fixed)
        time.set(4.498)
        #expect(resolver.resolve(Leaf.self) !== sliding)
    }

    @Test func `a time to live applies to values`() {
        let made = Box(0)
        let resolver = time.resolver()
        resolver.register { made.increment() }.scope(.cached).timeToLive(10)
        #expect(resolver.resolve(Int.self) == 1)
        time.set(9)
        #expect(resolver.resolve(Int.self) == 1)
        time.set(19)
        #expect(resolver.resolve(Int.self) == 2)
    }

    @Test func `a time to live has no effect in the unique and graph scopes`() {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(.unique).timeToLive(10)
        resolver.register { OtherLeaf() }.scope(.graph).timeToLive(10)
        resolver.register { [time] r -> [OtherLeaf] in
            let first: OtherLeaf = r.resolve()
            time.advance(by: 100)
            return [first, r.resolve()]
        }
        #expect(resolver.resolve(Leaf.self) !== resolver.resolve(Leaf.self))
        #expect(resolver.resolve(OtherLeaf.self) !== resolver.resolve(OtherLeaf.self))
        let ofOneCycle: [OtherLeaf] = resolver.resolve()
        #expect(ofOneCycle[0] === ofOneCycle[1])
    }

    // MARK: Edge cases

    @Test(arguments: [Double.infinity, .greatestFiniteMagnitude])
    func `an infinite time to live never expires`(_ seconds: Double) {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(.cached).timeToLive(seconds, from: .creation)
        let first: Leaf = resolver.resolve()
        time.set(3_000_000_000)
        #expect(resolver.resolve(Leaf.self) === first)
    }

    @Test(arguments: [0, -0.0, -1, -.infinity, .nan])
    func `a time to live that is not positive expires at once`(_ seconds: Double) {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(.cached).timeToLive(seconds)
        let first: Leaf = resolver.resolve()
        #expect(resolver.existing(Leaf.self) == nil)
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    @Test func `a clock that goes backwards neither ends nor shortens a time to live`() {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(.cached).timeToLive(10)
        time.set(100)
        let first: Leaf = resolver.resolve()
        time.set(50)
        #expect(resolver.resolve(Leaf.self) === first)
        time.set(109)
        #expect(resolver.resolve(Leaf.self) === first)
        time.set(119)
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    // MARK: References to expired instances

    @Test(arguments: KeepingScope.strong)
    func `the first call after expiry releases the old instance`(_ keeping: KeepingScope) {
        let alive = Box(0)
        let resolver = time.resolver()
        resolver.register { Counted(alive) }.scope(keeping.make()).timeToLive(10)
        weak let first = resolver.resolve(Counted.self)
        time.set(1000)
        #expect(first != nil, "nothing happens by itself")
        _ = resolver.resolve(Counted.self)
        #expect(first == nil)
        #expect(alive.value == 1)
    }

    @Test func `a reference to an expired instance stays usable`() {
        final class Session: Sendable {
            let pages = Box<[String]>([])
        }
        let resolver = time.resolver()
        resolver.register { Session() }.scope(.cached).timeToLive(10)
        let old: Session = resolver.resolve()
        old.pages.append("home")
        time.set(11)
        let new: Session = resolver.resolve()
        old.pages.append("cart")
        #expect(old.pages.value == ["home", "cart"])
        #expect(new.pages.value == [])
    }

    @Test func `existing ignores an expired instance and does not release it`() {
        let alive = Box(0)
        let resolver = time.resolver()
        resolver.register { Counted(alive) }.scope(.cached).timeToLive(10)
        weak let first = resolver.resolve(Counted.self)
        time.set(9)
        #expect(resolver.existing(Counted.self) === first)
        time.set(10)
        #expect(resolver.existing(Counted.self) == nil)
        #expect(first != nil, "only looked at")
        #expect(alive.value == 1)
    }

    // MARK: Changes

    @Test(arguments: [Resolver.TimeToLiveStart.lastUse, .creation], [Resolver.TimeToLiveStart.lastUse, .creation])
    func `a changed time to live counts from the next use`(
        _ old: Resolver.TimeToLiveStart, _ new: Resolver.TimeToLiveStart
    ) {
        let resolver = time.resolver()
        let options = resolver.register { Leaf() }.scope(.cached).timeToLive(100, from: old)
        let first: Leaf = resolver.resolve()
        time.set(50)
        options.timeToLive(10, from: new)
        time.set(70)
        #expect(resolver.existing(Leaf.self) === first, "to look is no use")
        #expect(resolver.resolve(Leaf.self) === first, "the next use")
        time.set(79)
        #expect(resolver.existing(Leaf.self) === first)
        time.set(80)
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    @Test func `a changed time to live counts anew for each argument and isolating resolver`() {
        let resolver = time.resolver(), isolating = Resolver(isolating: resolver)
        isolating.clock = resolver.clock
        let options = resolver.register { (_, _) in Leaf() }.scope(.cached).scopeOnArguments().timeToLive(100)
        func leaves() -> [Leaf] {
            [resolver.resolve(args: 1), resolver.resolve(args: 2), isolating.resolve(args: 1)]
        }
        let first = leaves()
        time.set(50)
        options.timeToLive(10)
        #expect(zip(leaves(), first).allSatisfy { $0 === $1 })
        time.set(60)
        #expect(zip(leaves(), first).allSatisfy { $0 !== $1 })
    }

    @Test func `a longer time to live keeps an instance that would have expired`() {
        let resolver = time.resolver()
        let options = resolver.register { Leaf() }.scope(.cached).timeToLive(10)
        let first: Leaf = resolver.resolve()
        time.set(50)
        options.timeToLive(51)
        #expect(resolver.resolve(Leaf.self) === first)
    }

    @Test func `registering again applies the new time to live`() {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(.cached).timeToLive(10)
        let old: Leaf = resolver.resolve()
        resolver.register { Leaf() }.scope(.cached).timeToLive(100)
        let new: Leaf = resolver.resolve()
        #expect(new !== old)
        time.set(99)
        #expect(resolver.resolve(Leaf.self) === new)
    }

    @Test func `a time to live set on a cached instance counts from the next use`() {
        let resolver = time.resolver()
        let options = resolver.register { Leaf() }.scope(.cached)
        let first: Leaf = resolver.resolve()
        #expect(resolver.resolve(Leaf.self) === first)
        time.set(1000)
        options.timeToLive(10)
        #expect(resolver.resolve(Leaf.self) === first)
        time.set(1009)
        #expect(resolver.resolve(Leaf.self) === first)
        time.set(1019)
        #expect(resolver.resolve(Leaf.self) !== first)
    }

    // MARK: Aliases and property wrappers

    @Test func `a time to live applies to a service's aliases`() {
        let resolver = time.resolver()
        resolver.register { Player() }.implements(Role.self).implements(SecondRole.self, name: "second")
            .scope(.cached).timeToLive(10)
        let first: Role = resolver.resolve()
        time.set(9)
        #expect(resolver.resolve(SecondRole.self, name: "second") === first)
        time.set(18)
        #expect(resolver.existing(Role.self) === first)
        time.set(19)
        #expect(resolver.existing(Role.self) == nil)
        let second: Role = resolver.resolve()
        #expect(second !== first)
        #expect(resolver.resolve(Player.self) === second)
    }

    @Test func `a time to live set later applies to hits through an alias`() {
        let resolver = time.resolver()
        let options = resolver.register { Player() }.implements(Role.self).scope(.cached)
        let first: Role = resolver.resolve()
        for _ in 0..<3 { #expect(resolver.resolve(Role.self) === first) }
        options.timeToLive(10)
        #expect(resolver.resolve(Role.self) === first)
        time.set(10)
        #expect(resolver.resolve(Role.self) !== first)
    }

    @Test func `property wrappers keep an expired instance and new ones get the next`() {
        let resolver = time.resolver()
        resolver.register { Leaf() }.scope(.cached).timeToLive(10)
        let injected = Injected<Leaf>(container: resolver)
        let early = LazyInjected<Leaf>(container: resolver), late = LazyInjected<Leaf>(container: resolver)
        let weakly = WeakLazyInjected<Leaf>(container: resolver)
        let first = injected.wrappedValue
        #expect(early.wrappedValue === first)
        #expect(weakly.wrappedValue === first)
        time.set(10)
        let second = Injected<Leaf>(container: resolver).wrappedValue
        #expect(second !== first)
        #expect(late.wrappedValue === second, "first read after the time")
        #expect(injected.wrappedValue === first)
        #expect(early.wrappedValue === first)
        #expect(weakly.wrappedValue === first)
    }
}
