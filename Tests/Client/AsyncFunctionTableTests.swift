import Resolver
import Testing

/// How functions, stored closures, types, modifiers and the place of the call determine the kind of a factory.
@Suite struct AsyncFunctionTableTests {
    @Test func `functions and initializers keep their kind of factory`() async {
        await row(.plain, "note") { $0.register(factory: note) }
        await row(.plain, "made") { $0.register(factory: Note.make) }
        await row(.plain, "note") { $0.register(factory: noteOf) }
        // Swift 5 mode does not infer that functions of actors and initializers are `@Sendable`.
        #if swift(>=6)
            await row(.mainActor, "screen") { $0.register(factory: screen) }
            await row(.library, "book") { $0.register(factory: book) }
            await row(.asynchronous, "draft") { $0.register(factory: Draft.init) }
            await row(.asynchronous, "on a leaf") { $0.register(factory: DraftOn.init) }
            await row(.plain, "clerk") { $0.register(factory: Clerk.init) }
        #endif
        await row(.mainActor, "screen") { $0.register { @MainActor in screen() } }
        await row(.library, "book") { $0.register { @Library in book() } }
        await row(.asynchronous, "slow") { $0.register(factory: slowNote) }
        await row(.asynchronous, "note") { $0.register(factory: slowNoteOf) }
        await row(.asynchronous, "news", args: "news") { $0.register(factory: slowNoteOn) }
        await row(.asynchronous, "screen") { $0.register(factory: slowScreen) }
        await row(.asynchronous, "loaded") { $0.register(factory: Note.load) }
        await row(.plain, "sync") { $0.register { either() } }
        await row(.asynchronous, "async") { $0.register { await either() } }
        await row(.asynchronous, "loaded") {
            @Sendable func load() async throws -> Note { try await Note.load() }
            return $0.register { try await load() }
        }
    }

    @Test func `stored closures keep their kind of factory`() async {
        let plain: ResolverFactory<Note> = { Note() }
        await row(.plain, "note") { $0.register(factory: plain) }
        let isolated: @MainActor @Sendable () -> Screen = { Screen() }
        await row(.mainActor, "screen") { $0.register(factory: isolated) }
        let unknown: ResolverIsolatedFactory<Screen> = isolated
        await row(.mainActor, "screen") { $0.register(factory: unknown) }
        let ofTheLibrary: @Library @Sendable (Resolver) throws -> Book = { Book($0.note) }
        await row(.library, "note") { $0.register(factory: ofTheLibrary) }
        let asynchronous: ResolverAsyncFactory<Note> = { Note() }
        await row(.asynchronous, "note") { $0.register(factory: asynchronous) }
        let withResolver: ResolverAsyncFactoryResolver<any Document> = { Note($0.note) }
        await row(.asynchronous, "note") { $0.register(factory: withResolver) }
        let withArguments: ResolverAsyncFactoryArgumentsN<Note> = { try Note($1.tryGet()) }
        await row(.asynchronous, "news", args: "news") { $0.register(factory: withArguments) }
        let isolatedToo: @MainActor @Sendable () async -> Screen = { Screen() }
        await row(.asynchronous, "screen") { $0.register(factory: isolatedToo) }
    }

    @Test func `closures with captures keep their kind of factory`() async {
        let label = "captured", clerk = Clerk()
        await row(.plain, "captured") { $0.register { [label] in Note(label) } }
        await row(.asynchronous, "captured") { $0.register { [label] in await Note(slowly: label) } }
        await row(.asynchronous, "note") { $0.register { [clerk] r in await Note(clerk.same(r.note)) } }
        await row(.asynchronous, "gone") {
            $0.register { [weak gone = Optional<Clerk>.none] in await Note(gone?.same("there") ?? "gone") }
        }
        // An `await` in a nested closure does not make the factory asynchronous.
        await row(.plain, "note") {
            $0.register {
                Task { await clerk.same(()) }
                return Note()
            }
        }
    }

    @Test func `typed and named registrations keep their kind of factory`() async {
        await row(.plain, "note") { $0.register((any Document).self) { Note() } }
        await row(.mainActor, "screen") { $0.register((any Document).self) { @MainActor in Screen() } }
        await row(.asynchronous, "loaded") { $0.register((any Document).self) { try await Note.load() } }
        await row(.asynchronous, "on a leaf") { $0.register(Note.self) { r in try await Note(on: r.resolveAsync()) } }
        await row(.asynchronous, "slow", name: .fred) { $0.register(name: .fred) { await Note(slowly: "slow") } }
        await row(.asynchronous, "note", name: "Fred") {
            $0.register((any Document).self, name: .fred) { await Note(slowly: $0.note) }
        }
        await row(.asynchronous, "news", name: .fred, args: "news") {
            $0.register(Note.self, name: "Fred") { _, args in await Note(slowly: args()) }
        }
        await row(.plain, "clerk") { $0.register { Clerk() } }
        await row(.asynchronous, "clerk") { $0.register { await Clerk().same(Clerk()) } }
        await row(.asynchronous, "sign") { $0.register { await Clerk().same(Sign(label: "sign")) } }
    }

    @Test func `modifiers keep the kind of factory`() async {
        let scopes: [ResolverScope] = [.cached, .container, .graph, .shared, .unique, .session]
        for scope in scopes {
            await row(.asynchronous, "loaded") { $0.register { try await Note.load() }.scope(scope) }
        }
        await row(.asynchronous, "loaded") { $0.register { try await Note.load() }.scope(.application) }
        await row(.asynchronous, "loaded", as: (any Document).self) {
            $0.register { try await Note.load() }.implements((any Document).self).scope(.container)
        }
        await row(.asynchronous, "loaded", as: (any Document).self, name: .barney) {
            $0.register(name: .fred) { try await Note.load() }.implements((any Document).self, name: .barney)
        }
        await row(.asynchronous, "factoryFailed") {
            $0.register { try await Note.load() }.resolveProperties { _, _ in throw Unplugged(socket: 1) }
        }
        await row(.asynchronous, "news", args: "news") {
            $0.register { _, args in await Note(slowly: args()) }
                .scope(.container).timeToLive(60).timeToLive(60, from: .creation).scopeOnArguments()
                .onRelease { _ in }
        }
        await row(.asynchronous, "news", args: "news") {
            $0.register { await Note(slowly: $1()) }.scopeOnArguments(String.self).scope(ResolverScopeCache())
        }
        await row(.asynchronous, "screen") {
            $0.register { await Screen() }.resolveProperties { @MainActor r, screen in screen.reads = r.note }
        }
    }

    nonisolated private func registerHere(on resolver: Resolver) -> ResolverOptions<Note> {
        resolver.register { try await Note.load() }
    }

    nonisolated private func registerAsynchronously(on resolver: Resolver) async -> ResolverOptions<Note> {
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
        func register(on resolver: Resolver) -> ResolverOptions<Note> { resolver.register { try await Note.load() } }

        func registerPlainly(on resolver: Resolver) -> ResolverOptions<Note> { resolver.register { Note() } }

        func registerItsOwn(on resolver: Resolver) -> ResolverOptions<Note> {
            resolver.register { [weak self] _ in await self?.note() }
        }

        private func note() -> Note { Note("desk") }
    }

    @Test func `the place of register keeps the kind of factory`() async {
        await row(.asynchronous, "loaded") { registerHere(on: $0) }
        await row(.asynchronous, "note") { await registerAsynchronously(on: $0) }
        await row(.asynchronous, "note") { await same(registerOnTheMainActor($0)) }
        await row(.plain, "note") { await same(registerPlainlyOnTheMainActor($0)) }
        await row(.asynchronous, "loaded") { await Desk().register(on: $0) }
        await row(.plain, "note") { await Desk().registerPlainly(on: $0) }
        let desk = Desk()
        await row(.asynchronous, "desk") { await desk.registerItsOwn(on: $0) }
        await row(.asynchronous, "factoryReturnedNil") { await Desk().registerItsOwn(on: $0) }
    }

    @Test func `static register accepts asynchronous factories`() async throws {
        final class Poster: Sendable {
            let label: String
            init(_ label: String) async { self.label = label }
        }
        Resolver.register { await Poster("poster") }
        Resolver.register(name: .fred) { r in await Poster(r === Resolver.main ? "main" : "another") }
        Resolver.register(name: .barney) { _, args in try await Poster(args.tryGet()) }
        try await expect(Resolver.resolveAsync(Poster.self).label, is: "poster")
        try await expect(Resolver.resolveAsync(Poster.self, name: .fred).label, is: "main")
        try await expect(Resolver.optionalAsync(Poster.self, name: .barney, args: "news")?.label, is: "news")
        let error = #expect(throws: ResolutionError.self) { try Resolver.tryResolve(Poster.self) }
        expect(error?.code, is: .requiresAsync)
    }
}

@Sendable nonisolated private func note() -> Note { Note() }
@Sendable nonisolated private func noteOf(_ resolver: Resolver) throws -> Note? { Note(resolver.note) }
@MainActor private func screen() -> Screen { Screen() }
@Library private func book() -> Book { Book() }
@Sendable nonisolated private func slowNote() async -> Note { await Note(slowly: "slow") }
@Sendable nonisolated private func slowNoteOf(_ resolver: Resolver) async throws -> Note? { Note(resolver.note) }
@Sendable nonisolated private func slowNoteOn(_ resolver: Resolver, _ args: Resolver.Args) async throws -> Note {
    try Note(args.tryGet())
}
@MainActor @Sendable private func slowScreen() async -> Screen { Screen() }
nonisolated private func either() -> Note { Note("sync") }
nonisolated private func either() async -> Note { Note("async") }

/// A note that only an asynchronous factory can create.
nonisolated private final class Draft: Document {
    let label: String

    init() async { label = "draft" }
}

/// A note that is created from other notes.
nonisolated private final class DraftOn: Document {
    let label: String

    init(resolver: Resolver) async throws { label = try await Note(on: resolver.resolveAsync()).label }
}
