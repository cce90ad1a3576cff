import Resolver
import Testing

extension ResolverScope {
    fileprivate static let session = ResolverScopeCache()
}

/// Modifiers of the lifetime, as an app writes them.
@Suite struct LifetimeModifierTests {
    private final class AuthenticatedUser: Sendable {}

    @Test func `each use extends a time to live of twenty minutes`() {
        let minutes = Box(0.0)
        let resolver = Resolver()
        resolver.clock = ResolverClock { minutes.value * 60 }
        resolver.register { AuthenticatedUser() }
            .scope(.session)
            .timeToLive(60 * 20)  // (60 seconds * 20) = 20 minutes
        let user: AuthenticatedUser = resolver.resolve()
        for moment in [19.0, 38, 57] {
            minutes.set(moment)
            #expect(resolver.resolve(AuthenticatedUser.self) === user)
        }
        minutes.set(77)
        let next: AuthenticatedUser = resolver.resolve()
        #expect(next !== user)
        #expect(resolver.resolve(AuthenticatedUser.self) === next)
    }

    private final class ParameterService: Sendable {
        let value: Int
        init(value: Int) { self.value = value }
    }

    @Test func `a cached service keeps the first argument without scopeOnArguments`() {
        let first = Resolver(), each = Resolver()
        first.register { _, args in ParameterService(value: args()) }.scope(.cached)
        each.register { _, args in ParameterService(value: args()) }.scopeOnArguments(Int.self).scope(.cached)
        func values(_ resolver: Resolver) -> [Int] {
            [1, 2, 1].map { resolver.resolve(ParameterService.self, args: $0).value }
        }
        #expect(values(first) == [1, 1, 1])
        #expect(values(each) == [1, 2, 1])
        #expect(each.resolve(ParameterService.self, args: 2) === each.resolve(ParameterService.self, args: 2))
        #expect(each.resolve(ParameterService.self, args: 1) !== each.resolve(ParameterService.self, args: 2))
    }
}
