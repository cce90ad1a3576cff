import Resolver
import Testing

extension Trait where Self == ConditionTrait {
    /// For a test that reads how much of the heap is in use, with large numbers. `RESOLVER_BRIEF` leaves it out.
    static var measuresHeap: Self {
        .disabled(
            if: Sanitizer.current != nil || Sanitizer.isBrief,
            "a sanitizer has a heap of its own, which the probe does not see")
    }

    /// For a recursion of ten thousand tasks, one after the other.
    static var isDeepRecursion: Self {
        .disabled(if: Sanitizer.current != nil, "it takes ten seconds, and no task meets another")
    }

    /// For a test of what fits into a stack.
    static var measuresStack: Self {
        .disabled(
            if: Sanitizer.current != nil,
            "the frames of a sanitizer are larger, and the one for threads has room for 65 536 of them")
    }
}

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
