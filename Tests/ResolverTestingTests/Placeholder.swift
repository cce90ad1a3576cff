import Resolver
import ResolverTesting
import Testing

@Suite(.resolver) struct Probe {
    @Test func mainIsOwn() { #expect(Resolver.main === Resolver.root) }
}
