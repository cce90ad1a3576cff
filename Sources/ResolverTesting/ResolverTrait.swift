import Resolver
import Testing

/// A trait that gives each test its own resolver.
///
///     @Suite(.resolver { $0.register { StubClock() as Clock } })
///     struct CheckoutTests {
///         @Test(.resolver { $0.register { EmptyCart() as Cart } })
///         func nothingToPay() { #expect(Checkout().total == 0) }
///     }
///
/// The resolver finds the app's registrations on `Resolver.main`, and keeps instances of its own. Inside the test it is
/// `Resolver.main` and `Resolver.root`, so static functions, property wrappers and `Resolving` use it. Static `register`,
/// resets of scopes and `Resolver.reset()` affect only the test. The test has its own current screens and sessions. Tests can
/// therefore run in parallel.
///
/// On a suite, the trait applies to each of its tests and inner suites. Each case of each test has its own resolver; the
/// registrations of inner suites take precedence.
///
/// Child tasks of the test, and tasks started by `Task { }`, belong to the test. Threads, dispatch queues and `Task.detached`
/// do not: call `run` of the test's `Resolver.root` there.
public struct ResolverTrait: TestTrait, SuiteTrait, TestScoping {
    /// An option of the trait. Inner suites and tests inherit the options of outer ones.
    public struct Option: Sendable {
        fileprivate let isStrict: Bool

        /// Records an issue at the call site of each service that neither the test nor its suites have registered.
        ///
        /// The call gets the app's service.
        public static let strict = Option(isStrict: true)
        /// Records the requests of the test in `ResolutionLog.current`.
        public static let logged = Option(isStrict: false)
    }

    /// Whether suites apply the trait to the tests inside them; always true.
    public let isRecursive = true

    private let options: [Option]
    private let register: @Sendable (Resolver) throws -> Void

    init(_ options: [Option], _ register: @escaping @Sendable (Resolver) throws -> Void) {
        self.options = options
        self.register = register
    }

    /// Returns the trait for each case of a test function, and nil for suites and whole functions.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> ResolverTrait? { testCase == nil ? nil : self }

    /// Runs a case with its own resolver. Called by the testing library.
    @concurrent
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let own = options.contains { !$0.isStrict } ? ResolutionLog() : nil
        defer { own?.end() }
        let log = own ?? ResolutionLog.current
        let isStrict = options.contains(where: \.isStrict) || ResolverTrait.isStrict
        let watch: ResolutionEvent.Watch = { lookup, isOfTest in
            log?.add(lookup)
            if isStrict, !isOfTest { ResolverTrait.record(lookup) }
        }
        try await ResolutionLog.$innermost.withValue(log) {
            try await ResolverTrait.$isStrict.withValue(isStrict) {
                try await Resolver.runTest(
                    watch: log == nil && !isStrict ? nil : watch, isOfTrait: true
                ) { () async throws in
                    try register(.main)
                    try await function()
                }
            }
        }
    }

    @TaskLocal private static var isStrict = false

    private static func record(_ lookup: ResolutionEvent) {
        guard let complaint = lookup.complaint, let callSite = lookup.callSite else { return }
        let (file, line) = (callSite.fileID.description, Int(clamping: callSite.line))
        // A call may pass any text and number. The testing library traps without a module or a line.
        let isFileID = file.firstIndex(of: "/").map { $0 > file.startIndex } ?? false
        Issue.record(
            "\(complaint)",
            sourceLocation: Testing.SourceLocation(
                fileID: isFileID ? file : "Unknown/\(file)", filePath: file, line: max(1, line), column: 1))
    }
}

extension Trait where Self == ResolverTrait {
    /// Gives each test its own resolver.
    public static var resolver: ResolverTrait { ResolverTrait([]) { _ in } }

    /// Gives each test its own resolver, on which `register` registers replacements for the app's services.
    public static func resolver(
        _ options: ResolverTrait.Option..., register: @escaping @Sendable (Resolver) throws -> Void = { _ in }
    ) -> ResolverTrait {
        ResolverTrait(options, register)
    }
}
