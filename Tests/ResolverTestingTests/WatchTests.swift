import Resolver
import ResolverTesting
import Testing

@Suite struct WatchTests {
    final class Registered: Sendable {}
    final class Missing: Sendable {}
    final class OfTheApp: Sendable {}
    final class Whole: Sendable {
        let part: OfTheApp
        init(_ part: OfTheApp) { self.part = part }
    }

    @Suite(.resolver { $0.register { Registered() } }) struct InSuite {
        @Test(.resolver(.strict) { $0.register { 1 } })
        func `using the registrations of the test, its trait and its suite records no issue`() {
            Resolver.register { Missing() }.scope(.cached)
            _ = (Resolver.resolve(Registered.self), Resolver.resolve(Int.self), Resolver.resolve(Missing.self))
            expect(Resolver.optional(OfTheApp.self, name: "unregistered"), is: nil)
        }
    }

    @Suite(.resolver(.strict)) struct Strict {
        private static func app() async -> Resolver {
            let app = await Task.detached { Resolver.main }.value
            app.register { OfTheApp() }
            return app
        }

        /// Returns the lines of the lookups with an issue, in order.
        private func lines(_ body: () async throws -> Void) async rethrows -> [Int?] {
            let lines = Box<[Int?]>([])
            try await withKnownIssue(nil, isIntermittent: false, body) {
                true
            } matching: { issue in
                lines.append(issue.sourceLocation?.line)
                return issue.sourceLocation?.fileID == "ResolverTestingTests/WatchTests.swift"
                    && "\(issue.comments)".contains("is not registered by the test or its suite")
            }
            return lines.value
        }

        private static let places: [(StaticString, UInt)] = [
            ("Generated.swift", 3), ("", 3), ("/", 3), ("App/Page.swift", 0), ("App/Page.swift", .max),
        ]

        @Test(arguments: places)
        func `a call with any place records an issue`(_ fileID: StaticString, _ line: UInt) async {
            _ = await Strict.app()
            withKnownIssue { _ = Resolver.resolve(OfTheApp.self, fileID: fileID, line: line) }
        }

        @Test func `using the app's registration records an issue at the call and one for each dependency`() async {
            let part = #line + 1
            await Strict.app().register { Whole($0.resolve()) }
            await expect(lines { _ = Resolver.resolve(Whole.self) }, is: [part + 1, part])
        }

        private final class Ledger: Sendable {}
        private final class Till: Sendable { init(_ ledger: Ledger) {} }

        @Test func `an issue says what was used, where it is registered and what to do`() async {
            let app = await Strict.app(), line = #line, found = Box<[String]>([])
            app.register { Ledger() }
            app.register(name: "cash") { Till($0.resolve()) }
            withKnownIssue {
                _ = Resolver.resolve(Till.self, name: "cash")
            } matching: { issue in
                found.append("\(issue.sourceLocation?.line ?? 0): \(issue.comments.map(\.rawValue).joined())")
                return true
            }
            let expected = [("Till:cash", line + 2, line + 4), ("Ledger:NONAME", line + 1, line + 2)].map {
                """
                \($2): RESOLVER: '\($0)' is not registered by the test or its suite.
                The call used the app's registration at ResolverTestingTests/WatchTests.swift:\($1).
                Register the service in the test or its suite.
                """
            }
            expect(found.value, is: expected)
        }

        @Test func `an alias of the app for a service of the test records no issue`() async {
            await Strict.app().register { Pane() }.implements((any Glass).self)
            Resolver.register { Pane() }
            _ = Resolver.resolve((any Glass).self)
        }

        private struct Page {
            static let line = #line + 1
            @Inject var unnamed: OfTheApp?
            @Inject(name: "it") var named: OfTheApp?
        }

        @Test func `reading an injected property records an issue at its declaration`() async {
            await Strict.app().register(name: "it") { OfTheApp() }
            let page = Page()
            await expect(lines { _ = (page.unnamed, page.named) }, is: [Page.line, Page.line + 1])
        }

        @Test func `a lookup in a release hook records an issue`() async throws {
            _ = await Strict.app()
            let line = #line + 5
            let found = try await lines {
                try await inTest {
                    // The issue is recorded whether or not other tests are watched.
                    Resolver.register { Registered() }.scope(.cached).onRelease { _ in
                        _ = Resolver.optional(OfTheApp.self)
                    }
                    _ = Resolver.resolve(Registered.self)
                }
            }
            expect(found, is: [line])
        }

        /// The calls are made off the main actor.
        @Test func `a call that is tried again records one issue, and so does each dependency`() async throws {
            let app = await Strict.app(), part = #line + 1
            app.register { @MainActor in Framed($0.resolve()) }.implements(Frame.self)
            let direct = try await lines { _ = try await Resolver.resolveAsync(Framed.self) }
            let throughAlias = try await lines { _ = try await Resolver.resolveAsync(Frame.self) }
            expect(direct, is: [part + 1, part])
            expect(throughAlias, is: [part + 2, part])
        }
    }

    protocol Frame: Sendable {}
    protocol Glass: Sendable {}
    final class Pane: Glass {}
    @MainActor final class Framed: Frame {
        let part: OfTheApp
        init(_ part: OfTheApp) { self.part = part }
    }

    @Test(.resolver(.logged) { $0.register { Registered() } })
    func `the log records lookups`() async throws {
        let log = try #require(ResolutionLog.current)
        let line = #line + 3
        Task {
            _ = Resolver.optional(Missing.self, name: "unregistered")
            _ = Resolver.resolve(Registered.self)
        }
        let missing = await log.next { $0.type == Missing.self }
        expect(missing?.name == "unregistered" && missing?.isRegistered == false)
        let registered = await log.next()
        expect(registered?.type == Registered.self && registered?.isRegistered == true)
        expect(registered.map { Int($0.callSite.line) }, is: line)
    }

    @Test func `there is no log outside a logged test`() { expect(ResolutionLog.current, is: nil) }
}
