import Resolver
import ResolverTesting
import Testing

@Suite struct WithRootTests {
    private static func resolver(_ name: String) -> Resolver {
        let resolver = Resolver()
        resolver.register { name }
        return resolver
    }

    @Sendable private static func seen() -> String? { Resolver.optional(String.self) }

    @Test func `the innermost withRoot applies, also to a task that outlives it`() async {
        let one = Self.resolver("one"), two = Self.resolver("two"), hasEnded = Gate()
        let seen = Resolver.withRoot(one) { [Self.seen(), Resolver.withRoot(two) { Self.seen() }, Self.seen()] }
        expect(seen, is: ["one", "two", "one"])
        let task = await Resolver.withRoot(one) {
            await Resolver.withRoot(two) { await expect(Task { Self.seen() }.value, is: "two") }
            return Task {
                await hasEnded.pass()
                return Self.seen()
            }
        }
        hasEnded.open()
        await expect(task.value, is: "one")
    }

    @Test func `static functions, wrappers and Resolving use the root of withRoot`() {
        struct Page: Resolving {
            @Injected var eager: String
            @LazyInjected var lazily: String
            @OptionalInjected var perhaps: String?
        }
        Resolver.withRoot(Self.resolver("one")) {
            let page = Page()
            expect([page.eager, page.lazily, page.perhaps], is: ["one", "one", "one"])
            expect(page.resolver.resolve(String.self), is: "one")
            expect(Resolver.resolve(String.self), is: "one")
            expect((try? Resolver.tryResolve(String.self)), is: "one")
        }
    }

    @Test func `factories use the root of withRoot`() async throws {
        let one = Self.resolver("one")
        one.register { Resolver.resolve(String.self).count }
        one.register { () async in Double(Resolver.resolve(String.self).count) }
        try await Resolver.withRoot(one) {
            expect(Resolver.resolve(Int.self), is: 3)
            let later: Double = try await Resolver.resolveAsync()
            expect(later, is: 3)
        }
    }

    @Test func `withRoot rethrows typed errors`() async {
        func now() throws(Failure) -> Int {
            try Resolver.withRoot(Resolver()) { () throws(Failure) in throw Failure() }
        }
        func later() async throws(Failure) -> Int {
            try await Resolver.withRoot(Resolver()) { () async throws(Failure) in throw Failure() }
        }
        let before = Resolver.root
        #expect(throws: Failure()) { try now() }
        await #expect(throws: Failure()) { try await later() }
        expect(Resolver.root === before)
    }

    @Test func `concurrent tasks have their own root`() async throws {
        let areRight = try await Tasks.results(100) { number in
            await Resolver.withRoot(Self.resolver("\(number)")) {
                var seen: [String?] = []
                for _ in 0..<10 {
                    await Task.yield()
                    seen.append(Self.seen())
                }
                return seen == Array(repeating: "\(number)", count: 10)
            }
        }
        expect(areRight, is: Array(repeating: true, count: 100))
    }

    @Test func `a root assigned inside withRoot is visible only to its tasks`() async {
        let before = Resolver.root, two = Self.resolver("two")
        await Resolver.withRoot(Self.resolver("one")) {
            Resolver.root = two
            expect(Self.seen(), is: "two")
            await expect(Task { Self.seen() }.value, is: "two")
            await expect(Threads.result { Resolver.root } === before)
        }
        expect(Resolver.root === before)
    }

    @Test func `static register inside withRoot registers on the main of the process, or of the test`() async throws {
        struct Parcel {}
        struct OwnParcel {}
        Resolver.withRoot(Self.resolver("one")) {
            Resolver.register { Parcel() }
            expect(Resolver.optional(Parcel.self), is: nil)
        }
        await expect(App.main.optional(Parcel.self) != nil)
        try await inTest {
            Resolver.withRoot(Self.resolver("one")) { Resolver.register { OwnParcel() } }
            expect(Resolver.optional(OwnParcel.self) != nil)
            await expect(App.main.optional(OwnParcel.self), is: nil)
        }
    }

    @Test func `a reset inside withRoot resets the process`() async {
        await #expect(processExitsWith: .success) {
            let main = Resolver.main, one = WithRootTests.resolver("one")
            Resolver.withRoot(one) {
                Resolver.reset()
                expect(Resolver.root === one)
                expect(Resolver.main !== main)
            }
            expect(Resolver.root === Resolver.main)
        }
    }

    @Test(.resolver) func `a reset inside withRoot in a test resets the test`() async {
        let main = Resolver.main, one = Self.resolver("one"), app = await App.main
        Resolver.register { 1 }
        Resolver.withRoot(one) {
            Resolver.reset()
            expect(Resolver.root === main)
        }
        expect(Resolver.main === main)
        expect(Resolver.optional(Int.self), is: nil)
        await expect(App.main === app)
        expect(app.optional(Note.self, name: .printed) != nil)
    }

    @Test func `run sets the root on a thread or in a detached task`() async {
        let one = Self.resolver("one")
        await expect(Threads.result { one.run { Self.seen() } }, is: "one")
        await expect(Task.detached { await one.run { await Task { Self.seen() }.value } }.value, is: "one")
    }
}
