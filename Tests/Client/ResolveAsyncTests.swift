import Resolver
import Testing

@Suite struct ResolveAsyncTests {
    private let resolver = Resolver()

    private func anywhere<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
        -> Result
    { try await Task.detached(operation: body).value }

    private func failure<Service>(_ body: @Sendable () async throws -> Service) async -> ResolutionError? {
        do {
            _ = try await body()
            return nil
        } catch { return error as? ResolutionError }
    }

    @Test func `a service of the main actor is created there for a detached task`() async throws {
        resolver.register { Sign(label: "sign") }
        resolver.register { @MainActor in ViewModel() }
        resolver.register(name: "resolver") { @MainActor r in ViewModel(r.resolve(Sign.self).label) }
        resolver.register(name: "arguments") { @MainActor _, args in ViewModel(args()) }
        resolver.register(name: "properties") { ViewModel.make() }
            .resolveProperties { @MainActor _, model in model.title = "completed" }
        let titles = try await anywhere { [resolver] in
            let models: [ViewModel] = [
                try await resolver.resolveAsync(), try await resolver.resolveAsync(name: "resolver"),
                try await resolver.resolveAsync(name: "arguments", args: "news"),
                try await resolver.resolveAsync(name: "properties"),
            ]
            return await MainActor.run { models.map(\.title) }
        }
        expect(titles, is: ["title", "sign", "news", "completed"])
    }

    @Test func `a nonisolated service is created in the caller's isolation`() async throws {
        resolver.register { @MainActor in ViewModel() }
        resolver.register { r in
            // Shows the isolation: this call succeeds only on the main actor.
            Sign(label: (try? r.tryResolve(ViewModel.self)) == nil ? "elsewhere" : "main actor")
        }.scope(.unique)
        try await expect(onTheMainActor().label, is: "main actor")
        let sign = try await anywhere { [resolver] () -> Sign in try await resolver.resolveAsync() }
        expect(sign.label, is: "elsewhere")
    }

    @MainActor private func onTheMainActor() async throws -> Sign { try await resolver.resolveAsync() }

    @Test func `resolveAsync resolves an alias of a main-actor service`() async throws {
        resolver.register { @MainActor in ViewModel("title") }.implements((any ViewModelRole).self)
        let titled: any ViewModelRole = try await anywhere { [resolver] in try await resolver.resolveAsync() }
        await expect(MainActor.run { titled.title }, is: "title")
    }

    @Test func `sixty four tasks get one cached main-actor service`() async throws {
        let made = Box(0)
        resolver.register { @MainActor () -> ViewModel in
            made.increment()
            return ViewModel()
        }.scope(.container)
        let models = try await Tasks.results(64) { [resolver] _ in try await resolver.resolveAsync(ViewModel.self) }
        expect(Set(models.map(ObjectIdentifier.init)).count, is: 1)
        expect(made.value, is: 1)
    }

    /// Another job of the main actor runs only if this one suspends.
    @Test @MainActor
    func `a service is created on its actor, and a cached one of any actor is returned, without suspending`()
        async throws
    {
        resolver.register { @MainActor in ViewModel() }
        resolver.register { @Workshop in Tool() }.scope(.container)
        resolver.register(name: "shared") { @Workshop in Tool() }.scope(.shared)
        let tool: Tool = try await resolver.resolveAsync(),
            shared: Tool = try await resolver.resolveAsync(name: "shared")
        let other = OtherJob()
        _ = try await resolver.resolveAsync(ViewModel.self)
        try await expect(resolver.resolveAsync(Tool.self) === tool)
        try await expect(resolver.resolveAsync(Tool.self, name: "shared") === shared)
        expect(!other.hasRun)
        await other.task?.value
        expect(other.hasRun)
        expect(tool.uses, is: 1)
    }

    @Test func `an isolated factory's nil is an error for resolveAsync and nil for optionalAsync`() async throws {
        resolver.register { @MainActor () -> ViewModel? in nil }
        let error = await failure { [resolver] in try await resolver.resolveAsync(ViewModel.self) }
        expect(error?.code, is: .factoryReturnedNil)
        try await expect(resolver.optionalAsync(ViewModel.self), is: nil)
    }

    @Test func `static resolveAsync and optionalAsync use the root`() async throws {
        await expect(failure { try await Resolver.resolveAsync(OtherJob.self) }?.code, is: .notRegistered)
        try await expect(Resolver.optionalAsync(OtherJob.self), is: nil)
    }

    private func notes() async throws -> [Note] {
        let note: Note = try await resolver.resolveAsync()
        return try await [note, #require(resolver.optionalAsync())]
    }

    @MainActor private func notesOnTheMainActor() async throws -> [Note] {
        let note: Note = try await resolver.resolveAsync()
        return try await [note, #require(resolver.optionalAsync())]
    }

    private actor Shelf {
        func notes(from resolver: Resolver) async throws -> [Note] {
            let note: Note = try await resolver.resolveAsync()
            return try await [note, #require(resolver.optionalAsync())]
        }
    }

    @Test(arguments: [(.container, 1), (.unique, 10)] as [(ResolverScope, Int)])
    func `an asynchronous service is resolved from any isolation`(_ scope: ResolverScope, instances: Int) async throws {
        resolver.register { try await Note.load() }.scope(scope)
        var all = try await notes() + notesOnTheMainActor() + Shelf().notes(from: resolver)
        all += try await Task { [resolver] in
            let note: Note = try await resolver.resolveAsync()
            return try await [note, #require(resolver.optionalAsync())]
        }.value
        try await withThrowingTaskGroup(of: Note.self) { [resolver] group in
            group.addTask { try await resolver.resolveAsync() }
            group.addTask { try #require(try await resolver.optionalAsync()) }
            for try await note in group { all.append(note) }
        }
        expect(all.map(\.label), is: Array(repeating: "loaded", count: 10))
        expect(Set(all.map(ObjectIdentifier.init)).count, is: instances)
    }
}

@globalActor private actor Workshop { static let shared = Workshop() }

@Workshop private final class Tool {
    let uses: Int
    init() { uses = 1 }
}

@MainActor private protocol ViewModelRole: Sendable { var title: String { get } }

extension ViewModel: ViewModelRole {}

extension ViewModel {
    /// For a nonisolated factory: tells the compiler the isolation that the block ensures.
    nonisolated fileprivate static func make() -> ViewModel { MainActor.assumeIsolated { ViewModel() } }
}

/// A job of the main actor that waits for its turn.
@MainActor private final class OtherJob {
    private(set) var hasRun = false
    private(set) var task: Task<Void, Never>?

    init() { task = Task { self.hasRun = true } }
}
