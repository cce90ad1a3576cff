import Dispatch
import Resolver
import XCTest

/// Corrections of 1.5.1: each test fails there.
class CorrectionTests: XCTestCase {
    let resolver = Resolver()

    func testANewRegistrationReplacesWhatTheOldOneKept() {
        for scope in [ResolverScope.application, .cached, .container, .shared, ResolverScopeCache()] {
            resolver.register { Page("old") }.scope(scope)
            let old: Page = resolver.resolve()
            resolver.register { Page("new") }.scope(scope)
            XCTAssertEqual(resolver.resolve(Page.self).label, "new")
            withExtendedLifetime(old) {}
        }
    }

    func testANewRegistrationReleasesTheOldInstanceAtOnce() {
        resolver.register { Leaf() }.scope(.cached)
        weak let old = resolver.resolve(Leaf.self)
        XCTAssertNotNil(old)
        resolver.register { Leaf() }.scope(.cached)
        XCTAssertNil(old)
    }

    func testANamedServiceIsFoundBehindItsProtocol() {
        resolver.register(name: .fred) { Page("fred") }.implements(Labelled.self, name: .fred).scope(.cached)
        let page: Page = resolver.resolve(name: .fred)
        XCTAssertTrue(resolver.resolve(Labelled.self, name: .fred) as? Page === page)
    }

    func testAFactoryThatReturnsNilIsNilBehindItsProtocolToo() {
        resolver.register(Page.self) { nil }.implements(Labelled.self)
        XCTAssertNil(resolver.optional(Labelled.self))
    }

    func testACycleBeginsAtTheOutermostCallWhateverItsScope() {
        resolver.register { Leaf() }
        resolver.register { Branch($0.resolve()) }
        for scope in [ResolverScope.unique, .cached, .shared, .application, .container] {
            resolver.register { r in Tree(r.resolve(), r.resolve()) }.scope(scope)
            let tree: Tree = resolver.resolve()
            XCTAssertTrue(tree.leaf === tree.branch.leaf)
        }
    }

    /// Two corrections: a factory runs without a lock, and the second thread has its own resolution cycle.
    func testAFactoryMayWaitForAnotherThreadWhichHasItsOwnCycle() {
        class Outcome {
            var first: Leaf?
            var second: Leaf?
            var wasReached = false
        }
        resolver.register { Leaf() }
        resolver.register { r -> Outcome in
            let outcome = Outcome()
            outcome.first = r.optional()
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                outcome.second = r.optional()
                done.signal()
            }
            outcome.wasReached = done.wait(timeout: .now() + 600) == .success
            return outcome
        }
        let outcome: Outcome = resolver.resolve()
        XCTAssertTrue(outcome.wasReached)
        XCTAssertNotNil(outcome.second)
        XCTAssertFalse(outcome.first === outcome.second)
    }

    func testTheContainerScopeBelongsToTheContainerThatRegistered() {
        let child = Resolver()
        child.register { Leaf() }.scope(.container)
        let first = Resolver(child: child)
        let second = Resolver(child: child)
        let leaf: Leaf = first.resolve()
        XCTAssertTrue(leaf === second.resolve(Leaf.self))
        first.cache.reset()
        XCTAssertTrue(leaf === child.resolve(Leaf.self))
        child.cache.reset()
        XCTAssertFalse(leaf === first.resolve(Leaf.self))
    }

    func testASingletonBelongsToItsDefinition() {
        func define(on resolver: Resolver) {
            resolver.register { Leaf() }.scope(.application)
        }
        let other = Resolver()
        let third = Resolver()
        define(on: resolver)
        define(on: other)
        third.register { Leaf() }.scope(.application)
        let leaf: Leaf = resolver.resolve()
        XCTAssertTrue(leaf === other.resolve(Leaf.self))
        XCTAssertFalse(leaf === third.resolve(Leaf.self))
    }

    func testRegisteringASingletonAgainByTheSameLineRenewsIt() {
        func define() {
            resolver.register { Leaf() }.scope(.application)
        }
        define()
        let leaf: Leaf = resolver.resolve()
        define()
        XCTAssertFalse(leaf === resolver.resolve(Leaf.self))
    }

    func testTwoContainersKeepTwoInstances() {
        for scope in [ResolverScope.cached, .shared, .session] {
            let other = Resolver()
            for each in [resolver, other] { each.register { Leaf() }.scope(scope) }
            let leaf: Leaf = resolver.resolve()
            let otherLeaf: Leaf = other.resolve()
            XCTAssertFalse(leaf === otherLeaf)
            scope.reset()
            XCTAssertFalse(leaf === resolver.resolve(Leaf.self))
            XCTAssertFalse(otherLeaf === other.resolve(Leaf.self))
        }
    }

    func testAContainerTakesItsInstancesAlong() {
        for scope in [ResolverScope.cached, .container, .session] {
            var ending: Resolver? = Resolver()
            ending?.register { Leaf() }.scope(scope)
            weak let leaf = ending?.resolve(Leaf.self)
            XCTAssertNotNil(leaf)
            ending = nil
            XCTAssertNil(leaf)
        }
    }

    func testAReleasedLazyServiceIsResolvedAgain() {
        let lazy = Resolver()
        lazy.register { Leaf() }
        var wrapper = LazyInjected<Leaf>(container: lazy)
        let first = wrapper.wrappedValue
        wrapper.release()
        XCTAssertTrue(wrapper.isEmpty)
        XCTAssertFalse(first === wrapper.wrappedValue)
    }

    func testAnOptionalServiceOfAContainerComesFromThatContainerOnly() {
        Resolver.root.register { RootOnly() }
        let wrapper = OptionalInjected<RootOnly>(container: resolver)
        XCTAssertNil(wrapper.wrappedValue)
        XCTAssertNotNil(OptionalInjected<RootOnly>().wrappedValue)
    }

    private class RootOnly {}

    func testContainersMayStandInACircle() {
        let other = Resolver(child: resolver)
        resolver.add(child: other)
        other.register { Leaf() }
        XCTAssertNotNil(resolver.optional(Leaf.self))
        XCTAssertNil(resolver.optional(Page.self))
    }

    func testACircularDependencyIsAnErrorWithItsPath() {
        resolver.register(name: .fred) { r in try Branch(r.tryResolve()) }
        resolver.register { r -> Leaf in
            _ = try r.tryResolve(Branch.self, name: .fred)
            return Leaf()
        }
        XCTAssertThrowsError(try resolver.tryResolve(Branch.self, name: .fred)) { error in
            let error = error as? ResolutionError
            XCTAssertEqual(error?.code, .circularDependency)
            XCTAssertEqual(error?.path.map(\.name), ["Fred", nil, "Fred"])
        }
    }
}
