import Resolver
import XCTest

/// `main`, `root`, `defaultScope`, `decorate`, `reset` and the code that reads them.
class MainAndRootTests: ProcessWideTestCase {
    class Screen: Resolving { lazy var page: Page = resolver.resolve() }

    func testResolvingReadsRootAnewEachTime() {
        let screen = Screen()
        XCTAssertTrue(screen.resolver === Resolver.root)
        Resolver.root = Resolver()
        XCTAssertTrue(screen.resolver === Resolver.root)
    }

    func testResolvingCanNameAnotherResolver() {
        class CustomScreen: Resolving { let resolver = Resolver() }
        let screen = CustomScreen(), resolving: Resolving = screen
        XCTAssertTrue(resolving.resolver === screen.resolver)
    }

    func testDecorateSeesAndSetsUpAServiceBehindAProtocolTwiceAtEachCall() {
        let journal = Journal()
        Resolver.decorate = {
            journal.entries.append("\(type(of: $0))")
            ($0 as? Page)?.count = 3
        }
        for scope in [ResolverScope.graph, ResolverScope.cached] {
            let resolver = Resolver()
            resolver.register { Page() }.implements(Labelled.self).scope(scope)
            for _ in 0..<3 {
                journal.entries = []
                XCTAssertEqual((resolver.resolve(Labelled.self) as? Page)?.count, 3)
                XCTAssertEqual(journal.entries, ["Page", "Page"])
            }
        }
    }

    /// Swift 6 requires that closures capture `Sendable` objects.
    func testFactoriesMayCaptureObjectsThatAreNotSendable() {
        let journal = Journal()
        Resolver.register { () -> Page in
            journal.entries.append("making")
            return Page()
        }.resolveProperties { _, _ in journal.entries.append("completing") }
        Resolver.register { r in (r.resolve(), Stamp(), Stamp()) as (Page, Stamp, Stamp) }
        let made = Resolver.resolve((Page, Stamp, Stamp).self)
        XCTAssertEqual(journal.entries, ["making", "completing"])
        XCTAssertNotEqual(made.1, made.2)
    }

    func testResetEmptiesTheThreeScopesOfTheProcess() {
        let resolver = Resolver()
        let names: [Resolver.Name] = ["application", "cached", "shared"]
        for (name, scope) in zip(names, [ResolverScope.application, .cached, .shared]) {
            resolver.register(name: name) { Leaf() }.scope(scope)
        }
        let before = names.map { resolver.resolve(Leaf.self, name: $0) }
        Resolver.reset()
        let after = names.map { resolver.resolve(Leaf.self, name: $0) }
        for (old, new) in zip(before, after) { XCTAssertFalse(old === new) }
    }

    func testResetLeavesDefaultScopeDecorateAndContainersAlone() {
        let journal = Journal(), resolver = Resolver()
        resolver.register { Leaf() }.scope(.container)
        let leaf: Leaf = resolver.resolve()
        Resolver.defaultScope = .unique
        Resolver.decorate = { _ in journal.entries.append("decorated") }
        Resolver.reset()
        XCTAssertTrue(Resolver.defaultScope === ResolverScope.unique)
        XCTAssertNotNil(Resolver.decorate)
        XCTAssertTrue(leaf === resolver.resolve(Leaf.self))
        XCTAssertEqual(journal.entries.last, "decorated")
    }

    func testADerivedContainerStaysWithTheMainItWasMadeWith() {
        Resolver.register { Page("old") }
        let mock = Resolver(child: .main)
        Resolver.reset()
        XCTAssertEqual(mock.resolve(Page.self).label, "old")
    }

    func testRegisterServicesMayBeCalledInBothSpellingsAtAnyTime() {
        Resolver.register { Page("mine") }
        Resolver.registerServices?()
        Resolver.main.registerServices()
        XCTAssertEqual(Resolver.resolve(Page.self).label, "mine")
    }
}
