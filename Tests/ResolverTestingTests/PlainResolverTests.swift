import Resolver
import ResolverTesting
import Testing

/// Additional resolvers that a test creates, as tests for 1.5.1 do, belong to the test.
@Suite(.resolver) struct PlainResolverTests {
    private final class Service: Sendable {}

    /// Like `.cached`, `.application` and `.shared`, which other tests of the process use.
    private static let scopes: [ResolverScope] = [
        ResolverScopeCache(), ResolverScopeCache(sharing: .definition), ResolverScopeShare(),
    ]

    /// - Parameter replacesMain: whether the resolver replaces main, or is a child of main that is the root.
    @Test(arguments: scopes, [false, true])
    func `a reset by the process does not reach a test's resolver`(_ scope: ResolverScope, _ replacesMain: Bool) async {
        let resolver = replacesMain ? Resolver() : Resolver(child: .main)
        if replacesMain { Resolver.main = resolver } else { Resolver.root = resolver }
        resolver.register { Service() }.scope(scope)
        let service: Service = resolver.resolve()
        await Threads.result { scope.reset() }
        expect(resolver.existing(Service.self) === service)
        scope.reset()
        expect(resolver.existing(Service.self), is: nil)
    }

    @Test func `run on a resolver created under another root makes a thread belong to the test`() async {
        let main = Resolver.main
        ScopeContext.shared.setCurrent(.session, id: "mine")
        let outer = Resolver(child: .main)
        let inner = Resolver.withRoot(outer) { Resolver(child: .main) }
        let onAThread = await Threads.result { outer.run { Resolver(child: .main) } }
        for resolver in [outer, inner, onAThread] {
            let isOfTest = await Threads.result {
                resolver.run {
                    Resolver.main === main && Resolver.root === resolver
                        && ScopeContext.shared.currentID(for: .session) == "mine"
                }
            }
            expect(isOfTest)
        }
    }

    @Test func `a nested test inherits the default scope of main`() {
        Resolver.main.defaultScope = .unique
        expect(Resolver.withTestResolver { Resolver.main.defaultScope === ResolverScope.unique })
    }

    @Test func `a message does not name the resolvers of other tests`() async {
        Resolver.register(name: "searched for") { Service() }
        let text = await Threads.result {
            Resolver.withTestResolver {
                do {
                    return "\(try Resolver.tryResolve(Service.self, name: "searched for"))"
                } catch {
                    return "\(error)"
                }
            }
        }
        expect(!text.contains("which this resolver does not search"), "\(text)")
    }
}
