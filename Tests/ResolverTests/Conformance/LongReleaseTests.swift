import Resolver
import Testing

/// The release of many instances whose `deinit` resolves is not recursive. Each test runs in its own process on a small
/// stack.
@Suite(.measuresStack) struct LongReleaseTests {
    /// Resolves in its `deinit`.
    private final class Resolving: Sendable {
        let resolver: Resolver, released: Box<Int>

        init(_ resolver: Resolver, _ released: Box<Int>) {
            (self.resolver, self.released) = (resolver, released)
        }

        deinit {
            _ = resolver.resolve(Leaf.self)
            _ = resolver.resolve(Player.self)
            released.increment()
        }
    }

    /// The lifetimes that release many instances at once, and the cause of the release.
    @Test(arguments: ["graph", "cached", "container", "shared", "reset", "request", "isolating"])
    func `twenty thousand instances whose deinit resolves are released on a small stack`(_ lifetime: String) async {
        await #expect(processExitsWith: .success) { [lifetime] in
            Child.mustEnd()
            let released = Box(0)
            Threads.run(1, stackSize: 512 << 10) { _ in
                let resolver = Resolver(), other = Resolver()
                other.register { Leaf() }
                other.register { Player() }.scope(.unique)
                for index in 0..<20_000 {
                    let options = resolver.register(name: .init("\(index)")) { Resolving(other, released) }
                    switch lifetime {
                    case "graph": options.scope(.graph)
                    case "container": options.scope(.container)
                    case "shared": options.scope(.shared)
                    case "request": options.scoped(to: .request)
                    case "isolating": options.scope(.application)
                    default: options.scope(.cached)
                    }
                }
                resolver.register { r -> Leaf in
                    for index in 0..<20_000 { _ = r.resolve(Resolving.self, name: .init("\(index)")) }
                    return Leaf()
                }.scope(.unique)
                switch lifetime {
                case "request": Resolver.withScope(.request, id: "1") { _ = resolver.resolve(Leaf.self) }
                case "isolating": _ = Resolver(isolating: resolver).resolve(Leaf.self)
                default: _ = resolver.resolve(Leaf.self)
                }
                if lifetime == "reset" { resolver.reset(.all) }
            }
            #expect(released.value == 20_000)
        }
    }

    @Test func `a resolution cycle in a deinit releases its instances before its call returns`() {
        let resolver = Resolver(), order = Box<[String]>([])
        resolver.register(name: "inner") { DeinitCallback { order.append("inner") } }
        resolver.register(name: "first") { DeinitCallback { order.append("first") } }
        resolver.register(name: "second") {
            DeinitCallback { [unowned resolver] in
                _ = resolver.resolve(DeinitCallback.self, name: "inner")
                order.append("second")
            }
        }
        resolver.register(name: "all") { r -> Leaf in
            _ = (r.resolve(DeinitCallback.self, name: "first"), r.resolve(DeinitCallback.self, name: "second"))
            return Leaf()
        }
        _ = resolver.resolve(Leaf.self, name: "all")
        #expect(order.value == ["inner", "second", "first"])
    }

    @Test func `a chain of a hundred thousand resolvers is released`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let alive = Box(0)
            Threads.run(1, stackSize: 512 << 10) { _ in
                var resolver = Resolver()
                for level in 0..<100_000 {
                    if level % 1000 == 0 {
                        resolver.register { Counted(alive) }.scope(.container)
                        _ = resolver.resolve(Counted.self)
                    }
                    resolver = Resolver(child: resolver)
                }
            }
            #expect(alive.value == 0)
        }
    }

    @Test func `a tree of a hundred thousand nodes is released from its leaf`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            Threads.run(1, stackSize: 512 << 10) { _ in
                var node = ScopeNode()
                for _ in 0..<100_000 { node = ScopeNode(parent: node) }
            }
        }
    }

    @Test func `a registration that was modified a hundred thousand times is released`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            Threads.run(1, stackSize: 512 << 10) { _ in
                let options = Resolver().register { Leaf() }
                for _ in 0..<100_000 { options.scope(.unique) }
            }
        }
    }

    private final class Nested: ScopeNode, @unchecked Sendable {
        @ChildScope({ Nested($0 as Nested) }, .retained) var next: Nested
        init(_ parent: Nested?) { super.init(parent: parent) }
    }

    @Test func `ten thousand nested retained nodes are released on a small stack`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            Threads.run(1, stackSize: 512 << 10) { _ in
                var last = Nested(nil)
                let root = last
                for _ in 0..<10_000 { last = last.next }
                withExtendedLifetime(root) {}
            }
        }
    }
}
