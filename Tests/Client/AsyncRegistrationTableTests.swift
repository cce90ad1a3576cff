import Resolver
import Testing

@Suite struct AsyncRegistrationTableTests {
    @Test func `closures without parameters keep their kind of factory`() async {
        await row(.plain, "note") { $0.register { Note() } }
        await row(.plain, "note") { $0.register { Note() as any Document } }
        await row(.plain, "made") { $0.register { try Note.make() } }
        await row(.plain, "note") { $0.register { () -> Note? in Note() } }
        await row(.mainActor, "screen") { $0.register { @MainActor in Screen() } }
        await row(.library, "book") { $0.register { @Library in Book() } }
        await row(.asynchronous, "loaded") { $0.register { try await Note.load() } }
        await row(.asynchronous, "slow") { $0.register { await Note(slowly: "slow") } }
        await row(.asynchronous, "loaded") { $0.register { try await Note.load() as any Document } }
        await row(.asynchronous, "loaded") { $0.register { return try await .load() as Note } }
        await row(.asynchronous, "slow") { $0.register { () async -> Note in await Note(slowly: "slow") } }
        await row(.asynchronous, "note") { $0.register { () async -> Note in Note() } }
        await row(.asynchronous, "loaded") { $0.register { () async throws -> Note? in try await Note.load() } }
        await row(.asynchronous, "loaded") { $0.register(factory: { try await Note.load() }) }
        await row(.asynchronous, "screen") { $0.register { await Screen() } }
        await row(.asynchronous, "screen") { $0.register { @MainActor in await Screen.open() } }
        await row(.asynchronous, "book") { $0.register { @Library in await Book.fetch() } }
        await row(.asynchronous, "note") { $0.register { @Sendable in await same(Note()) } }
    }

    @Test func `closures with a resolver keep their kind of factory`() async {
        await row(.plain, "note") { $0.register { r in Note(r.note) } }
        await row(.plain, "note") { $0.register { Note($0.note) } }
        await row(.plain, "note") { $0.register { _ in Note() } }
        await row(.mainActor, "note") { $0.register { @MainActor r in Screen(r.note) } }
        await row(.library, "note") { $0.register { @Library r in Book(r.note) } }
        await row(.asynchronous, "slow") { $0.register { _ in await Note(slowly: "slow") } }
        await row(.asynchronous, "note") { $0.register { r in await Note(slowly: r.note) } }
        await row(.asynchronous, "note") { $0.register { (r: Resolver) in await Note(slowly: r.note) } }
        await row(.asynchronous, "note") { $0.register { await Note(slowly: $0.note) } }
        await row(.asynchronous, "on a leaf") { $0.register { r in try await Note(on: r.resolveAsync()) } }
        await row(.asynchronous, "on a leaf") { $0.register { try await Note(on: $0.resolveAsync()) as any Document } }
        await row(.asynchronous, "on a leaf") { $0.register { r in await same(Note(on: try await r.resolveAsync())) } }
        await row(.asynchronous, "note") { $0.register { r async -> Note? in Note(r.note) } }
        await row(.asynchronous, "note") { $0.register { @MainActor r in await Screen.open(r.note) } }
        await row(.asynchronous, "none") { r in
            r.register { r in Note(try await r.optionalAsync(Screen.self) == nil ? "none" : "one") }
        }
    }

    @Test func `closures with a resolver and arguments keep their kind of factory`() async {
        await row(.plain, "news", args: "news") { $0.register { _, args in Note(args()) } }
        await row(.plain, "news", args: "news") { $0.register { Note($1()) } }
        await row(.mainActor, "news", args: "news") { $0.register { @MainActor _, args in Screen(args()) } }
        await row(.library, "news", args: "news") { $0.register { @Library in Book($1()) } }
        await row(.asynchronous, "news", args: "news") { $0.register { _, args in await Note(slowly: args()) } }
        await row(.asynchronous, "news", args: "news") { $0.register { await Note(slowly: $1()) } }
        await row(.asynchronous, "note") { $0.register { r, _ in await Note(slowly: r.note) } }
        await row(.asynchronous, "slow") { $0.register { _, _ in await Note(slowly: "slow") } }
        await row(.asynchronous, "news", args: ["title": "news"]) {
            $0.register { (r, args) -> any Document in await Note(slowly: args("title")) }
        }
        await row(.asynchronous, "news", args: "news") {
            $0.register { (_: Resolver, args: Resolver.Args) async throws -> Note in try Note(args.tryGet()) }
        }
        await row(.asynchronous, "missingArgument") { $0.register { _, args in try await same(Note(args.tryGet())) } }
    }

    @Test func `closures with several statements keep their kind of factory`() async {
        await row(.plain, "made") {
            $0.register {
                let note = try Note.make()
                return note
            }
        }
        await row(.asynchronous, "loaded") {
            $0.register {
                let note = try await Note.load()
                return note
            }
        }
        await row(.asynchronous, "loaded") {
            $0.register {
                async let note = Note.load()
                return try await note
            }
        }
        await row(.asynchronous, "2") {
            $0.register { r in
                async let first: Leaf = r.resolveAsync()
                async let second: Leaf = r.resolveAsync()
                return try await Note("\([first, second].count)")
            }
        }
        await row(.asynchronous, "3", args: 2) {
            $0.register { _, args in
                var sum = 0
                for await number in AsyncStream(counting: args()) { sum += number }
                return Note("\(sum)")
            }
        }
        await row(.asynchronous, "factoryReturnedNil", args: 2) {
            $0.register { _, args -> Note? in
                for await number in AsyncStream(counting: args()) where number > 2 { return Note() }
                return nil
            }
        }
        await row(.asynchronous, "loaded") {
            $0.register { () -> Note? in
                if let note = try? await Note.load() { return note }
                return nil
            }
        }
        await row(.asynchronous, "made") {
            $0.register {
                do { return try await Note.lose() } catch { return try Note.make() }
            }
        }
        await row(.asynchronous, "2") {
            $0.register {
                await withTaskGroup(of: Note.self) { group in
                    for _ in 0..<2 { group.addTask { Note() } }
                    return await Note("\(group.reduce(0) { count, _ in count + 1 })")
                }
            }
        }
    }
}
