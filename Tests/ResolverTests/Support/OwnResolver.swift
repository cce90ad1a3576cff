import Resolver
import Testing

/// Runs each test of a suite with a resolver and contexts of its own, which no other test sees.
struct OwnResolver: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnResolver? { testCase == nil ? nil : self }

    @concurrent
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws { try await Resolver.runTest { () async throws in try await function() } }
}

extension Trait where Self == OwnResolver { static var ownResolver: Self { Self() } }
