import Resolver
import Testing

/// Services of a tree of nodes: their dependencies, overrides and reports.
@Suite struct ScopeNodeServiceTests {
    typealias Note = ScopeNodeTests.Note
    typealias User = Holder<Note>

    final class Top: ScopeNode, @unchecked Sendable {
        @ChildScope({ Middle(parent: $0 as Top) }) var middle: Middle

        init() {
            super.init()
            resolver.register { Note("top") }.scope(.container)
        }
    }

    final class Middle: ScopeNode, @unchecked Sendable {
        @ChildScope({ Bottom(parent: $0 as Middle) }) var bottom: Bottom
        init(parent: ScopeNode) { super.init(parent: parent) }
    }

    final class Bottom: ScopeNode, @unchecked Sendable {
        init(parent: ScopeNode) {
            super.init(parent: parent)
            resolver.register { User($0.resolve()) }.scope(.container)
        }

        var user: User { resolver.resolve() }
    }

    private let top = Top()

    /// As documented, the node that asks first provides the dependencies of a cached service.
    @Test func `a node overrides a service for itself, its children and what it asks for first`() {
        let middle = top.middle
        middle.resolver.register { Note("middle") }.scope(.container)
        #expect(middle.bottom.user.part.text == "middle")
        #expect(top.resolver.resolve(Note.self).text == "top")
        top.resolver.register(name: "kept") { User($0.resolve()) }.scope(.container)
        for node in [middle, top] { #expect(node.resolver.resolve(User.self, name: "kept").part.text == "middle") }
    }

    @Test func `the dependency report lists each service and its provider`() {
        top.resolver.register { Leaf() }
        top.resolver.register(name: "old") { Leaf() }
        let bottom = top.middle.bottom
        bottom.resolver.register { Leaf() }.scope(.container)
        _ = bottom.user
        #expect(
            bottom.dependencyReport == """
                ResolverTests.Holder<ResolverTests.ScopeNodeTests.Note> from Bottom, kept
                ResolverTests.Leaf from Bottom
                ResolverTests.Leaf:old from Top
                ResolverTests.ScopeNodeTests.Note from Top, kept
                """)
    }
}
