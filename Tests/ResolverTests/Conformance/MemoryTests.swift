import CHeapProbe
import Resolver
import Testing

@Suite struct MemoryTests {
    private final class Owner: @unchecked Sendable {
        let alive: Counted
        var options: ResolverOptions<Owner>?
        init(_ alive: Counted) { self.alive = alive }
    }

    @Test func `a resolver is released with its captures, although its scopes, instances and their options remain`() {
        let alive = Box(0), cache = ResolverScopeCache(), instance = Box<Counted?>(nil)
        do {
            let resolver = Resolver(), captured = Counted(alive)
            resolver.register { captured.alive.value }.resolveProperties { _, _ in _ = captured }
            resolver.register { Counted(alive) }.scope(cache).implements(AnyObject.self)
            let options = resolver.register { Owner(Counted(alive)) }.scope(.container)
            resolver.resolve(Owner.self).options = options
            _ = resolver.resolve(Int.self)
            instance.set(resolver.resolve(Counted.self))
        }
        expect(alive.value, is: 1, "what is held, and nothing else")
        instance.set(nil)
        expect(alive.value, is: 0)
    }

    private enum Work: String, CaseIterable, Codable {
        case graphCalls, resolvers, releasedNames, resets, threads, uncachedServices, scopes, childScopes
    }

    private final class Root: ScopeNode {
        @ChildScope({ (root: Root) in ScopeNode(parent: root) }) var child
        @ChildScope({ (root: Root) in ScopeNode(parent: root) }, .retained) var retained
        lazy var weak: Weak<ScopeNode> = Weak(of: self) { ScopeNode(parent: $0) }
    }

    @Test(.measuresHeap, arguments: Work.allCases)
    private func `repeated work does not grow the heap`(_ work: Work) async {
        await #expect(processExitsWith: .success) { [work] in
            let resolver = Resolver(), cache = ResolverScopeCache()
            switch work {
            case .graphCalls:
                resolver.register { Leaf() }
                resolver.register { r in [r.resolve(Leaf.self), r.resolve(Leaf.self)] }
                await Child.requireFlatHeap("100 000 calls", allowing: 4096) {
                    for _ in 0..<100_000 { _ = resolver.resolve([Leaf].self) }
                }
            case .resolvers:
                resolver.register { Leaf() }.scope(.cached)
                await Child.requireFlatHeap("10 000 resolvers", allowing: 4096) {
                    for _ in 0..<10_000 {
                        let front = Resolver(child: resolver)
                        front.register { OtherLeaf() }.scope(.container)
                        _ = (front.resolve(Leaf.self), front.resolve(OtherLeaf.self))
                    }
                }
            case .releasedNames:
                await Child.requireFlatHeap("100 000 names", allowing: 1 << 20) {
                    let resolver = Resolver()
                    for index in 0..<100_000 {
                        let name = Resolver.Name("a name that is not short \(index)")
                        resolver.register(name: name) { Leaf() }.scope(.cached)
                        _ = resolver.resolve(Leaf.self, name: name)
                    }
                }
            case .resets:
                resolver.register { Player() }.implements(Role.self).scope(cache)
                await Child.requireFlatHeap("20 000 resets", allowing: 4096) {
                    for _ in 0..<20_000 {
                        _ = (resolver.resolve(Role.self), resolver.resolve(Role.self))
                        cache.reset()
                    }
                }
            case .threads:
                resolver.register { Leaf() }
                resolver.register { r in [r.resolve(Leaf.self)] }
                await Child.requireFlatHeap("1000 threads") {
                    for _ in 0..<250 { Threads.run(4) { _ in _ = resolver.resolve([Leaf].self) } }
                }
            case .uncachedServices:
                await Child.requireFlatHeap("10 000 resolvers", allowing: 4096) {
                    for _ in 0..<10_000 {
                        let resolver = Resolver()
                        resolver.register { () -> Leaf? in nil }.scope(cache)
                        resolver.register { Player() }.scope(cache).timeToLive(0)
                        _ = (resolver.optional(Leaf.self), resolver.resolve(Player.self))
                        resolver.purgeExpired()
                    }
                }
            case .scopes:
                resolver.register { Leaf() }.scoped(to: .request)
                await Child.requireFlatHeap("10 000 scopes") {
                    for number in 0..<10_000 {
                        Resolver.withScope(.request, id: "\(number)") {
                            Resolver.registerScoped(OtherLeaf.self, scope: .request) { OtherLeaf() }
                            _ = (resolver.resolve(Leaf.self), resolver.resolve(OtherLeaf.self))
                        }
                    }
                }
            case .childScopes:
                let root = Root()
                root.resolver.register { Leaf() }.scope(.container)
                await Child.requireFlatHeap("40 000 children") {
                    for _ in 0..<10_000 {
                        for node in [root.child, root.retained, root.weak.value, ScopeNode(parent: root)] {
                            node.resolver.register { OtherLeaf() }.scope(.container)
                            _ = (node.resolver.resolve(Leaf.self), node.resolver.resolve(OtherLeaf.self))
                        }
                        root.$retained.release()
                    }
                }
            }
        }
    }

    private static func bytesForEach(of count: Int) -> Double {
        let before = Int(heap_bytes_in_use()), resolver = Resolver()
        for index in 0..<count { resolver.register(name: .init("\(index)")) { Leaf() } }
        let taken = Int(heap_bytes_in_use()) - before
        return withExtendedLifetime(resolver) { Double(taken) / Double(count) }
    }

    @Test(.measuresHeap)
    func `memory per registration at most doubles from a thousand to a hundred thousand`() async {
        await #expect(processExitsWith: .success) {
            _ = MemoryTests.bytesForEach(of: 1000)
            let few = MemoryTests.bytesForEach(of: 1000), many = MemoryTests.bytesForEach(of: 100_000)
            Child.require(few > 100, "\(few) bytes are too few to be true")
            Child.require(many <= 2 * few, "\(many) bytes against \(few)")
        }
    }
}
