import Resolver
import XCTest

/// How functions, stored closures, types, modifiers and the place of the call determine the kind of a factory.
final class AsyncFunctionTableTests: XCTestCase {
    /// In this mode the compiler requires functions to be `@Sendable`, which functions of actors and initializers
    /// cannot be.
    func testFunctions() {
        row(.plain, "note") { $0.register(factory: note) }
        row(.plain, "made") { $0.register(factory: Note.make) }
        row(.plain, "note") { $0.register(factory: noteOf) }
        row(.mainActor, "screen") { $0.register { @MainActor in screen() } }
        row(.library, "book") { $0.register { @Library in book() } }
        row(.asynchronous, "slow") { $0.register(factory: slowNote) }
        row(.asynchronous, "note") { $0.register(factory: slowNoteOf) }
        row(.asynchronous, "news", args: "news") { $0.register(factory: slowNoteOn) }
        row(.asynchronous, "screen") { $0.register(factory: slowScreen) }
        row(.asynchronous, "loaded") { $0.register(factory: Note.load) }
        row(.plain, "sync") { $0.register { either() } }
        row(.asynchronous, "async") { $0.register { await either() } }
        row(.asynchronous, "loaded") {
            @Sendable func load() async throws -> Note { try await Note.load() }
            return $0.register { try await load() }
        }
    }

    func testStoredClosures() {
        let plain: ResolverFactory<Note> = { Note() }
        row(.plain, "note") { $0.register(factory: plain) }
        let isolated: @MainActor @Sendable () -> Screen = { Screen() }
        row(.mainActor, "screen") { $0.register(factory: isolated) }
        let unknown: ResolverIsolatedFactory<Screen> = isolated
        row(.mainActor, "screen") { $0.register(factory: unknown) }
        let ofTheLibrary: @Library @Sendable (Resolver) throws -> Book = { Book($0.note) }
        row(.library, "note") { $0.register(factory: ofTheLibrary) }
        let asynchronous: ResolverAsyncFactory<Note> = { Note() }
        row(.asynchronous, "note") { $0.register(factory: asynchronous) }
        let withResolver: ResolverAsyncFactoryResolver<any Document> = { Note($0.note) }
        row(.asynchronous, "note") { $0.register(factory: withResolver) }
        let withArguments: ResolverAsyncFactoryArgumentsN<Note> = { try Note($1.tryGet()) }
        row(.asynchronous, "news", args: "news") { $0.register(factory: withArguments) }
        let isolatedToo: @MainActor @Sendable () async -> Screen = { Screen() }
        row(.asynchronous, "screen") { $0.register(factory: isolatedToo) }
    }

    func testCaptures() {
        let label = "captured"
        let clerk = Clerk()
        row(.plain, "captured") { $0.register { [label] in Note(label) } }
        row(.asynchronous, "captured") { $0.register { [label] in await Note(slowly: label) } }
        row(.asynchronous, "note") { $0.register { [clerk] r in await Note(clerk.same(r.note)) } }
        row(.asynchronous, "gone") {
            $0.register { [weak gone = Optional<Clerk>.none] in await Note(gone?.same("there") ?? "gone") }
        }
        // An `await` in a nested closure does not make the factory asynchronous.
        row(.plain, "note") {
            $0.register {
                Task { await clerk.same(()) }
                return Note()
            }
        }
    }

    func testTypesAndNames() {
        row(.plain, "note") { $0.register((any Document).self) { Note() } }
        row(.mainActor, "screen") { $0.register((any Document).self) { @MainActor in Screen() } }
        row(.asynchronous, "loaded") { $0.register((any Document).self) { try await Note.load() } }
        row(.asynchronous, "on a leaf") { $0.register(Note.self) { r in try await Note(on: r.resolveAsync()) } }
        row(.asynchronous, "slow", name: .fred) { $0.register(name: .fred) { await Note(slowly: "slow") } }
        row(.asynchronous, "note", name: "Fred") {
            $0.register((any Document).self, name: .fred) { await Note(slowly: $0.note) }
        }
        row(.asynchronous, "news", name: .fred, args: "news") {
            $0.register(Note.self, name: "Fred") { _, args in await Note(slowly: args()) }
        }
        row(.plain, "clerk") { $0.register { Clerk() } }
        row(.asynchronous, "clerk") { $0.register { await Clerk().same(Clerk()) } }
        row(.asynchronous, "sign") { $0.register { await Clerk().same(Sign(label: "sign")) } }
    }

    func testModifiers() {
        let scopes: [ResolverScope] = [.cached, .container, .graph, .shared, .unique, .session]
        for scope in scopes {
            row(.asynchronous, "loaded") { $0.register { try await Note.load() }.scope(scope) }
        }
        row(.asynchronous, "loaded") { $0.register { try await Note.load() }.scope(.application) }
        row(.asynchronous, "loaded", as: (any Document).self) {
            $0.register { try await Note.load() }.implements((any Document).self).scope(.container)
        }
        row(.asynchronous, "loaded", as: (any Document).self, name: .barney) {
            $0.register(name: .fred) { try await Note.load() }.implements((any Document).self, name: .barney)
        }
        row(.asynchronous, "factoryFailed") {
            $0.register { try await Note.load() }.resolveProperties { _, _ in throw Unplugged() }
        }
        row(.asynchronous, "news", args: "news") {
            $0.register { _, args in await Note(slowly: args()) }
                .scope(.container).timeToLive(60).timeToLive(60, from: .creation).scopeOnArguments()
                .onRelease { _ in }
        }
        row(.asynchronous, "news", args: "news") {
            $0.register { await Note(slowly: $1()) }.scopeOnArguments(String.self).scope(ResolverScopeCache())
        }
    }

    func testAnAsynchronousFactoryWithAnIsolatedBlockIsAsynchronous() {
        row(.asynchronous, "screen") {
            $0.register { await Screen() }.resolveProperties { @MainActor r, screen in screen.reads = r.note }
        }
    }

    // MARK: Where `register` is called

    private func registerHere(on resolver: Resolver) -> ResolverOptions<Note> {
        resolver.register { try await Note.load() }
    }

    private func registerAsynchronously(on resolver: Resolver) async -> ResolverOptions<Note> {
        await Task.yield()
        return resolver.register { r in await Note(slowly: r.note) }
    }

    @MainActor private func registerOnTheMainActor(_ resolver: Resolver) -> ResolverOptions<Screen> {
        resolver.register { r in await Screen(r.note) }
    }

    @MainActor private func registerPlainlyOnTheMainActor(_ resolver: Resolver) -> ResolverOptions<Note> {
        resolver.register { Note() }
    }

    private actor Desk {
        func register(on resolver: Resolver) -> ResolverOptions<Note> {
            resolver.register { try await Note.load() }
        }

        func registerPlainly(on resolver: Resolver) -> ResolverOptions<Note> {
            resolver.register { Note() }
        }

        func registerItsOwn(on resolver: Resolver) -> ResolverOptions<Note> {
            resolver.register { [weak self] _ in await self?.note() }
        }

        private func note() -> Note { Note("desk") }
    }

    func testPlaces() async {
        await row(.asynchronous, "loaded") { registerHere(on: $0) }
        await row(.asynchronous, "note") { await registerAsynchronously(on: $0) }
        await row(.asynchronous, "note") { await registerOnTheMainActor($0) }
        await row(.plain, "note") { await registerPlainlyOnTheMainActor($0) }
        await row(.asynchronous, "loaded") { await Desk().register(on: $0) }
        await row(.plain, "note") { await Desk().registerPlainly(on: $0) }
        let desk = Desk()
        await row(.asynchronous, "desk") { await desk.registerItsOwn(on: $0) }
        await row(.asynchronous, "factoryReturnedNil") { await Desk().registerItsOwn(on: $0) }
    }
}

/// The static functions, on an empty `main`.
final class AsyncStaticTests: ProcessWideTestCase {
    func testTheStaticSpellings() async throws {
        class Poster {
            let label: String
            init(_ label: String) async { self.label = label }
        }
        Resolver.register { await Poster("poster") }
        Resolver.register(name: .fred) { r in await Poster(r === Resolver.main ? "main" : "another") }
        Resolver.register(name: .barney) { _, args in try await Poster(args.tryGet()) }
        let unnamed: Poster = try await Resolver.resolveAsync()
        let fred = try await Resolver.resolveAsync(Poster.self, name: .fred)
        let barney = try await Resolver.optionalAsync(Poster.self, name: .barney, args: "news")
        XCTAssertEqual([unnamed.label, fred.label, barney?.label], ["poster", "main", "news"])
        XCTAssertThrowsError(try Resolver.tryResolve(Poster.self)) {
            XCTAssertEqual(($0 as? ResolutionError)?.code, .requiresAsync)
        }
    }
}

@Sendable private func note() -> Note { Note() }
@Sendable private func noteOf(_ resolver: Resolver) throws -> Note? { Note(resolver.note) }
@MainActor private func screen() -> Screen { Screen() }
@Library private func book() -> Book { Book() }
@Sendable private func slowNote() async -> Note { await Note(slowly: "slow") }
@Sendable private func slowNoteOf(_ resolver: Resolver) async throws -> Note? { Note(resolver.note) }
@Sendable private func slowNoteOn(_ resolver: Resolver, _ args: Resolver.Args) async throws -> Note {
    try Note(args.tryGet())
}
@MainActor @Sendable private func slowScreen() async -> Screen { Screen() }
private func either() -> Note { Note("sync") }
private func either() async -> Note { Note("async") }
