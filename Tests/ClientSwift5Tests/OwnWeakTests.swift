import Resolver
import XCTest

/// A tree of scopes of an app that was written for its own `Weak`: it compiles unchanged.
class OwnWeakTests: XCTestCase {
    final class RailwayScope: PlatformScope.Parent, KioskScope.Parent {
        lazy var timetable = Timetable()
        lazy var tariff = 3

        lazy var platformScope: Weak<PlatformScope> = Weak({ PlatformScope(parent: self) })
        lazy var kioskScope: Weak<KioskScope> = Weak({ KioskScope(parent: self) })
    }

    final class Timetable { var trains = ["7:04"] }

    class PlatformScope {
        private let parent: Parent
        init(parent: Parent) { self.parent = parent }

        lazy var timetable: Timetable = parent.timetable
        lazy var announcements: [String] = []
        lazy var signScope: Weak<SignScope> = Weak({ SignScope(parent: self) })
    }

    final class KioskScope {
        private let parent: Parent
        init(parent: Parent) { self.parent = parent }

        var price: Int { parent.tariff * 100 }
    }

    final class SignScope {
        private let parent: Parent
        init(parent: Parent) { self.parent = parent }
    }

    class MockPlatformScope: PlatformScope {
        init() {
            super.init(parent: MockParent())
            self.announcements = ["The train is late."]
        }
    }

    func testChildrenAreMadeOnceWhileTheyAreHeld() {
        let railway = RailwayScope(), platform = railway.platformScope.value
        XCTAssertTrue(railway.platformScope.value === platform)
        XCTAssertTrue(platform.timetable === railway.timetable)
        weak var sign = platform.signScope.value
        XCTAssertNil(sign)
        sign = nil
    }

    func testAForwardedPropertyFollowsTheParent() {
        let railway = RailwayScope(), kiosk = railway.kioskScope.value
        XCTAssertEqual(kiosk.price, 300)
        railway.tariff = 4
        XCTAssertEqual(kiosk.price, 400)
    }

    func testScopesAreMockedFromBothSides() {
        XCTAssertEqual(PlatformScope.mock.timetable.trains, ["never"])
        XCTAssertEqual(MockPlatformScope().announcements.count, 1)
    }
}

extension OwnWeakTests.PlatformScope: OwnWeakTests.SignScope.Parent {
    protocol Parent { var timetable: OwnWeakTests.Timetable { get } }

    fileprivate class MockParent: Parent {
        var timetable = OwnWeakTests.Timetable()
        init() { timetable.trains = ["never"] }
    }

    static let mock = OwnWeakTests.PlatformScope(parent: MockParent())
}

extension OwnWeakTests.KioskScope { protocol Parent { var tariff: Int { get } } }

extension OwnWeakTests.SignScope {
    /// The contract is empty, and the parent still has to conform to it.
    protocol Parent {}
}
