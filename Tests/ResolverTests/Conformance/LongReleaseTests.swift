import Resolver
import Testing

/// The release of many instances whose `deinit` resolves is not recursive. Each test runs in its own process on a small
/// stack.
@Suite(.measuresStack) struct LongReleaseTests {
    @Test(arguments: ["graph", "cached", "container", "shared", "reset", "request", "isolating"])
    func `twenty thousand instances whose deinit resolves are released on a small stack`(_ lifetime: String) async {
        await #expect(processExitsWith: .success) { [lifetime] in
            let released = Box(0)
            Threads.run(1, stackSize: 512 << 10) { _ in
                let scopes: [String: ResolverScope] = [
                    "graph": .graph, "container": .container, "shared": .shared, "isolating": .application,
                ]
                let resolver = Resolver(), other = Resolver()
                other.register { Leaf() }
                other.register { Player() }.scope(.unique)
                let onRelease: @Sendable () -> Void = {
                    _ = (other.resolve(Leaf.self), other.resolve(Player.self))
                    released.increment()
                }
                for index in 0..<20_000 {
                    let options = resolver.register(name: .init("\(index)")) { DeinitCallback(onRelease) }
                    let isOfRequest = lifetime == "request"
                    _ = isOfRequest ? options.scoped(to: .request) : options.scope(scopes[lifetime] ?? .cached)
                }
                resolver.register { r -> Leaf in
                    for index in 0..<20_000 { _ = r.resolve(DeinitCallback.self, name: .init("\(index)")) }
                    return Leaf()
                }.scope(.unique)
                switch lifetime {
                case "request": Resolver.withScope(.request, id: "1") { _ = resolver.resolve(Leaf.self) }
                case "isolating": _ = Resolver(isolating: resolver).resolve(Leaf.self)
                default: _ = resolver.resolve(Leaf.self)
                }
                if lifetime == "reset" { resolver.reset(.all) }
            }
            expect(released.value, is: 20_000)
        }
    }

    /// The hook of each instance runs inside the one before, until the stack is nearly exhausted.
    @Test(arguments: ["reset", "scopes"])
    func `the hooks of a thousand instances may release all the others on a small stack`(_ release: String) async {
        await #expect(processExitsWith: .success) { [release] in
            let released = Box(0), isOfScopes = release == "scopes"
            Threads.run(1, stackSize: 512 << 10) { _ in
                let resolver = Resolver(), kind = ScopeKind.ofTest("hooks that clear", .process)
                let options = resolver.register { (_, _: Resolver.Args) in Leaf() }.scopeOnArguments().onRelease {
                    [unowned resolver] _ in
                    released.increment()
                    if isOfScopes { ScopeContext.shared.clearAll() } else { resolver.reset(Leaf.self) }
                }
                _ = isOfScopes ? options.scoped(to: kind) : options.scope(.cached)
                let open = (0..<(isOfScopes ? 1000 : 1)).map { ScopeContext.shared.open(kind, id: "\($0)") }
                for index in 0..<1000 {
                    open[isOfScopes ? index : 0].run { _ = resolver.resolve(Leaf.self, args: index) }
                }
                if isOfScopes { ScopeContext.shared.clearAll() } else { resolver.reset(Leaf.self) }
            }
            expect(released.value, is: 1000)
        }
    }

    @Test func `a chain through the arguments of thousands of scopes is released on a small stack`() async {
        await #expect(processExitsWith: .success) {
            Threads.run(1, stackSize: 512 << 10) { _ in
                let resolver = Resolver(), kind = ScopeKind.ofTest("holds the one before", .process)
                resolver.register { (_, _: Resolver.Args) in Leaf() }.scoped(to: kind).scopeOnArguments()
                var last: ScopeHandle?
                for index in 0..<3000 {
                    let next = ScopeContext.shared.open(kind, id: "\(index)"), before = last
                    next.run { _ = resolver.resolve(Leaf.self, args: Identity(Holder(before))) }
                    last = next
                }
                last = nil
            }
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
        resolver.register(name: "all") { r in
            Leaf(after: (r.resolve(DeinitCallback.self, name: "first"), r.resolve(DeinitCallback.self, name: "second")))
        }
        _ = resolver.resolve(Leaf.self, name: "all")
        expect(order.value, is: ["inner", "second", "first"])
    }

    /// The hook's resolver is released alone, or by its parents.
    @Test(arguments: 0...2)
    func `what a release hook releases is released before the hook ends`(_ parents: Int) {
        let order = Box<[String]>([])
        @Sendable func resolver(_ released: @escaping @Sendable () -> Void) -> Resolver {
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.cached).onRelease { _ in released() }
            _ = resolver.resolve(Leaf.self)
            return resolver
        }
        let held = Box<Resolver?>(Resolver(child: resolver { order.append("released by the hook") }))
        var chain = resolver {
            held.set(nil)
            order.append("the hook ends")
        }
        for _ in 0..<parents { chain = Resolver(child: chain) }
        chain = Resolver()
        expect(order.value, is: ["released by the hook", "the hook ends"])
    }

    private final class Level: @unchecked Sendable {
        let alive: Counted
        @ChildScope({ (level: Level) in Level(level.alive.alive) }, .retained) var next: Level
        init(_ alive: Box<Int>) { self.alive = Counted(alive) }
    }

    private final class Nested: ScopeNode, @unchecked Sendable {
        @ChildScope({ Nested($0 as Nested) }, .retained) var next: Nested
        init(_ parent: Nested?) { super.init(parent: parent) }
    }

    /// Objects that each hold the next one, or keep an instance that does.
    enum Chain: String, CaseIterable, Codable {
        case resolvers, nodes, retainedNodes, retainedChildScopes, modifiersOfARegistration
        case instancesOfResolvers, instancesOfNodes, instancesOfScopes
    }

    /// Returns a new object of the chain, which keeps an instance that holds the next one.
    private static func keeper(of next: AnyObject, _ chain: Chain) -> AnyObject {
        // Only the instance holds the next object, not the factory.
        let held = Box<AnyObject?>(next), node = ScopeNode()
        let factory: @Sendable () -> Half = {
            let half = Half()
            half.other = held.exchange(nil)
            return half
        }
        if chain == .instancesOfScopes {
            let scope = ScopeContext.shared.open(.request, id: "1")
            scope.register(factory: factory)
            _ = scope.resolve(Half.self)
            return scope
        }
        let resolver = chain == .instancesOfNodes ? node.resolver : Resolver()
        resolver.register(factory: factory).scope(.container)
        _ = resolver.resolve(Half.self)
        return chain == .instancesOfNodes ? node : resolver
    }

    @Test(arguments: Chain.allCases)
    func `a chain of many objects is released on a small stack`(_ chain: Chain) async {
        await #expect(processExitsWith: .success) { [chain] in
            let alive = Box(0)
            Threads.run(1, stackSize: 512 << 10) { _ in
                switch chain {
                case .resolvers:
                    var resolver = Resolver()
                    for level in 0..<100_000 {
                        if level % 1000 == 0 {
                            resolver.register { Counted(alive) }.scope(.container)
                            _ = resolver.resolve(Counted.self)
                        }
                        resolver = Resolver(child: resolver)
                    }
                case .nodes:
                    var leaf = ScopeNode()
                    for _ in 0..<100_000 { leaf = ScopeNode(parent: leaf) }
                case .retainedNodes:
                    var last = Nested(nil)
                    let root = last
                    for _ in 0..<10_000 { last = last.next }
                    withExtendedLifetime(root) {}
                case .retainedChildScopes:
                    let first = Level(alive)
                    var last = first
                    for _ in 1..<20_000 { last = last.next }
                    withExtendedLifetime(first) {}
                case .modifiersOfARegistration:
                    let options = Resolver().register { Leaf() }
                    for _ in 0..<100_000 { options.scope(.unique) }
                case .instancesOfResolvers, .instancesOfNodes, .instancesOfScopes:
                    var next: AnyObject = Counted(alive)
                    for _ in 0..<10_000 { next = LongReleaseTests.keeper(of: next, chain) }
                }
            }
            expect(alive.value, is: 0)
        }
    }
}
