import CHeapProbe
import Resolver
import Testing

/// Repeated operations must not grow memory. Each measurement runs in its own process, because the heap is
/// process-wide.
@Suite struct GrowthTests {
    /// Expects that each of the second `count` rounds of `body` adds fewer bytes to the heap.
    private static func expectGrowth(below most: Int, rounds count: Int, _ body: (Int) -> Void) {
        for round in 0..<count { body(round) }
        heap_forget_thrown_errors()
        let before = Int(heap_bytes_in_use())
        for round in count..<2 * count { body(round) }
        expect(Int(heap_bytes_in_use()) - before < most * count)
    }

    private enum Work: String, CaseIterable, Codable {
        case addingChildren, addingGrandchildren, replacingTheCache, replacingTheCacheOfIsolated, replacingTheCacheBelow
        case replacingCachesOfTenants, registeringInContexts, registeringInContextsAmongOthers
    }

    /// Has a cache for each tenant. The current one is set by the test.
    private final class TenantScope: ResolverScopeType {
        let caches: Box<[ResolverScopeCache]>, current = Box(0)
        init(_ count: Int) { caches = Box((0..<count).map { _ in ResolverScopeCache() }) }

        private var cache: ResolverScopeCache { caches.value[current.value] }

        func resolve<Service>(registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?) -> Service? {
            cache.resolve(registration: registration, resolver: resolver, args: args)
        }

        func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
            cache.existing(registration: registration, resolver: resolver)
        }

        func reset() { for cache in caches.value { cache.reset() } }
    }

    @Test func `one registration may have an instance in each of a thousand caches`() {
        let resolver = Resolver(), tenants = TenantScope(1000)
        let names = (0..<3).map { Resolver.Name("\($0)") }
        for name in names { resolver.register(name: name) { Leaf() }.scope(tenants) }
        let resolve = { (tenant: Int) in
            tenants.current.set(tenant)
            return names.map { ObjectIdentifier(resolver.resolve(Leaf.self, name: $0)) }
        }
        let made = (0..<1000).map(resolve)
        expect(Set(made.joined()).count, is: 3000)
        expect((0..<1000).map(resolve), is: made)
        resolver.reset(Leaf.self, name: names[1])
        for tenant in 0..<1000 {
            tenants.current.set(tenant)
            expect(names.map { resolver.existing(Leaf.self, name: $0) != nil }, is: [true, false, true])
        }
    }

    @Test(.measuresHeap, arguments: Work.allCases)
    private func `memory grows at most linearly`(_ work: Work) async {
        await #expect(processExitsWith: .success) { [work] in
            let resolver = Resolver()
            switch work {
            case .addingChildren, .addingGrandchildren:
                let parent = work == .addingChildren ? resolver : Resolver()
                if work == .addingGrandchildren {
                    resolver.add(child: parent)
                    resolver.add(child: Resolver())
                }
                GrowthTests.expectGrowth(below: 2500, rounds: 2000) { _ in
                    parent.add(child: Resolver())
                    _ = resolver.optional(Leaf.self)
                }
            case .replacingTheCache, .replacingTheCacheOfIsolated, .replacingTheCacheBelow:
                let isolating = Resolver(isolating: resolver)
                let owner = work == .replacingTheCacheOfIsolated ? isolating : resolver
                let asked = work == .replacingTheCache ? resolver : isolating
                for index in 0..<10 { owner.register(name: .init("\(index)")) { Leaf() }.scope(.container) }
                GrowthTests.expectGrowth(below: 20, rounds: 1000) { _ in
                    owner.cache = ResolverScopeCache()
                    for index in 0..<10 { _ = asked.resolve(Leaf.self, name: .init("\(index)")) }
                }
            case .replacingCachesOfTenants:
                let tenants = TenantScope(100)
                for index in 0..<10 { resolver.register(name: .init("\(index)")) { Leaf() }.scope(tenants) }
                GrowthTests.expectGrowth(below: 500, rounds: 2000) { round in
                    tenants.current.set(round % 100)
                    tenants.caches.update { $0[round % 100] = ResolverScopeCache() }
                    for index in 0..<10 { _ = resolver.resolve(Leaf.self, name: .init("\(index)")) }
                }
            case .registeringInContexts, .registeringInContextsAmongOthers:
                let others = (0..<(work == .registeringInContexts ? 0 : 500)).map {
                    ScopeContext.shared.open(.session, id: "\($0)")
                }
                defer { withExtendedLifetime(others) {} }
                GrowthTests.expectGrowth(below: 10, rounds: 20_000) { round in
                    Resolver.withScope(.request, id: "1") {
                        Resolver.registerScoped(Leaf.self, name: .init("\(round)"), scope: .request) { Leaf() }
                        _ = Resolver.resolve(Leaf.self, name: .init("\(round)"))
                    }
                }
            }
        }
    }

    /// Services registered in contexts are known while one of these contexts is open.
    @Test func `a context finds its own service after a thousand later contexts`() {
        let kind = ScopeKind("long", rank: 10, binding: .execution)
        Resolver.withScope(kind, id: "long") {
            Resolver.registerScoped(Leaf.self, name: "long", scope: kind) { Leaf() }
            let own = Resolver.resolve(Leaf.self, name: "long")
            for round in 0..<1000 {
                Resolver.withScope(kind, id: "short") {
                    Resolver.registerScoped(Leaf.self, name: .init("short \(round)"), scope: kind) { Leaf() }
                    expect(Resolver.optional(Leaf.self, name: .init("short \(round)")) != nil)
                }
                expect(Resolver.optional(Leaf.self, name: .init("short \(round)")), is: nil)
            }
            expect(Resolver.resolve(Leaf.self, name: "long") === own)
        }
        expect(Resolver.optional(Leaf.self, name: "long"), is: nil)
    }

    @Test func `a resolver that moves forward in the search order is searched earlier`() {
        let front = Resolver(), first = Resolver(), second = Resolver(), third = Resolver()
        third.register(name: "it") { "third" }
        second.register(name: "it") { "second" }
        for child in [first, second, third] { front.add(child: child) }
        expect(front.resolve(String.self, name: "it"), is: "second")
        first.add(child: third)
        expect(front.resolve(String.self, name: "it"), is: "third")
        let deep = Resolver()
        deep.register(name: "it") { "deep" }
        first.add(child: Resolver(child: deep))
        expect(front.resolve(String.self, name: "it"), is: "third")
        third.add(child: deep)
        expect(front.optional(Leaf.self), is: nil)
        third.reset(.all)
        expect(front.resolve(String.self, name: "it"), is: "deep")
    }

    /// The resolver moves forward in the search order during searches. It precedes the last one before and after.
    @Test func `a search never finds a later resolver first while an earlier one moves`() {
        let wrong = Box(0)
        for _ in 0..<20 {
            let owner = Resolver(), first = Resolver(), moved = Resolver(), last = Resolver(), isOver = Box(false)
            owner.add(child: first)
            for _ in 0..<500 { owner.add(child: Resolver()) }
            owner.add(child: moved)
            owner.add(child: last)
            moved.register { "moved" }.scope(.unique)
            last.register { "last" }.scope(.unique)
            let isSearching = Rendezvous(2)
            Threads.run {
                for round in 0... {
                    if round == 3 { isSearching.arriveAndWait() }
                    if owner.resolve(String.self) != "moved" { wrong.increment() }
                    if isOver.value, round > 3 { break }
                }
            } beside: {
                isSearching.arriveAndWait()
                first.add(child: moved)
                _ = owner.optional(Leaf.self)
                isOver.set(true)
            }
        }
        expect(wrong.value, is: 0)
    }

    @Test func `one object may be cached under forty thousand names and in forty thousand contexts`() async {
        await #expect(processExitsWith: .success) {
            let object = Leaf(), resolver = Resolver()
            for index in 0..<Sanitizer.rounds(40_000) {
                resolver.register(name: .init("\(index)")) { object }.scope(.cached)
                for _ in 0..<2 { expect(resolver.resolve(Leaf.self, name: .init("\(index)")) === object) }
            }
            resolver.register { object }.scoped(to: .session)
            let sessions = (0..<Sanitizer.rounds(40_000)).map { ScopeContext.shared.open(.session, id: "\($0)") }
            for session in sessions {
                for _ in 0..<2 { expect(session.run { resolver.resolve(Leaf.self) } === object) }
            }
            for session in sessions { session.end() }
        }
    }

    /// The table starts with eight places, so thousands of keys collide often.
    @Test func `a hundred thousand registrations are found, also where their keys collide in the table`() {
        let resolver = Resolver(), count = Sanitizer.rounds(100_000)
        for index in 0..<count {
            resolver.register(name: .init("\(index)")) { index }.scope(.cached)
            if index < 5000 { resolver.register(name: .init("\(index)")) { "\(index)" } }
        }
        expect((0..<count).allSatisfy { resolver.resolve(Int.self, name: .init("\($0)")) == $0 })
        expect((0..<5000).allSatisfy { resolver.resolve(String.self, name: .init("\($0)")) == "\($0)" })
        expect(resolver.optional(Int.self, name: "100000"), is: nil)
    }

    @Test func `more hits than a slot holds references lose no reference`() {
        let alive = Box(0)
        do {
            let resolver = Resolver()
            resolver.register { Counted(alive) }.scope(.cached)
            Threads.run(4) { _ in
                var held: [Counted] = []
                for _ in 0..<60_000 { held.append(resolver.resolve()) }
            }
            expect(alive.value, is: 1)
        }
        expect(alive.value, is: 0)
    }

    @Test func `every search finds an existing service while children are added`() {
        let front = Resolver(), first = Resolver(), last = Resolver(), misses = Box(0)
        front.add(child: first)
        front.add(child: last)
        last.register { Leaf() }.scope(.cached)
        let search = { @Sendable in if front.optional(Leaf.self) == nil { misses.increment() } }
        Threads.run {
            for round in 0..<500 {
                (round % 2 == 0 ? front : first).add(child: Resolver(child: round % 3 == 0 ? last : nil))
                search()
            }
        } repeating: {
            search()
        }
        expect(misses.value, is: 0)
    }
}
