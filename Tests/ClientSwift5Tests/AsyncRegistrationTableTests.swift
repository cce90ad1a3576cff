import Resolver
import XCTest

/// The kind of factory of each form of closure: plain, isolated to an actor, or asynchronous.
final class AsyncRegistrationTableTests: XCTestCase {
    func testClosuresWithoutParameters() {
        row(.plain, "note") { $0.register { Note() } }
        row(.plain, "note") { $0.register { Note() as any Document } }
        row(.plain, "made") { $0.register { try Note.make() } }
        row(.plain, "note") { $0.register { () -> Note? in Note() } }
        row(.mainActor, "screen") { $0.register { @MainActor in Screen() } }
        row(.library, "book") { $0.register { @Library in Book() } }
        row(.asynchronous, "loaded") { $0.register { try await Note.load() } }
        row(.asynchronous, "slow") { $0.register { await Note(slowly: "slow") } }
        row(.asynchronous, "loaded") { $0.register { try await Note.load() as any Document } }
        row(.asynchronous, "loaded") { $0.register { return try await .load() as Note } }
        row(.asynchronous, "slow") { $0.register { () async -> Note in await Note(slowly: "slow") } }
        row(.asynchronous, "note") { $0.register { () async -> Note in Note() } }
        row(.asynchronous, "loaded") { $0.register { () async throws -> Note? in try await Note.load() } }
        row(.asynchronous, "loaded") { $0.register(factory: { try await Note.load() }) }
        row(.asynchronous, "screen") { $0.register { await Screen() } }
        row(.asynchronous, "screen") { $0.register { @MainActor in await Screen.open() } }
        row(.asynchronous, "book") { $0.register { @Library in await Book.fetch() } }
        row(.asynchronous, "note") { $0.register { @Sendable in await same(Note()) } }
    }

    func testClosuresWithAResolver() {
        row(.plain, "note") { $0.register { r in Note(r.note) } }
        row(.plain, "note") { $0.register { Note($0.note) } }
        row(.plain, "note") { $0.register { _ in Note() } }
        row(.mainActor, "note") { $0.register { @MainActor r in Screen(r.note) } }
        row(.library, "note") { $0.register { @Library r in Book(r.note) } }
        row(.asynchronous, "slow") { $0.register { _ in await Note(slowly: "slow") } }
        row(.asynchronous, "note") { $0.register { r in await Note(slowly: r.note) } }
        row(.asynchronous, "note") { $0.register { (r: Resolver) in await Note(slowly: r.note) } }
        row(.asynchronous, "note") { $0.register { await Note(slowly: $0.note) } }
        row(.asynchronous, "on a leaf") { $0.register { r in try await Note(on: r.resolveAsync()) } }
        row(.asynchronous, "on a leaf") { $0.register { try await Note(on: $0.resolveAsync()) as any Document } }
        row(.asynchronous, "on a leaf") { $0.register { r in await same(Note(on: try await r.resolveAsync())) } }
        row(.asynchronous, "note") { $0.register { r async -> Note? in Note(r.note) } }
        row(.asynchronous, "note") { $0.register { @MainActor r in await Screen.open(r.note) } }
        row(.asynchronous, "none") { r in
            r.register { r in Note(try await r.optionalAsync(Screen.self) == nil ? "none" : "one") }
        }
    }

    func testClosuresWithAResolverAndArguments() {
        row(.plain, "news", args: "news") { $0.register { _, args in Note(args()) } }
        row(.plain, "news", args: "news") { $0.register { Note($1()) } }
        row(.mainActor, "news", args: "news") { $0.register { @MainActor _, args in Screen(args()) } }
        row(.library, "news", args: "news") { $0.register { @Library in Book($1()) } }
        row(.asynchronous, "news", args: "news") { $0.register { _, args in await Note(slowly: args()) } }
        row(.asynchronous, "news", args: "news") { $0.register { await Note(slowly: $1()) } }
        row(.asynchronous, "note") { $0.register { r, _ in await Note(slowly: r.note) } }
        row(.asynchronous, "slow") { $0.register { _, _ in await Note(slowly: "slow") } }
        row(.asynchronous, "news", args: ["title": "news"]) {
            $0.register { (r, args) -> any Document in await Note(slowly: args("title")) }
        }
        row(.asynchronous, "news", args: "news") {
            $0.register { (_: Resolver, args: Resolver.Args) async throws -> Note in try Note(args.tryGet()) }
        }
        row(.asynchronous, "missingArgument") { $0.register { _, args in try await same(Note(args.tryGet())) } }
    }

    func testClosuresOfSeveralStatements() {
        row(.plain, "made") {
            $0.register {
                let note = try Note.make()
                return note
            }
        }
        row(.asynchronous, "loaded") {
            $0.register {
                let note = try await Note.load()
                return note
            }
        }
        row(.asynchronous, "loaded") {
            $0.register {
                async let note = Note.load()
                return try await note
            }
        }
        row(.asynchronous, "2") {
            $0.register { r in
                async let first: Leaf = r.resolveAsync()
                async let second: Leaf = r.resolveAsync()
                return try await Note("\([first, second].count)")
            }
        }
        row(.asynchronous, "3", args: 2) {
            $0.register { _, args in
                var sum = 0
                for await number in AsyncStream(counting: args()) { sum += number }
                return Note("\(sum)")
            }
        }
        row(.asynchronous, "factoryReturnedNil", args: 2) {
            $0.register { _, args -> Note? in
                for await number in AsyncStream(counting: args()) where number > 2 { return Note() }
                return nil
            }
        }
        row(.asynchronous, "loaded") {
            $0.register { () -> Note? in
                if let note = try? await Note.load() { return note }
                return nil
            }
        }
        row(.asynchronous, "made") {
            $0.register {
                do { return try await Note.lose() } catch { return try Note.make() }
            }
        }
        row(.asynchronous, "2") {
            $0.register {
                await withTaskGroup(of: Note.self) { group in
                    for _ in 0..<2 { group.addTask { Note() } }
                    return await Note("\(group.reduce(0) { count, _ in count + 1 })")
                }
            }
        }
    }
}
