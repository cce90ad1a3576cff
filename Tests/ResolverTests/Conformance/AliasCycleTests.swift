import Resolver
import Testing

/// An alias refers to a service and creates nothing, so it may occur twice on a path.
@Suite struct AliasCycleTests {
    private protocol ParentRole: AnyObject {}
    private protocol ChildRole: AnyObject {}
    private final class Parent: ParentRole, Plain { var child: (any ChildRole)? }
    private final class Child: ChildRole, Plain { weak var parent: (any ParentRole)? }

    @Test(arguments: [ResolverScope.graph, .cached, .shared, .container, .application, ResolverScopeCache()])
    func `services that refer to each other are one object by protocol and by class`(_ scope: ResolverScope) throws {
        let main = Resolver()
        main.register { Parent() }.implements(ParentRole.self).scope(scope)
            .resolveProperties { r, parent in parent.child = try r.tryResolve((any ChildRole).self) }
        main.register { Child() }.implements(ChildRole.self).scope(scope)
            .resolveProperties { r, child in child.parent = try r.tryResolve((any ParentRole).self) }
        let isolating = Resolver(isolating: main)
        for resolver in [main, isolating, Resolver(child: isolating)] {
            let byRole: ParentRole = try resolver.tryResolve()
            let parent = try #require(byRole as? Parent)
            #expect((parent.child as? Child)?.parent === parent)
            let byClass: Parent = try resolver.tryResolve()
            #expect((byClass.child as? Child)?.parent === byClass)
        }
    }

    @Test func `the path of a dependency cycle includes aliases and their services`() throws {
        let resolver = Resolver()
        resolver.register { r in Parent(after: try r.tryResolve(ChildRole.self)) }.implements(ParentRole.self)
        resolver.register { r in Child(after: try r.tryResolve(ParentRole.self)) }.implements(ChildRole.self)
        let error = try #require(throws: ResolutionError.self) { try resolver.tryResolve(ParentRole.self) }
        #expect(error.code == .circularDependency)
        let names = error.path.map { $0.service.split(separator: ".").last ?? "" }
        #expect(names == ["Parent", "ChildRole", "Child", "ParentRole", "Parent"])
    }

    @Test func `an alias of itself is a dependency cycle`() {
        let resolver = Resolver()
        resolver.register { Player() as Role }.implements(Role.self)
        #expect(resolver.failure(Role.self)?.code == .circularDependency)
        #expect(resolver.existing(Role.self) == nil)
    }

    @Test func `a graph instance is shared through a child that is an isolating resolver`() {
        let main = Resolver()
        main.register { Player() }.implements(Role.self)
        let front = Resolver(child: Resolver(isolating: main))
        front.register { r -> Leaf in
            let player = r.resolve(Player.self)
            #expect(r.resolve(Role.self) === player)
            #expect(r.existing(Player.self) === player)
            return Leaf()
        }
        _ = front.resolve(Leaf.self)
    }
}
