import Foundation
import Resolver
import Testing

@Suite struct OnReleaseTests {
    /// Where the registration of a `.container` service is, and which resolver is asked for it.
    enum Place: CaseIterable { case inTheIsolatingResolver, below, mainOfATest, madeInATest, belowInATest }

    /// An instance with a hook has a cell; one without may have none.
    @Test(arguments: Place.allCases, [true, false])
    func `another cache releases what the old one keeps, also isolated and in tests`(_ place: Place, _ hasHook: Bool) {
        func check(_ owner: Resolver, askedIn isolating: Resolver? = nil) {
            let released = Box(0), alive = Box(0), asked = isolating ?? owner
            let options = owner.register { Counted(alive) }.scope(.container)
            if hasHook { options.onRelease { _ in released.increment() } }
            for round in 1...3 {
                _ = asked.resolve(Counted.self)
                expect(alive.value, is: 1)
                // The process's scope and its other resolvers do not reach the instance.
                Resolver().cache.reset()
                ResolverScope.container.reset()
                owner.cache = ResolverScopeCache()
                expect(alive.value, is: 0)
                expect(released.value, is: hasHook ? round : 0)
            }
        }
        let live = Resolver()
        switch place {
        case .inTheIsolatingResolver: check(Resolver(isolating: live))
        case .below: check(live, askedIn: Resolver(isolating: live))
        case .mainOfATest: Resolver.runTest { check(.main) }
        case .madeInATest: Resolver.runTest { check(Resolver()) }
        case .belowInATest: Resolver.runTest { check(live, askedIn: Resolver(isolating: live)) }
        }
    }

    /// The clock is code of the user, and is read after the call has found the registration.
    @Test func `a hook that is added after the call and before the creation runs`() {
        let resolver = Resolver(), released = Box(0), options = Box<ResolverOptions<Leaf>?>(nil)
        resolver.clock = ResolverClock {
            options.exchange(nil)?.onRelease { _ in released.increment() }
            return 0
        }
        options.set(resolver.register { Leaf() }.scope(.cached).timeToLive(10))
        _ = resolver.resolve(Leaf.self)
        resolver.reset(Leaf.self)
        expect(released.value, is: 1)
    }

    @Test func `a hook runs on the thread that releases the instance, also for one that the factory has not created`() {
        let isMarked = Box<[Bool]>([]), resolver = Resolver(), owned = Leaf()
        resolver.register { owned }.scope(.cached).onRelease { _ in
            isMarked.append(Thread.current.threadDictionary["releases"] != nil)
        }
        for _ in 1...3 {
            _ = resolver.resolve(Leaf.self)
            Threads.run(1) { _ in
                Thread.current.threadDictionary["releases"] = true
                resolver.reset(scope: .cached)
            }
        }
        expect(isMarked.value, is: [true, true, true])
    }

    @Test func `a blocked hook does not block other threads`() async {
        await #expect(processExitsWith: .success) {
            let hook = Pause(), released = Box(0), cache = ResolverScopeCache(), resolver = Resolver()
            let register: @Sendable () -> Void = {
                resolver.register { Leaf() }.implements(AnyObject.self).scope(cache).onRelease { _ in
                    if released.increment() == 1 { hook.block() }
                }
            }
            register()
            resolver.register { OtherLeaf() }.scope(cache)
            let first: Leaf = resolver.resolve()
            _ = resolver.resolve(OtherLeaf.self)
            Threads.run {
                cache.reset()
            } beside: {
                hook.hasBegun.wait()
                let second: Leaf = resolver.resolve()
                Child.require(second !== first && resolver.resolve(AnyObject.self) === second, "a new one is kept")
                _ = resolver.resolve(OtherLeaf.self)
                let releases = [register, { resolver.reset(scope: cache) }, { cache.reset() }]
                for (number, release) in releases.enumerated() {
                    _ = resolver.resolve(Leaf.self)
                    release()
                    Child.require(released.value == number + 2, "release \(number) goes on")
                }
                resolver.purgeExpired()
                resolver.reset(.all)
                hook.mayEnd.open()
            }
            Child.require(released.value == 4, "once for each")
        }
    }
}
