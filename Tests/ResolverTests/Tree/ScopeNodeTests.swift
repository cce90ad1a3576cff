import Resolver
import Testing

@Suite struct ScopeNodeTests {
    final class Note: Sendable {
        let text: String, log: Box<[String]>
        init(_ text: String, _ log: Box<[String]> = Box([])) { (self.text, self.log) = (text, log) }

        deinit { log.append(text) }
    }

    @Test func `a node searches its own services, its parents and then the fallback, and no sibling`() {
        let app = Resolver(), root = ScopeNode(fallback: app)
        let parent = ScopeNode(parent: root), node = ScopeNode(parent: parent), sibling = ScopeNode(parent: parent)
        let names = ["own", "parent", "root", "app"]
        for (index, resolver) in [node.resolver, parent.resolver, root.resolver, app].enumerated() {
            for name in names[...index] { resolver.register(name: .init(name)) { Note(names[index]) } }
        }
        expect(names.map { node.resolver.resolve(Note.self, name: .init($0)).text }, is: names)
        expect(parent.resolver.resolve(Note.self, name: "own").text, is: "parent")
        expect(app.resolve(Note.self, name: "own").text, is: "app")
        sibling.resolver.register(name: "sibling") { Note("sibling") }.scope(.container)
        for one in [node, parent] { expect(one.resolver.optional(Note.self, name: "sibling"), is: nil) }
        expect(ScopeNode().resolver.optional(Note.self, name: "own"), is: nil)
    }

    @Test func `a node's services live exactly as long as the node`() {
        let log = Box<[String]>([]), root = ScopeNode()
        root.resolver.register(name: "cached") { Note("root") }
        var node: ScopeNode? = ScopeNode(parent: root)
        let resolver = node!.resolver
        resolver.register { Note("kept", log) }.scope(.container)
            .onRelease { [weak resolver] (_: Note) in resolver?.register { Note("late") } }
        resolver.register(name: "cached") { Note("cached", log) }.scope(.cached)
        for name in [nil, "cached"] as [Resolver.Name?] {
            expect(resolver.resolve(Note.self, name: name) === resolver.resolve(Note.self, name: name))
        }
        expect(node?.instanceCount, is: 2)
        expect(log.value, is: [])
        node = nil
        // The youngest instance is released first. The resolver that is left finds what the parent finds, and not what a hook has registered.
        expect(log.value, is: ["cached", "kept"])
        expect(resolver.optional(Note.self), is: nil)
        expect(resolver.resolve(Note.self, name: "cached").text, is: "root")
    }

    @Test func `a tree of nodes is released from the leaf to the root`() {
        let log = Box<[String]>([])
        var root: ScopeNode? = ScopeNode()
        var child = root.map { ScopeNode(parent: $0) }
        var leaf = child.map { ScopeNode(parent: $0) }
        // Created from the root, so that the order of creation differs from that of the tree.
        for (node, name) in [(root, "root"), (leaf, "leaf"), (child, "child")] {
            node?.resolver.register(name: "own") { Note(name, log) }.scope(.container)
            _ = node?.resolver.resolve(Note.self, name: "own")
        }
        (root, child) = (nil, nil)
        expect(log.value, is: [])
        expect(leaf?.parent?.parent?.children.count, is: 1)
        leaf = nil
        expect(log.value, is: ["leaf", "child", "root"])
    }

    @Test func `children that have ended are not listed`() {
        let root = ScopeNode(), held = ScopeNode(parent: root)
        for _ in 0..<1000 { _ = ScopeNode(parent: root) }
        let last = ScopeNode(parent: root)
        expect(root.children.map(ObjectIdentifier.init), is: [held, last].map(ObjectIdentifier.init))
    }

    final class Vault: ScopeNode {
        let log: Box<[String]>

        init(parent: ScopeNode, _ log: Box<[String]>) {
            self.log = log
            super.init(parent: parent)
            resolver.register { Note("gold", log) }.scope(.container)
        }

        deinit { log.append("Vault") }
    }

    final class Bank: ScopeNode {
        let log = Box<[String]>([])
        @ChildScope({ (bank: Bank) in Vault(parent: bank, bank.log) }, .retained) var vault

        init() {
            super.init()
            resolver.register { [log] in Note("desk", log) }.scope(.container)
        }

        deinit { log.append("Bank") }
    }

    @Test func `a retained child is released by its parent, or with it before the parent's services`() {
        let log: Box<[String]>
        weak var vault: Vault?
        do {
            let bank = Bank()
            log = bank.log
            _ = bank.resolver.resolve(Note.self)
            for released in [[], ["Vault", "gold"]] {
                expect(log.value, is: released)
                expect(bank.children.count, is: 0)
                _ = bank.vault.resolver.resolve(Note.self)
                vault = bank.vault
                expect(vault?.parent === bank)
                expect(bank.children.count, is: 1)
                if released.isEmpty { bank.$vault.release() }
            }
        }
        expect(vault, is: nil)
        expect(log.value, is: ["Vault", "gold", "Bank", "Vault", "gold", "desk"])
    }

    @Test func `a retained child that outlives its parent has no parent`() {
        var bank: Bank? = Bank()
        let vault = bank?.vault
        expect(vault?.parent === bank)
        bank = nil
        expect(vault != nil)
        expect(vault?.parent, is: nil)
        expect(vault?.resolver.resolve(Note.self).text, is: "gold")
    }

    @Test func `nodes can be created and released on several threads`() {
        final class Root: ScopeNode, @unchecked Sendable {}
        let root = Root()
        root.resolver.register { Leaf() }.scope(.container)
        let leaf: Leaf = root.resolver.resolve()
        Threads.run(8) { _ in
            for _ in 0..<Sanitizer.rounds(200) {
                let child = ScopeNode(parent: root)
                child.resolver.register { OtherLeaf() }.scope(.container)
                if child.resolver.resolve(Leaf.self) !== leaf { Issue.record("another leaf") }
                _ = child.resolver.resolve(OtherLeaf.self)
                if root.children.isEmpty { Issue.record("a child is missing") }
            }
        }
        expect(root.children.count, is: 0)
    }

    final class Station {
        let node = ScopeNode(name: "Station")
        @ChildScope({ (station: Station) in Platform(below: station) }, .retained) var platform
    }

    final class Platform {
        let node: ScopeNode
        init(below station: Station) { node = ScopeNode(parent: station.node, name: "Platform", holdsParent: false) }
    }

    @Test func `a retained scope's node need not hold its parent`() {
        let alive = Box(0)
        weak var platform: Platform?
        do {
            let station = Station()
            platform = station.platform
            station.node.resolver.register { Counted(alive) }.scope(.container)
            let counted: Counted = station.node.resolver.resolve()
            expect(platform?.node.resolver.resolve(Counted.self) === counted)
            expect(platform?.node.parent === station.node)
        }
        expect(platform, is: nil)
        expect(alive.value, is: 0)
    }

    @Test func `a singleton does not count as an instance of a node`() {
        let (first, second) = (ScopeNode(name: "first"), ScopeNode(name: "second"))
        for node in [first, second] { node.resolver.register { OtherLeaf() }.scope(.application) }
        _ = first.resolver.resolve(OtherLeaf.self)
        for node in [first, second] {
            expect(node.dependencyReport, is: "ResolverTests.OtherLeaf from \(node.name)")
            expect(node.instanceCount, is: 0)
        }
    }

    typealias User = Holder<Note>

    final class Bottom: ScopeNode, @unchecked Sendable {}

    /// Returns a node with a note, one below it, and one below that with the user of a note.
    private func nodes() -> (top: ScopeNode, middle: ScopeNode, bottom: ScopeNode) {
        let top = ScopeNode(name: "Top"), middle = ScopeNode(parent: top), bottom = Bottom(parent: middle)
        top.resolver.register { Note("top") }.scope(.container)
        bottom.resolver.register { User($0.resolve()) }.scope(.container)
        return (top, middle, bottom)
    }

    /// As documented, the node that asks first provides the dependencies of a cached service.
    @Test func `a node overrides a service for itself, its children and what it asks for first`() {
        let (top, middle, bottom) = nodes()
        middle.resolver.register { Note("middle") }.scope(.container)
        expect(bottom.resolver.resolve(User.self).part.text, is: "middle")
        expect(top.resolver.resolve(Note.self).text, is: "top")
        top.resolver.register(name: "kept") { User($0.resolve()) }.scope(.container)
        for node in [middle, top] { expect(node.resolver.resolve(User.self, name: "kept").part.text, is: "middle") }
    }

    @Test func `the dependency report lists each service and its provider`() throws {
        let (top, _, bottom) = nodes()
        top.resolver.register { Leaf() }
        top.resolver.register(name: "old") { Leaf() }
        bottom.resolver.register { Leaf() }.scope(.container)
        _ = bottom.resolver.resolve(User.self)
        try expectGolden(bottom.dependencyReport, "dependency-report")
    }
}
