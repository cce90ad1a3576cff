import Resolver
import XCTest

/// A tree of scopes of an app that was written for its own `Weak`: it compiles unchanged.
class OwnWeakTests: XCTestCase {
    final class RailwayScope: PlatformScope.Parent {
        lazy var timetable = Timetable()
        lazy var platformScope: Weak<PlatformScope> = Weak({ PlatformScope(parent: self) })
    }

    final class Timetable {}

    class PlatformScope {
        private let parent: Parent
        init(parent: Parent) { self.parent = parent }

        lazy var timetable: Timetable = parent.timetable
        lazy var signScope: Weak<SignScope> = Weak({ SignScope(parent: self) })
    }

    final class SignScope {
        private let parent: Parent
        init(parent: Parent) { self.parent = parent }
    }

    func testChildrenAreMadeOnceWhileTheyAreHeld() {
        let railway = RailwayScope(), platform = railway.platformScope.value
        XCTAssertTrue(railway.platformScope.value === platform)
        XCTAssertTrue(platform.timetable === railway.timetable)
        weak var sign = platform.signScope.value
        XCTAssertNil(sign)
        sign = nil
    }
}

extension OwnWeakTests.PlatformScope: OwnWeakTests.SignScope.Parent {
    protocol Parent { var timetable: OwnWeakTests.Timetable { get } }
}

extension OwnWeakTests.SignScope {
    /// The contract is empty, and the parent still has to conform to it.
    protocol Parent {}
}
