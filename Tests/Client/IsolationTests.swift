import Resolver
import Testing

@Suite struct IsolationTests {
    private let resolver = Resolver()

    /// The main actor is not bound to a thread: after a suspension it may run on another one.
    @Test @MainActor func `factories of the main actor run after a suspension`() async throws {
        resolver.register { @MainActor in ViewModel() }
        await Task.detached {}.value
        try expect(resolver.tryResolve(ViewModel.self).title, is: "title")
    }

    @Test func `a plain factory with an isolated property block is isolated`() async throws {
        resolver.register { Page() }.resolveProperties { @MainActor _, page in page.count = 1 }
        let error = await Task.detached { [resolver] in
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(Page.self) }
        }.value
        expect(error?.code, is: .wrongIsolation)
        try await expect(MainActor.run { [resolver] in try resolver.tryResolve(Page.self).count }, is: 1)
    }

    @Test func `a cached service of the main actor is returned off it`() async throws {
        resolver.register { @MainActor in ViewModel() }.scope(.container)
        let model = try await MainActor.run { [resolver] in try resolver.tryResolve(ViewModel.self) }
        await expect(Task.detached { [resolver] in try? resolver.tryResolve(ViewModel.self) }.value === model)
    }
}
