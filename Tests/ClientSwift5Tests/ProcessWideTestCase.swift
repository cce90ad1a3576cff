import Resolver
import XCTest

/// A test of process-wide state. It starts with an empty `main` that is also `root`, and restores everything.
///
/// The process's initial registrations have run before the first test.
///
/// XCTest runs one test after the other, so no other test sees the changes.
class ProcessWideTestCase: XCTestCase {
    private var before: (main: Resolver, root: Resolver, defaultScope: ResolverScope)!

    override func setUp() {
        super.setUp()
        Resolver.registerServices?()
        before = (Resolver.main, Resolver.root, Resolver.defaultScope)
        Resolver.main = Resolver()
        Resolver.root = Resolver.main
    }

    override func tearDown() {
        Resolver.decorate = nil
        (Resolver.main, Resolver.root, Resolver.defaultScope) = before
        super.tearDown()
    }
}
