import Resolver
import XCTest

/// A test of what exists once in a process. It starts with an empty `main` that is also `root`, and puts everything back.
///
/// What the process registers at its start is registered by then, whichever test comes first.
///
/// XCTest runs one test after the other, so nobody else sees the changes.
class ProcessWideTestCase: XCTestCase {
    private var main: Resolver!
    private var root: Resolver!
    private var defaultScope: ResolverScope!

    override func setUp() {
        super.setUp()
        Resolver.registerServices?()
        main = Resolver.main
        root = Resolver.root
        defaultScope = Resolver.defaultScope
        Resolver.main = Resolver()
        Resolver.root = Resolver.main
    }

    override func tearDown() {
        Resolver.decorate = nil
        Resolver.defaultScope = defaultScope
        Resolver.main = main
        Resolver.root = root
        super.tearDown()
    }
}
