import Resolver
import ResolverTesting
import Testing

/// Issues and logs about the lookups of a test.
@Suite struct WatchTests {
    final class Registered: Sendable {}
    final class Missing: Sendable {}
    final class OfTheApp: Sendable {}
    final class Whole: Sendable {
        let part: OfTheApp
        init(_ part: OfTheApp) { self.part = part }
    }

    @Test(.resolver(.strict) { $0.register { Registered() } })
    func `using the test's registrations records no issue`() {
        _ = Resolver.resolve(Registered.self)
        Resolver.register { Missing() }.scope(.cached)
        _ = Resolver.resolve(Missing.self)
        #expect(Resolver.optional(OfTheApp.self, name: "unregistered") == nil)
    }

    @Suite(.resolver { $0.register { Registered() } })
    struct InSuite {
        @Test(.resolver(.strict)) func `using the suite's registrations records no issue`() {
            _ = Resolver.resolve(Registered.self)
        }
    }

    @Suite(.resolver(.strict))
    struct Strict {
        /// The lines of the lookups with an issue, in order.
        private let lines = Guarded<[Int?]>(holding: [])

        /// Returns the process's `main`.
        private static func app() async -> Resolver {
            let app = await Task.detached { Resolver.main }.value
            app.register { OfTheApp() }
            return app
        }

        private func note(_ issue: Issue) -> Bool {
            lines.withLock { $0.append(issue.sourceLocation?.line) }
            return issue.sourceLocation?.fileID == "ResolverTestingTests/WatchTests.swift"
                && "\(issue.comments)".contains("is not registered by the test or its suite")
        }

        @Test func `using the app's registration records an issue at the call`() async {
            _ = await Strict.app()
            let line = #line + 2
            withKnownIssue {
                _ = Resolver.resolve(OfTheApp.self)
            } matching: { issue in
                note(issue)
            }
            #expect(lines.withLock { $0 } == [line])
        }

        @Test func `each dependency of the app records its own issue`() async {
            let part = #line + 1
            await Strict.app().register { Whole($0.resolve()) }
            let whole = #line + 2
            withKnownIssue {
                _ = Resolver.resolve(Whole.self)
            } matching: { issue in
                note(issue)
            }
            #expect(lines.withLock { $0 } == [whole, part])
        }

        private struct Page {
            static let line = #line + 1
            @Inject var unnamed: OfTheApp?
            @Inject(name: "it") var named: OfTheApp?
        }

        @Test func `reading an injected property records an issue at its declaration`() async {
            await Strict.app().register(name: "it") { OfTheApp() }
            let page = Page()
            withKnownIssue {
                _ = page.unnamed
                _ = page.named
            } matching: { issue in
                note(issue)
            }
            #expect(lines.withLock { $0 } == [Page.line, Page.line + 1])
        }

        @Test func `a lookup in a release hook records an issue`() async throws {
            let test = try #require(Test.current)
            _ = await Strict.app()
            let line = #line + 6
            try await withKnownIssue {
                let trait: ResolverTrait = .resolver
                try await trait.provideScope(for: test, testCase: nil) {
                    Resolver.register { Registered() }.scope(.cached).onRelease { _ in
                        // The issue is recorded whether or not other tests are watched.
                        _ = Resolver.optional(OfTheApp.self)
                    }
                    _ = Resolver.resolve(Registered.self)
                }
            } matching: { issue in
                note(issue)
            }
            #expect(lines.withLock { $0 } == [line])
        }

        @Test func `a call that is tried again records one issue`() async throws {
            await Strict.app().register { @MainActor in Shown() }
            try await withKnownIssue {
                _ = try await Resolver.resolveAsync(Shown.self)
            } matching: { issue in
                note(issue)
            }
            #expect(lines.withLock { $0.count } == 1)
        }

        @Test func `each dependency of a call that is tried again records its own issue`() async throws {
            let app = await Strict.app()
            let part = #line + 1
            app.register { @MainActor in Framed($0.resolve()) }.implements(Frame.self)
            for type in [Framed.self, Frame.self] as [Any.Type] {
                lines.withLock { $0 = [] }
                let whole = #line + 3
                try await withKnownIssue {
                    // Off the main actor.
                    if type == Framed.self { _ = try await Resolver.resolveAsync(Framed.self) }
                    if type == Frame.self { _ = try await Resolver.resolveAsync(Frame.self) }
                } matching: { issue in
                    note(issue)
                }
                #expect(lines.withLock { $0 } == [type == Framed.self ? whole : whole + 1, part])
            }
        }
    }

    protocol Frame: Sendable {}
    @MainActor final class Framed: Frame {
        let part: OfTheApp
        init(_ part: OfTheApp) { self.part = part }
    }

    @MainActor final class Shown {}

    @Test(.resolver(.logged) { $0.register { Registered() } })
    func `the log records lookups`() async throws {
        let log = try #require(ResolutionLog.current)
        let line = #line + 3
        Task {
            _ = Resolver.optional(Missing.self, name: "unregistered")
            _ = Resolver.resolve(Registered.self)
        }
        let missing = await log.next { $0.type == Missing.self }
        #expect(missing?.name == "unregistered" && missing?.isRegistered == false)
        let registered = await log.next()
        #expect(registered?.type == Registered.self && registered?.isRegistered == true)
        #expect(registered.map { Int($0.callSite.line) } == line)
    }

    @Test func `there is no log outside a logged test`() {
        #expect(ResolutionLog.current == nil)
    }

    @Test(.resolver) func `a time to live uses the test's clock`() {
        let clock = ManualClock()
        Resolver.main.clock = clock.clock
        Resolver.register { Registered() }.scope(.cached).timeToLive(10)
        let first: Registered = Resolver.resolve()
        clock.advance(by: 9)
        #expect(Resolver.resolve(Registered.self) === first)
        clock.advance(by: 10)
        #expect(Resolver.resolve(Registered.self) !== first)
    }
}
