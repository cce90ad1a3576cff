import Resolver
import XCTest

/// How each scope treats values: scopes that retain instances cache values too, the others create each value anew.
class ScopeValueTests: XCTestCase {
    var resolver: Resolver!

    struct Envelope {
        let first: Stamp
        let second: Stamp
    }

    override func setUp() {
        super.setUp()
        resolver = Resolver()
        resolver.register { r in Envelope(first: r.resolve(), second: r.resolve()) }
    }

    private func stamp() -> Stamp { resolver.resolve() }

    func testGraphMakesEachValueAnew() {
        resolver.register { Stamp() }.scope(.graph)
        let envelope: Envelope = resolver.resolve()
        XCTAssertNotEqual(envelope.first, envelope.second)
    }

    func testUniqueMakesEachValueAnew() {
        resolver.register { Stamp() }.scope(.unique)
        XCTAssertNotEqual(stamp(), stamp())
    }

    func testSharedMakesEachValueAnew() {
        resolver.register { Stamp() }.scope(.shared)
        XCTAssertNotEqual(stamp(), stamp())
    }

    func testApplicationKeepsTheValue() {
        resolver.register { Stamp() }.scope(.application)
        XCTAssertEqual(stamp(), stamp())
    }

    func testCachedKeepsTheValueUntilItIsReset() {
        resolver.register { Stamp() }.scope(.cached)
        let first = stamp()
        XCTAssertEqual(first, stamp())
        ResolverScope.cached.reset()
        XCTAssertNotEqual(first, stamp())
    }

    func testContainerKeepsTheValueUntilTheCacheIsReset() {
        resolver.register { Stamp() }.scope(.container)
        let first = stamp()
        XCTAssertEqual(first, stamp())
        resolver.cache.reset()
        XCTAssertNotEqual(first, stamp())
    }

    func testAValueBehindAProtocolIsKeptToo() {
        resolver.register { Sign(label: "\(Stamp().number)") as Labelled }.scope(.cached)
        let label = resolver.resolve(Labelled.self).label
        XCTAssertEqual(resolver.resolve(Labelled.self).label, label)
    }
}
