import Resolver
import ResolverTesting
import Testing

/// Reading the log of a test. The suite runs on the main actor, where a reader that has begun continues before other code.
@Suite(.resolver(.logged)) @MainActor struct LogTests {
    private struct Letter: Sendable {}

    private let log: ResolutionLog

    init() throws { log = try #require(ResolutionLog.current) }

    private func ask(for name: Resolver.Name) { _ = Resolver.optional(Letter.self, name: name) }

    private func next() async -> Resolver.Name? { await log.next()?.name }

    /// Returns a task that waits for an entry.
    private func reader() async -> Task<Resolver.Name?, Never> {
        var reader: Task<Resolver.Name?, Never>?
        await withCheckedContinuation { begun in
            reader = Task {
                begun.resume()
                return await next()
            }
        }
        return reader!
    }

    @Test func `earlier lookups are read in their order, and a condition skips those before the match`() async {
        for name: Resolver.Name in ["one", "two", "three", "four"] { ask(for: name) }
        await expect(next(), is: "one")
        await expect(log.next { $0.name == "three" }?.name, is: "three")
        await expect(next(), is: "four")
    }

    @Test func `readers wait for later lookups, and get one each in the order of their calls`() async {
        let readers = [await reader(), await reader(), await reader()]
        for name: Resolver.Name in ["one", "two", "three", "four"] { ask(for: name) }
        var seen: [Resolver.Name?] = []
        for reader in readers { seen.append(await reader.value) }
        expect(seen, is: ["one", "two", "three"])
        await expect(next(), is: "four")
    }

    @Test func `a cancelled reader takes no entry from other readers`() async {
        let cancelled = await reader(), other = await reader()
        cancelled.cancel()
        ask(for: "one")
        ask(for: "two")
        await expect(cancelled.value, is: nil)
        await expect(other.value, is: "one")
        await expect(next(), is: "two")
    }

    @Test func `a cancelled task reads no entry`() async {
        ask(for: "one")
        let cancelled = Task { await next() }
        cancelled.cancel()
        await expect(cancelled.value, is: nil)
        await expect(next(), is: "one")
    }

    @Test nonisolated func `no entry is lost or read twice when readers are cancelled`() async throws {
        let names = (0..<200).map { "\($0)" }, log = log
        var seen = try await Tasks.results(names.count) { number -> String? in
            let reader = Task.detached { await log.next()?.name?.rawValue }
            await Task.yield()
            _ = Resolver.optional(Letter.self, name: .init(names[number]))
            reader.cancel()
            return await reader.value
        }.compactMap(\.self)
        _ = Resolver.optional(Letter.self, name: "the last")
        while let name = await log.next()?.name, name != "the last" { seen.append(name.rawValue) }
        expect(seen.sorted(), is: names.sorted())
    }
}
