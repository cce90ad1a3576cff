import Resolver
import ResolverSpecification
import ResolverTesting
import Testing

/// What the documents promise, on each kind of container.
@Suite(.resolver) struct PromiseTests {
    @Test(arguments: ResolverSystem.Subject.allCases, Specification.promises)
    func `the library keeps its promise`(subject: ResolverSystem.Subject, promise: Promise) async throws {
        guard PromiseTests.broken.contains(promise.description) else {
            return try await promise.verify(on: ResolverSystem(subject))
        }
        await withKnownIssue("a promise that the library breaks") {
            try await promise.verify(on: ResolverSystem(subject))
        }
    }

    /// The promises that the library does not keep yet.
    private static let broken: Set<String> = [
        "The path of a circle of arguments has all that is on it."
    ]
}
