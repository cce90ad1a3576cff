import Resolver
import Testing

/// Gives each test a resolver of its own.
///
///     @Suite(.resolver { $0.register { StubClock() as Clock } })
///     struct CheckoutTests {
///         @Test(.resolver { $0.register { EmptyCart() as Cart } })
///         func nothingToPay() { #expect(Checkout().total == 0) }
///     }
///
/// It finds what the app has registered on `Resolver.main`, and keeps all that is made to itself. In the test it is both
/// `Resolver.main` and `Resolver.root`: static functions, property wrappers and `Resolving` use it, what is registered by
/// static `register` goes there and nowhere else, and a reset of a scope, or `Resolver.reset()`, reaches nothing outside.
/// Screens and sessions that are set in the test are current in this test alone. So tests can run in parallel.
///
/// On a suite the trait goes for each of its tests, and for the suites in it: each case of each test has resolvers of its
/// own, those of outer suites behind those of inner ones.
///
/// Child tasks of the test and tasks that are started by `Task { }` belong to it. Threads, dispatch queues and
/// `Task.detached` do not: bring `Resolver.root` along and `run` there.
public struct ResolverTrait: TestTrait, SuiteTrait, TestScoping {
    /// What the trait does besides. Inner suites and tests take over what outer ones have.
    public struct Option: Sendable {
        fileprivate let isStrict: Bool

        /// A call for something that neither the test nor one of its suites has registered gets what the app has, and an
        /// issue is recorded where it was asked for.
        public static let strict = Option(isStrict: true)
        /// What is asked for is in `ResolutionLog.current`.
        public static let logged = Option(isStrict: false)
    }

    /// Suites hand it down to their tests.
    public let isRecursive = true

    private let options: [Option]
    private let register: @Sendable (Resolver) throws -> Void

    init(_ options: [Option], _ register: @escaping @Sendable (Resolver) throws -> Void) {
        self.options = options
        self.register = register
    }

    /// Each case of a test function is handed to `provideScope`, and nothing else.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ResolverTrait? {
        testCase == nil ? nil : self
    }

    /// Runs a case with a resolver of its own. Called by the testing library.
    @concurrent
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let own = options.contains { !$0.isStrict } ? ResolutionLog() : nil
        defer { own?.end() }
        let log = own ?? ResolutionLog.current
        let isStrict = options.contains(where: \.isStrict) || ResolverTrait.isStrict
        let watch: @Sendable (Resolution) -> Void = { resolution in
            log?.add(resolution)
            if isStrict { ResolverTrait.record(resolution) }
        }
        try await ResolutionLog.$innermost.withValue(log) {
            try await ResolverTrait.$isStrict.withValue(isStrict) {
                try await Resolver.runTest(watch: log == nil && !isStrict ? nil : watch) { () async throws in
                    try register(.main)
                    try await function()
                }
            }
        }
    }

    @TaskLocal private static var isStrict = false

    private static func record(_ resolution: Resolution) {
        guard let complaint = resolution.complaint else { return }
        let file = resolution.callSite.fileID.description
        Issue.record(
            "\(complaint)",
            sourceLocation: Testing.SourceLocation(
                fileID: file, filePath: file, line: Int(resolution.callSite.line), column: 1))
    }
}

extension Trait where Self == ResolverTrait {
    /// A resolver of its own for each test.
    public static var resolver: ResolverTrait { ResolverTrait([]) { _ in } }

    /// A resolver of its own for each test, on which `register` has registered what the tests use in place of what the app has.
    public static func resolver(
        _ options: ResolverTrait.Option..., register: @escaping @Sendable (Resolver) throws -> Void = { _ in }
    ) -> ResolverTrait {
        ResolverTrait(options, register)
    }
}
