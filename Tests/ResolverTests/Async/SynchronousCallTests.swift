import Resolver
import Testing

/// Synchronous calls for asynchronous services: they return a cached instance or throw, and never wait.
@Suite struct SynchronousCallTests {
    /// - Parameter isRemoved: whether the registration is removed, or another one replaces it.
    @Test(arguments: [false, true])
    func `a call returns no instance of a replaced or removed registration`(_ isRemoved: Bool) async throws {
        let resolver = Resolver(), isArmed = Box(false)
        resolver.register { await yielding(Leaf()) }.scope(.cached).scopeOnArguments()
        let argument = CallingArgument(onHash: {
            guard isArmed.exchange(false) else { return }
            if isRemoved { resolver.reset(.registrations) } else { resolver.register { Leaf() } }
        })
        let kept = try await resolver.resolveAsync(Leaf.self, args: argument)
        isArmed.set(true)
        let later = Result { try resolver.tryResolve(Leaf.self, args: argument) }
        expect(later.resolutionError?.code, is: isRemoved ? .notRegistered : nil)
        expect((try? later.get()) !== kept)
    }

    private enum EntryPoint: String, CaseIterable, Codable { case resolve, optional, injected, lazyInjected }

    @Test(arguments: EntryPoint.allCases)
    private func `synchronous entry points that cannot throw trap with the same text`(_ call: EntryPoint) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [call] in
            let scopes: [EntryPoint: ResolverScope] = [.resolve: .cached, .optional: .unique, .lazyInjected: .shared]
            let resolver = Resolver()
            resolver.register { () async in Leaf() }.scope(scopes[call] ?? .graph)
            switch call {
            case .resolve: _ = resolver.resolve(Leaf.self)
            case .optional: _ = resolver.optional(Leaf.self)
            case .injected: _ = Injected<Leaf>(container: resolver)
            case .lazyInjected: _ = LazyInjected<Leaf>(container: resolver).wrappedValue
            }
        }
        let text = try result.errorText
        expect(text.contains("Its factory is asynchronous, and ") && text.contains("resolveAsync()"), "\(text)")
    }

    @MainActor private final class Screen {}
    private typealias Frame = Holder<Screen>

    @Test func `a synchronous factory off the main actor cannot need a main-actor service`() async throws {
        let resolver = Resolver(), runs = Box(0)
        resolver.register { @MainActor in Screen() }.scope(.unique)
        resolver.register { r -> Frame in
            runs.increment()
            return Frame(try r.tryResolve())
        }
        let error = await resolver.asyncFailure(Frame.self)
        expect(error?.code, is: .wrongIsolation)
        expect(error?.path.count, is: 2)
        expect(runs.value, is: 1)
        _ = try await Task { @MainActor in try await resolver.resolveAsync(Frame.self) }.value
        expect(runs.value, is: 2)
    }
}
