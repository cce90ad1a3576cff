import Resolver
import ResolverTesting
import Testing

/// A root for some code and the tasks that it starts.
@Suite struct WithRootTests {
    /// A resolver that says who it is.
    private static func resolver(_ name: String) -> Resolver {
        let resolver = Resolver()
        resolver.register { name }
        return resolver
    }

    @Sendable private static func seen() -> String? { Resolver.optional(String.self) }

    @Test func `it is there inside and only there`() async {
        let before = Resolver.root
        let one = Self.resolver("one")
        Resolver.withRoot(one) { #expect(Resolver.root === one) }
        await Resolver.withRoot(one) {
            await Task.yield()
            #expect(Resolver.root === one)
        }
        #expect(Resolver.root === before)
    }

    @Test func `the innermost counts`() async {
        let one = Self.resolver("one"), two = Self.resolver("two")
        let seen = Resolver.withRoot(one) { [Self.seen(), Resolver.withRoot(two) { Self.seen() }, Self.seen()] }
        #expect(seen == ["one", "two", "one"])
        await Resolver.withRoot(one) {
            await Resolver.withRoot(two) { #expect(await Task { Self.seen() }.value == "two") }
            #expect(await Task { Self.seen() }.value == "one")
        }
    }

    @Test func `functions wrappers and resolving follow it`() {
        struct Page: Resolving {
            @Injected var eager: String
            @LazyInjected var lazily: String
            @OptionalInjected var perhaps: String?
        }
        Resolver.withRoot(Self.resolver("one")) {
            let page = Page()
            #expect([page.eager, page.lazily, page.perhaps] == ["one", "one", "one"])
            #expect(page.resolver.resolve(String.self) == "one")
            #expect(Resolver.resolve(String.self) == "one")
            #expect((try? Resolver.tryResolve(String.self)) == "one")
        }
    }

    @Test func `factories follow it`() async throws {
        let one = Self.resolver("one")
        one.register { Resolver.resolve(String.self).count }
        one.register { () async in
            await Task.yield()
            return Double(Resolver.resolve(String.self).count)
        }
        try await Resolver.withRoot(one) {
            #expect(Resolver.resolve(Int.self) == 3)
            let later: Double = try await Resolver.resolveAsync()
            #expect(later == 3)
        }
    }

    @Test func `what is thrown keeps its type`() async {
        func now() throws(Failure) -> Int {
            try Resolver.withRoot(Resolver()) { () throws(Failure) in throw Failure() }
        }
        func later() async throws(Failure) -> Int {
            try await Resolver.withRoot(Resolver()) { () async throws(Failure) in throw Failure() }
        }
        let before = Resolver.root
        #expect(throws: Failure()) { try now() }
        await #expect(throws: Failure()) { try await later() }
        #expect(Resolver.root === before)
    }

    @MainActor @Test func `asynchronous code stays on its actor`() async {
        var count = 0
        await Resolver.withRoot(Resolver()) {
            MainActor.assertIsolated()
            await Task.yield()
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 1)
    }

    @Test func `tasks at the same time have their own`() async {
        let seen = await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    await Resolver.withRoot(Self.resolver("\(number)")) {
                        var seen: [String?] = []
                        for _ in 0..<10 {
                            await Task.yield()
                            seen.append(Self.seen())
                        }
                        return seen == Array(repeating: "\(number)", count: 10)
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(seen == Array(repeating: true, count: 100))
    }

    @Test func `a task that outlives it keeps it`() async {
        let (end, ended) = AsyncStream<Void>.makeStream()
        let task = Resolver.withRoot(Self.resolver("one")) {
            Task {
                for await _ in end { break }
                return Self.seen()
            }
        }
        ended.yield()
        #expect(await task.value == "one")
    }

    @Test func `assigning root inside is seen by its tasks and by nobody else`() async {
        let before = Resolver.root, two = Self.resolver("two")
        await Resolver.withRoot(Self.resolver("one")) {
            Resolver.root = two
            #expect(Self.seen() == "two")
            #expect(await Task { Self.seen() }.value == "two")
            #expect(await Threads.result { Resolver.root } === before)
        }
        #expect(Resolver.root === before)
    }

    @Test func `static register goes to main`() async {
        struct Parcel {}
        let one = Self.resolver("one")
        Resolver.withRoot(one) {
            Resolver.register { Parcel() }
            #expect(Resolver.optional(Parcel.self) == nil)
        }
        #expect(await App.main.optional(Parcel.self) != nil)
    }

    @Test(.resolver) func `in a test that is the main of the test`() async {
        struct Parcel {}
        Resolver.withRoot(Self.resolver("one")) { Resolver.register { Parcel() } }
        #expect(Resolver.optional(Parcel.self) != nil)
        #expect(await App.main.optional(Parcel.self) == nil)
    }

    @Test func `a reset inside is for the process`() async {
        await #expect(processExitsWith: .success) {
            let main = Resolver.main, one = WithRootTests.resolver("one")
            Resolver.withRoot(one) {
                Resolver.reset()
                #expect(Resolver.root === one)
                #expect(Resolver.main !== main)
            }
            #expect(Resolver.root === Resolver.main)
        }
    }

    @Test(.resolver) func `in a test for the test`() async {
        let main = Resolver.main, one = Self.resolver("one"), app = await App.main
        Resolver.register { 1 }
        Resolver.withRoot(one) {
            Resolver.reset()
            #expect(Resolver.root === main)
        }
        #expect(Resolver.main === main)
        #expect(Resolver.optional(Int.self) == nil)
        #expect(await App.main === app)
        #expect(app.optional(Note.self, name: .printed) != nil)
    }

    @Test func `run does the same on a thread`() async {
        let one = Self.resolver("one")
        #expect(await Threads.result { one.run { Self.seen() } } == "one")
        #expect(await Task.detached { await one.run { await Task { Self.seen() }.value } }.value == "one")
    }
}
