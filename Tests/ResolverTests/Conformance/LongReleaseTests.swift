import Resolver
import Testing

/// The release of many instances whose `deinit` resolves is not recursive. Each test runs in its own process on a small
/// stack.
@Suite(.measuresStack) struct LongReleaseTests {
    private final class Holder: @unchecked Sendable { var next: Resolver? }

    /// Resolves in its `deinit`.
    private final class Resolving: Sendable {
        let resolver: Resolver
        let gone: Box<Int>

        init(_ resolver: Resolver, _ gone: Box<Int>) {
            (self.resolver, self.gone) = (resolver, gone)
        }

        deinit {
            _ = resolver.resolve(Leaf.self)
            _ = resolver.resolve(Player.self)
            gone.increment()
        }
    }

    private final class All: Sendable {
        init(_ parts: Int, _ resolver: Resolver) {
            for part in 0..<parts { _ = resolver.resolve(Resolving.self, name: .init("\(part)")) }
        }
    }

    private static let count = 100_000

    /// Returns a resolver with `count` services that resolve in their `deinit`.
    private static func resolver(_ gone: Box<Int>, _ scope: ResolverScope, count: Int = count) -> Resolver {
        let resolver = Resolver(), other = Resolver()
        other.register { Leaf() }
        other.register { Player() }.scope(.unique)
        for index in 0..<count {
            resolver.register(name: .init("\(index)")) { Resolving(other, gone) }.scope(scope)
        }
        resolver.register { r in All(count, r) }.scope(.unique)
        return resolver
    }

    /// The lifetimes that release many instances at once, and the cause of the release.
    @Test(arguments: ["graph", "cached", "container", "shared", "reset", "request", "isolating"])
    func `a hundred thousand instances whose deinit resolves are released on a small stack`(_ lifetime: String) async {
        await #expect(processExitsWith: .success) { [lifetime] in
            Child.mustEnd()
            let gone = Box(0), count = LongReleaseTests.count
            Threads.run(1, stackSize: 512 << 10) { _ in
                switch lifetime {
                case "graph": _ = LongReleaseTests.resolver(gone, .graph).resolve(All.self)
                case "cached": _ = LongReleaseTests.resolver(gone, .cached).resolve(All.self)
                case "container": _ = LongReleaseTests.resolver(gone, .container).resolve(All.self)
                case "shared": _ = LongReleaseTests.resolver(gone, .shared).resolve(All.self)
                case "reset":
                    let resolver = LongReleaseTests.resolver(gone, .cached)
                    _ = resolver.resolve(All.self)
                    resolver.reset(.all)
                case "request":
                    let resolver = LongReleaseTests.resolver(gone, .unique)
                    for index in 0..<count {
                        resolver.register(name: .init("\(index)")) { Resolving(resolver, gone) }.scoped(to: .request)
                    }
                    resolver.register { Leaf() }
                    resolver.register { Player() }
                    Resolver.withScope(.request, id: "1") { _ = resolver.resolve(All.self) }
                default:
                    let main = LongReleaseTests.resolver(gone, .application)
                    _ = Resolver(isolating: main).resolve(All.self)
                }
            }
            Child.require(gone.value == count, "\(gone.value) have gone")
        }
    }

    /// Instances of a resolution cycle are released when its call returns, also if a `deinit` made the call.
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
            Child.require(alive.value == 0, "\(alive.value) are alive")
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
}
