import Resolver
import Testing

@globalActor private actor Vault { static let shared = Vault() }
@globalActor private actor Annex { static let shared = Annex() }

/// A service that moves to another actor during an asynchronous call.
@Suite struct AsyncActorChangeTests {
    /// Runs a closure after its first call.
    private final class Moving: ResolverScope, @unchecked Sendable {
        private let move: Box<(@Sendable () -> Void)?>

        init(_ move: @escaping @Sendable () -> Void) {
            self.move = Box(move)
            super.init()
        }

        override func resolve<Service>(
            registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
        ) -> Service? {
            defer {
                move.update { move in
                    defer { move = nil }
                    return move
                }?()
            }
            return super.resolve(registration: registration, resolver: resolver, args: args)
        }
    }

    @Test func `a service that moves to another actor during a call is created on that actor`() async throws {
        let resolver = Resolver()
        resolver.register { @Vault in Leaf() }.scope(
            Moving {
                resolver.register { @Annex () -> Leaf in
                    Annex.shared.assertIsolated()
                    return Leaf()
                }.scope(.cached)
            })
        let leaf: Leaf = try await resolver.resolveAsync()
        #expect(try resolver.tryResolve(Leaf.self) === leaf)
    }
}
