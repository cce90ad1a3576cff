import Resolver

extension Resolver {
    /// Runs an XCTest test with its own resolver, as the trait `.resolver` does.
    ///
    ///     class CheckoutTests: XCTestCase {
    ///         override func invokeTest() {
    ///             Resolver.withTestResolver { super.invokeTest() }
    ///         }
    ///     }
    ///
    /// `setUp` and `tearDown` are part of the test. The resolver is `Resolver.main` there.
    ///
    /// - Throws: the error of `test`.
    public static func withTestResolver<Result, Failure: Error>(
        _ test: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Resolver.runTest(test)
    }
}
