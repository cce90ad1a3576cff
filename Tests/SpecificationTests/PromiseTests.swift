import Resolver
import ResolverSpecification
import ResolverTesting
import Testing

/// What the documents promise, on each kind of container.
@Suite(.resolver) struct PromiseTests {
    @Test(arguments: ResolverSystem.Subject.allCases, Specification.promises)
    func `the library keeps its promise`(subject: ResolverSystem.Subject, promise: Promise) async throws {
        try await promise.verify(on: ResolverSystem(subject))
    }
}
