import Resolver
import Testing

/// Objects shared within one resolution cycle.
@Suite struct GraphScopeTests {
    // MARK: One class behind two protocols

    @Test func `a view model gets one graph service behind two protocols`() async {
        await #expect(processExitsWith: .success) {
            let made = Box(0)
            Resolver.registerXYZ(made)
            let resolver = Resolver.main
            let viewModel: XYZViewModel = resolver.resolve()
            Child.require(viewModel.fetcher === viewModel.updater, "one object")
            Child.require(made.value == 1, "made once, not \(made.value) times")
            let next: XYZViewModel = resolver.resolve()
            Child.require(next.fetcher === next.updater, "the next one as well")
            Child.require(next.fetcher !== viewModel.fetcher, "with another object")
            Child.require(made.value == 2, "made once for each, not \(made.value) times")
        }
    }

    @Test func `injected properties share a resolution cycle only if their owner is resolved`() async {
        await #expect(processExitsWith: .success) {
            // The root.
            Resolver.register { ProtocolConsumer() }.scope(.unique)
            // The interfaces.
            Resolver.register { Resolver.resolve(MyService.self) as IDProviding }.scope(.unique)
            Resolver.register { Resolver.resolve(MyService.self) as ValueProviding }.scope(.unique)
            // The common implementation.
            Resolver.register { MyService() }.scope(.graph)

            let consumer: ProtocolConsumer = Resolver.resolve()
            Child.require(consumer.ids === consumer.values, "one object in the cycle of the root")
            let other: ProtocolConsumer = Resolver.resolve()
            Child.require(other.ids !== consumer.ids, "the cycle ended with its root")
            let own = ProtocolConsumer()
            Child.require(own.ids !== own.values, "without a root, each property is a cycle")
        }
    }

    // MARK: Members of the cycle

    private final class Pair<Element: AnyObject & Sendable>: Sendable {
        let one: Element, other: Element
        init(_ one: Element, _ other: Element) { (self.one, self.other) = (one, other) }
    }

    @Test func `only services in the graph scope are shared if the default scope is unique`() {
        let resolver = Resolver()
        resolver.defaultScope = .unique
        resolver.register { Leaf() }
        resolver.register { OtherLeaf() }.scope(.graph)
        resolver.register { r in Pair<Leaf>(r.resolve(), r.resolve()) }
        resolver.register { r in Pair<OtherLeaf>(r.resolve(), r.resolve()) }
        let without: Pair<Leaf> = resolver.resolve(), with: Pair<OtherLeaf> = resolver.resolve()
        #expect(without.one !== without.other)
        #expect(with.one === with.other)
    }

    @Test func `a unique service is not shared but its graph dependencies are`() {
        final class Branch: Sendable {
            let leaf: Leaf
            init(_ leaf: Leaf) { self.leaf = leaf }
        }
        let resolver = Resolver()
        resolver.register { Leaf() }
        resolver.register { Branch($0.resolve()) }.scope(.unique)
        resolver.register { r in Pair<Branch>(r.resolve(), r.resolve()) }
        let pair: Pair<Branch> = resolver.resolve()
        #expect(pair.one !== pair.other)
        #expect(pair.one.leaf === pair.other.leaf)
    }

    @Test func `a graph value is created for each call`() {
        struct Order: Sendable { let number: Int }
        let made = Box(0)
        let resolver = Resolver()
        resolver.register { Order(number: made.increment()) }.scope(.graph)
        resolver.register { r in [r.resolve(Order.self).number, r.resolve(Order.self).number] }
        #expect(resolver.resolve([Int].self) == [1, 2])
    }

    // MARK: Several levels

    /// The root of four levels. Each level needs the next one twice.
    private final class Trunk: Sendable {
        final class Bough: Sendable {
            let left: Twig, right: Twig
            init(_ left: Twig, _ right: Twig) { (self.left, self.right) = (left, right) }
        }
        final class OtherBough: Sendable {
            let left: OtherTwig, right: Twig
            init(_ left: OtherTwig, _ right: Twig) { (self.left, self.right) = (left, right) }
        }
        final class Twig: Sendable {
            let leaf: Counted
            init(_ leaf: Counted) { self.leaf = leaf }
        }
        final class OtherTwig: Sendable {
            let leaf: Counted
            init(_ leaf: Counted) { self.leaf = leaf }
        }
        let bough: Bough, other: OtherBough
        init(_ bough: Bough, _ other: OtherBough) { (self.bough, self.other) = (bough, other) }

        var leaves: [Counted] { [bough.left.leaf, bough.right.leaf, other.left.leaf, other.right.leaf] }
        var isOfOneCycle: Bool {
            leaves.allSatisfy { $0 === leaves[0] } && bough.left === bough.right && bough.left === other.right
        }
    }

    private static func forest(_ alive: Box<Int>, made: Box<Int>) -> Resolver {
        let resolver = Resolver()
        resolver.register { made.counting(Counted(alive)) }
        resolver.register { Trunk.Twig($0.resolve()) }
        resolver.register { Trunk.OtherTwig($0.resolve()) }
        resolver.register { Trunk.Bough($0.resolve(), $0.resolve()) }
        resolver.register { Trunk.OtherBough($0.resolve(), $0.resolve()) }
        resolver.register { Trunk($0.resolve(), $0.resolve()) }.scope(.unique)
        return resolver
    }

    @Test func `a resolution cycle covers all levels and ends with its root`() {
        let alive = Box(0), made = Box(0)
        let resolver = GraphScopeTests.forest(alive, made: made)
        let trunk: Trunk = resolver.resolve()
        #expect(trunk.isOfOneCycle)
        #expect(made.value == 1)
        let next: Trunk = resolver.resolve()
        #expect(next.isOfOneCycle)
        #expect(next.leaves[0] !== trunk.leaves[0])
        #expect(made.value == 2)
    }

    @Test func `graph instances that the result does not hold are released when the call returns`() {
        let alive = Box(0), during = Box(0)
        let resolver = Resolver()
        resolver.register { Counted(alive) }
        resolver.register { r -> Leaf in
            _ = r.resolve(Counted.self)
            during.set(alive.value)
            return Leaf()
        }
        let result: Leaf = resolver.resolve()
        #expect(during.value == 1, "the cycle holds it")
        #expect(alive.value == 0, "after the cycle there is no reference")
        #expect(resolver.existing(Leaf.self) == nil, "also not the result, though it is held")
        withExtendedLifetime(result) {}
    }

    @Test func `the resolution cycles of thirty two tasks share no instance`() async {
        let alive = Box(0), made = Box(0)
        let resolver = GraphScopeTests.forest(alive, made: made)
        let trunks = await withTaskGroup(of: Trunk.self) { group in
            for _ in 0..<32 { group.addTask { resolver.resolve() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(trunks.allSatisfy { $0.isOfOneCycle })
        #expect(Set(trunks.map { ObjectIdentifier($0.leaves[0]) }).count == 32)
        #expect(made.value == 32)
    }

    /// All resolution cycles are open at once: each thread waits in its leaf's factory for the others.
    @Test func `overlapping resolution cycles of threads share no instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let everybodyIsInside = Rendezvous(32)
            let alive = Box(0), made = Box(0)
            let resolver = GraphScopeTests.forest(alive, made: made)
            resolver.register { () -> Counted in
                made.increment()
                everybodyIsInside.arriveAndWait()
                return Counted(alive)
            }
            let trunks = Box<[Trunk]>([])
            Threads.run(32) { _ in trunks.append(resolver.resolve()) }
            Child.require(trunks.value.allSatisfy { $0.isOfOneCycle }, "each is consistent")
            Child.require(Set(trunks.value.map { ObjectIdentifier($0.leaves[0]) }).count == 32, "each has its own")
            Child.require(made.value == 32, "made \(made.value) times")
        }
    }
}

// MARK: - A view model whose services are one class

private protocol XYZFetching: AnyObject, Sendable {}
private protocol XYZUpdating: AnyObject, Sendable {}
private final class XYZCombinedService: XYZFetching, XYZUpdating {}
private final class XYZService: Sendable {}

private final class XYZViewModel: Sendable {
    let fetcher: XYZFetching, updater: XYZUpdating, service: XYZService

    init(fetcher: XYZFetching, updater: XYZUpdating, service: XYZService) {
        (self.fetcher, self.updater, self.service) = (fetcher, updater, service)
    }
}

extension Resolver {
    fileprivate static func registerXYZ(_ made: Box<Int>) {
        register { XYZViewModel(fetcher: resolve(), updater: resolve(), service: resolve()) }
        register { resolve() as XYZCombinedService as XYZFetching }
        register { resolve() as XYZCombinedService as XYZUpdating }
        register { () -> XYZCombinedService in
            made.increment()
            return XYZCombinedService()
        }
        register { XYZService() }
    }
}

// MARK: - A consumer of two protocols

private protocol IDProviding: AnyObject, Sendable {}
private protocol ValueProviding: AnyObject, Sendable {}
private final class MyService: IDProviding, ValueProviding {}

private final class ProtocolConsumer {
    @Injected var ids: IDProviding
    @Injected var values: ValueProviding
    init() {}
}
