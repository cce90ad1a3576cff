import Resolver
import Testing

/// An isolating resolver with parents, children, siblings and the other lifetimes, and the hits of its fast path.
@Suite struct IsolatingSearchTests {
    private let parent = Resolver()
    private let isolating: Resolver

    init() { isolating = Resolver(isolating: parent) }

    @Test func `a registration resolves a graph service to the instance of the isolating resolver`() {
        let front = Resolver(child: isolating)
        let registration = parent.register { Leaf() }.registration
        parent.register(name: "root") {
            let direct: Leaf = parent.resolve(), own: Leaf = front.resolve()
            return Box([direct, own, registration.resolve(resolver: front, args: nil)])
        }
        let leaves = parent.resolve(Box<[Leaf?]>.self, name: "root").value
        expect(leaves[1] === leaves[2])
        expect(leaves[0] !== leaves[2])
    }

    /// In a process of its own, whose first call takes the long way, and later ones the short way.
    @Test func `a resolution cycle shares the isolating resolver's own graph instance with its parent`() async {
        await #expect(processExitsWith: .success) {
            let isolating = Resolver(isolating: Resolver())
            isolating.register { Leaf() }.scope(.graph)
            let front = Resolver(child: isolating)
            front.register { [unowned isolating] (r: Resolver) -> [Leaf] in [r.resolve(), isolating.resolve()] }
            for _ in 0..<2 {
                let leaves: [Leaf] = front.resolve()
                expect(leaves[0] === leaves[1])
            }
        }
    }

    @Test func `an isolating resolver's clock applies to its instances`() {
        let time = ManualTime(), own = ManualTime()
        let parent = time.resolver(), isolating = Resolver(isolating: parent)
        isolating.clock = own.clock
        parent.register { Leaf() }.scope(.cached).timeToLive(10)
        let parents: Leaf = parent.resolve(), first: Leaf = isolating.resolve()
        time.set(10)
        expect(isolating.resolve(Leaf.self) === first)
        expect(parent.existing(Leaf.self), is: nil)
        own.set(10)
        expect(isolating.existing(Leaf.self), is: nil)
        expect(isolating.resolve(Leaf.self) !== first)
        expect(parent.resolve(Leaf.self) !== parents)
    }

    @Test func `a context's own registration precedes a cached instance`() {
        parent.register { Leaf() }.scope(.cached)
        let kept: Leaf = isolating.resolve()
        expect(isolating.resolve(Leaf.self) === kept)
        Resolver.withScope(.request, id: "1") {
            let own = Leaf()
            Resolver.registerScoped(Leaf.self, scope: .request) { own }
            expect(isolating.resolve(Leaf.self) === own)
        }
        expect(isolating.resolve(Leaf.self) === kept)
    }

    @Test func `the first isolating resolver on the search path caches the instance`() {
        parent.register { Leaf() }.scope(.cached)
        let inner = Resolver(isolating: parent), outer = Resolver(isolating: inner), front = Resolver(child: inner)
        let farther = Resolver(child: Resolver(child: outer))
        let byOuter: Leaf = outer.resolve(), byInner: Leaf = inner.resolve()
        expect(byOuter !== byInner)
        for _ in 0..<2 {
            expect(outer.resolve(Leaf.self) === byOuter)
            expect(farther.resolve(Leaf.self) === byOuter)
            expect(front.resolve(Leaf.self) === byInner)
        }
    }

    @Test func `a resolver added before an isolating one is searched first`() {
        let plain = Resolver()
        for resolver in [plain, parent] { resolver.register { Leaf() }.scope(.cached) }
        let late = Resolver(isolating: parent), lates: Leaf = late.resolve()
        expect(late.resolve(Leaf.self) === lates)
        let front = Resolver(child: Resolver(isolating: Resolver()))
        front.add(child: plain)
        front.add(child: late)
        expect(front.resolve(Leaf.self) === plain.resolve(Leaf.self))
    }

    @Test func `hits hold no instance, with arguments and while children are added to other resolvers`() {
        weak var held: Leaf?
        do {
            parent.register { Leaf() }.scope(.cached)
            let isolating = Resolver(isolating: parent), kept: Leaf = isolating.resolve()
            held = kept
            expect(isolating.resolve(Leaf.self, args: 1) === kept)
            expect(isolating.optional(Leaf.self, args: 1) === kept)
            let ask: @Sendable () -> Void = {
                for _ in 0..<Sanitizer.rounds(50_000) where isolating.resolve(Leaf.self) !== kept { fatalError() }
            }
            Threads.run({ for _ in 0..<Sanitizer.rounds(10_000) { Resolver().add(child: Resolver()) } }, ask, ask)
        }
        expect(held, is: nil, "the parent, which lives on, has kept none")
    }

    @Test func `an isolating resolver that ends during a new registration releases each instance once`() {
        let made = Box(0), alive = Box(0), released = Box(0)
        let register: @Sendable () -> Void = { [unowned parent] in
            parent.register { made.counting(Counted(alive)) }.scope(.cached).onRelease { _ in released.increment() }
        }
        register()
        for _ in 0..<300 {
            let isolating = Box<Resolver?>(Resolver(isolating: parent))
            _ = isolating.value?.resolve(Counted.self)
            Threads.run({ register() }, { isolating.set(nil) })
        }
        expect(made.value, is: 300)
        expect(released.value, is: 300)
        expect(alive.value, is: 0)
    }

    @Test func `a resolver found on another path may become isolated`() {
        let inner = Resolver(), behind = Resolver(), front = Resolver(child: Resolver(isolating: behind))
        front.add(child: inner)
        inner.register { Leaf() }.scope(.cached)
        let inners: Leaf = inner.resolve()
        expect(front.resolve(Leaf.self) === inners)
        // The search order is unchanged, but the path to the resolver differs.
        behind.add(child: inner)
        expect(front.resolve(Leaf.self) !== inners)
        expect(inner.resolve(Leaf.self) === inners)
    }
}
