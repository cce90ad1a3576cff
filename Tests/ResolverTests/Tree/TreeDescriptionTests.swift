import Resolver
import Testing

@Suite struct TreeDescriptionTests {
    final class Library: ScopeNode {
        @ChildScope({ Hall(library: $0 as Library) }) var hall: Hall
        @ChildScope({ (library: Library) in ScopeNode(parent: library, name: "Archive") }, .retained) var archive
        lazy var desk: Weak<Desk> = Weak(of: self) { Desk($0) }

        init() { super.init(name: "Library") }
    }

    final class Hall: ScopeNode { init(library: Library) { super.init(parent: library) } }

    /// A plain class, below a node and above another plain class.
    final class Desk {
        let library: Library
        @ChildScope({ Drawer($0 as Desk) }) var drawer: Drawer
        let spare = Weak { Leaf() }

        init(_ library: Library) { self.library = library }
    }

    final class Drawer {
        let desk: Desk
        init(_ desk: Desk) { self.desk = desk }
    }

    final class Studio: ScopeNode {
        @ChildScope({ (studio: Studio) in Booth(studio) }, .retained) var booth
    }

    final class Booth: ScopeNode {
        unowned let studio: Studio
        let spare = Weak { Leaf() }

        init(_ studio: Studio) {
            self.studio = studio
            super.init(parent: studio)
        }
    }

    @Test func `a retained node whose parent has ended is described without its properties`() async {
        await #expect(processExitsWith: .success) {
            var studio: Studio? = Studio()
            let booth = studio!.booth
            expect(booth.treeDescription, is: "Booth, live, 0 instances\n  spare: Leaf, idle")
            studio = nil
            expect(booth.treeDescription, is: "Booth, live, 0 instances")
        }
    }

    @Test func `a tree may be deeper than the stack`() async {
        await #expect(processExitsWith: .success) {
            RunningThread(stackSize: 256 * 1024) {
                let nodes = sequence(first: ScopeNode(name: "node")) { ScopeNode(parent: $0, name: "node") }
                    .prefix(3000).map { $0 }
                let lines = nodes[0].treeDescription.utf8.count { $0 == UInt8(ascii: "\n") }
                Child.require(lines == nodes.count - 1, "\(lines)")
                withExtendedLifetime(nodes) {}
            }.join()
        }
    }

    @Test func `a tree description shows live scopes and instance counts, and creates no child`() throws {
        let library = Library()
        for _ in 1...2 { try expectGolden(library.treeDescription, "tree-idle") }
        library.resolver.register { Leaf() }.scope(.container)
        library.resolver.register { OtherLeaf() }.scope(.container)
        library.resolver.register(name: "unique") { Leaf() }.scope(.unique)
        _ = (library.resolver.resolve(Leaf.self), library.resolver.resolve(Leaf.self, name: "unique"))
        library.archive.resolver.register { Leaf() }.scope(.container)
        _ = library.archive.resolver.resolve(Leaf.self)
        let drawer = library.desk.value.drawer, byHand = ScopeNode(parent: library, name: "by hand")
        try expectGolden(library.treeDescription, "tree-live")
        withExtendedLifetime((drawer, byHand)) {}
    }

    @Test func `the children of a superclass are listed first`() {
        final class Wing: Base { let south = Weak { OtherLeaf() } }
        class Base { let north = Weak { Leaf() } }
        let lines = ["Wing, live", "  north: Leaf, idle", "  south: OtherLeaf, idle"]
        expect(ScopeNode.treeDescription(of: Wing()).split(separator: "\n").map(String.init), is: lines)
    }

    final class Knot { lazy var next = Weak(of: self) { $0 } }

    @Test func `a scope that is its own child is described once`() {
        let knot = Knot()
        expect(knot.next.value === knot)
        expect(ScopeNode.treeDescription(of: knot), is: "Knot, live")
    }
}
