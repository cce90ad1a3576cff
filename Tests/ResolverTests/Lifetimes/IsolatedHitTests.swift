import Resolver
import Testing

/// The fast path of an isolating resolver returns its cached instances as long as they are valid.
@Suite struct IsolatedHitTests {
    private let parent = Resolver()
    private let isolating: Resolver

    init() { isolating = Resolver(isolating: parent) }

    @Test func `a context's own registration precedes a cached instance`() {
        parent.register { Leaf() }.scope(.cached)
        let kept: Leaf = isolating.resolve()
        #expect(isolating.resolve(Leaf.self) === kept)
        Resolver.withScope(.request, id: "1") {
            let own = Leaf()
            Resolver.registerScoped(Leaf.self, scope: .request) { own }
            #expect(isolating.resolve(Leaf.self) === own)
        }
        #expect(isolating.resolve(Leaf.self) === kept)
    }

    @Test func `an instance is not returned for a type that it does not have`() {
        class Base: @unchecked Sendable {}
        final class Derived: Base, @unchecked Sendable {}
        let sample: Base = Derived()
        parent.register(type(of: sample)) { Base() }.scope(.cached)
        let kept = isolating.resolve(type(of: sample))
        #expect(isolating.resolve(type(of: sample)) === kept)
        #expect(isolating.optional(Derived.self) == nil)
    }

    @Test func `a call with arguments gets the cached instance and holds nothing`() {
        weak var held: Leaf?
        do {
            parent.register { Leaf() }.scope(.cached)
            let isolating = Resolver(isolating: parent), kept: Leaf = isolating.resolve()
            held = kept
            #expect(isolating.resolve(Leaf.self, args: 1) === kept)
            #expect(isolating.optional(Leaf.self, args: 1) === kept)
        }
        #expect(held == nil, "the parent, which lives on, has kept none")
    }

    @Test func `the first isolating resolver on the search path caches the instance`() {
        parent.register { Leaf() }.scope(.cached)
        let inner = Resolver(isolating: parent), outer = Resolver(isolating: inner), front = Resolver(child: inner)
        let byOuter: Leaf = outer.resolve(), byInner: Leaf = inner.resolve()
        #expect(byOuter !== byInner)
        for _ in 0..<2 {
            #expect(outer.resolve(Leaf.self) === byOuter)
            #expect(front.resolve(Leaf.self) === byInner)
        }
    }

    @Test func `a resolver added before an isolating one is searched first`() {
        let plain = Resolver()
        for resolver in [plain, parent] { resolver.register { Leaf() }.scope(.cached) }
        let late = Resolver(isolating: parent), lates: Leaf = late.resolve()
        #expect(late.resolve(Leaf.self) === lates)
        let front = Resolver(child: Resolver(isolating: Resolver()))
        front.add(child: plain)
        front.add(child: late)
        #expect(front.resolve(Leaf.self) === plain.resolve(Leaf.self))
    }

    @Test func `hits hold no instance while children are added to other resolvers`() {
        weak var held: Leaf?
        do {
            parent.register { Leaf() }.scope(.cached)
            let isolating = Resolver(isolating: parent), kept: Leaf = isolating.resolve()
            held = kept
            let ask: @Sendable () -> Void = {
                for _ in 0..<Sanitizer.rounds(50_000) where isolating.resolve(Leaf.self) !== kept { fatalError() }
            }
            Threads.run({ for _ in 0..<Sanitizer.rounds(10_000) { Resolver().add(child: Resolver()) } }, ask, ask)
        }
        #expect(held == nil)
    }
}
