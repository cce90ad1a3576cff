import Resolver
import Testing

@Suite struct LifetimeTests {
    @Test func `a hundred instances of one resolution cycle are all shared`() {
        let resolver = Resolver()
        for index in 0..<100 { resolver.register(name: .init("\(index)")) { Leaf() } }
        resolver.register { r -> [ObjectIdentifier] in
            (0..<200).map { ObjectIdentifier(r.resolve(Leaf.self, name: .init("\($0 % 100)"))) }
        }
        let all: [ObjectIdentifier] = resolver.resolve()
        expect(Array(all[..<100]), is: Array(all[100...]))
        expect(Set(all).count, is: 100)
    }

    private final class ClassError: Error {}
    private struct StructError: Error {}
    private actor Clerk {}
    private protocol ForClasses: AnyObject {}
    private protocol ForAll {}
    private protocol WithElement<Element> { associatedtype Element }
    private final class Thing: ForClasses, ForAll, WithElement { typealias Element = Int }
    private struct Value: ForAll, WithElement { typealias Element = Int }

    /// Returns whether two calls in one resolution cycle return one instance of this type, which the cycle holds.
    private func isShared<Service>(_ scope: ResolverScope, _ make: @escaping @Sendable () -> Service) -> Bool {
        let resolver = Resolver(), made = Box(0)
        resolver.register(Service.self) { made.counting(make()) }.scope(scope)
        resolver.register { r in Leaf(after: (r.resolve(Service.self), r.resolve(Service.self))) }
        _ = resolver.resolve(Leaf.self)
        return made.value == 1
    }

    @Test(arguments: [ResolverScope.graph, .shared])
    func `the graph and shared scopes share objects of any static type and no values`(_ scope: ResolverScope) {
        expect(isShared(scope) { Thing() })
        expect(isShared(scope) { Thing() as any ForClasses })
        expect(isShared(scope) { Thing() as any ForAll })
        expect(isShared(scope) { Thing() as any ForAll & ForClasses })
        expect(isShared(scope) { Thing() as any WithElement<Int> })
        expect(isShared(scope) { Thing() as AnyObject })
        expect(isShared(scope) { Clerk() })
        expect(isShared(scope) { Thing() as Any })
        let isGraph = scope === ResolverScope.graph
        expect(isShared(scope) { ClassError() as any Error }, is: isGraph, "to the shared scope an error is a value")
        expect(!isShared(scope) { Value() })
        expect(!isShared(scope) { Value() as Value? })
        expect(!isShared(scope) { Value() as any ForAll })
        expect(!isShared(scope) { Value() as any WithElement<Int> })
        expect(!isShared(scope) { Value() as Any })
        expect(!isShared(scope) { StructError() as any Error })
        expect(!isShared(scope) { [Thing()] })
        expect(!isShared(scope) { (Thing(), 1, 2, 3, 4, 5, 6) })
        expect(!isShared(scope) { { 1 } as @Sendable () -> Int })
        expect(!isShared(scope) { Thing.self as AnyClass })
    }
}
