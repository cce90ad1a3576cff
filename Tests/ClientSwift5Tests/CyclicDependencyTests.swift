import Resolver
import XCTest

class CyclicDependencyTests: ProcessWideTestCase {
    class Owner { var part: Part? }

    class Part {
        weak var owner: Owner?
        var detail: Detail?
    }

    class Detail {
        weak var owner: Owner?
        weak var part: Part?
    }

    func testMembersOfOneCycleMeetOverSeveralSteps() {
        Resolver.register { Owner() }.resolveProperties { (r, owner) in owner.part = r.optional() }
        Resolver.register { Part() }.resolveProperties { (r, part) in
            part.owner = r.optional()
            part.detail = r.optional()
        }
        Resolver.register { Detail() }.resolveProperties { (r, detail) in
            detail.owner = r.optional()
            detail.part = r.optional()
        }
        let owner: Owner = Resolver.resolve()
        XCTAssertTrue(owner.part?.owner === owner)
        XCTAssertTrue(owner.part?.detail?.owner === owner)
        XCTAssertTrue(owner.part?.detail?.part === owner.part)
    }

    class Parent { @LazyInjected var child: Child }

    class Child { @WeakLazyInjected var parent: Parent? }

    func testALazyChildFindsItsSharedParentWeakly() {
        Resolver.register { Parent() }.scope(.shared)
        Resolver.register { Child() }.scope(.shared)
        var parent: Parent? = Resolver.resolve(Parent.self)
        let child = parent?.child
        XCTAssertNotNil(child)
        XCTAssertTrue(child?.parent === parent)
        parent = nil
        XCTAssertNil(child?.parent)
    }
}
