import Resolver

extension Resolver {
    /// Runs a test with a resolver of its own, as the trait `.resolver` does: for XCTest.
    ///
    ///     class CheckoutTests: XCTestCase {
    ///         override func invokeTest() {
    ///             Resolver.withTestResolver { super.invokeTest() }
    ///         }
    ///     }
    ///
    /// `setUp` and `tearDown` belong to the test. The resolver is `Resolver.main` there.
    ///
    /// - Throws: what `test` throws.
    public static func withTestResolver<Result, Failure: Error>(
        _ test: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Resolver.runTest(test)
    }
}
