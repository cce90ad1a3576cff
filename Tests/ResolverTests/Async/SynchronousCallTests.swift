import Resolver
import Testing

/// Synchronous calls for asynchronous services: they return a cached instance or throw, and never wait.
@Suite struct SynchronousCallTests {
    private static let keeping: [ResolverScope] = [
        ResolverScopeCache(), .container, ResolverScopeShare(), ResolverScopeCache(sharing: .definition),
    ]

    /// Registers a leaf whose factory waits for `mayEnd`.
    private static func resolver(_ scope: ResolverScope, _ runs: Gate, _ mayEnd: Gate) -> Resolver {
        let resolver = Resolver()
        resolver.register { () -> Leaf in
            runs.open()
            await mayEnd.pass()
            return Leaf()
        }.scope(scope)
        return resolver
    }

    private static func expectRefusal(
        _ resolver: Resolver, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        let error = resolver.failure(Leaf.self)
        #expect(error?.code == .requiresAsync, sourceLocation: sourceLocation)
        #expect(error?.path.count == 1, sourceLocation: sourceLocation)
        #expect(resolver.existing(Leaf.self) == nil, sourceLocation: sourceLocation)
    }

    @Test func `synchronous calls are refused until the creation task finishes and then get its instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for scope in SynchronousCallTests.keeping {
                let runs = Gate(), mayEnd = Gate()
                let resolver = SynchronousCallTests.resolver(scope, runs, mayEnd)
                SynchronousCallTests.expectRefusal(resolver)
                let creation = Task { try await resolver.resolveAsync(Leaf.self) }
                await runs.pass()
                SynchronousCallTests.expectRefusal(resolver)
                Threads.run(2) { _ in SynchronousCallTests.expectRefusal(resolver) }
                mayEnd.open()
                let leaf = try await creation.value
                #expect(resolver.existing(Leaf.self) === leaf)
                #expect(resolver.resolve(Leaf.self) === leaf)
                #expect(resolver.optional(Leaf.self) === leaf)
                #expect(try resolver.tryResolve(Leaf.self) === leaf)
            }
        }
    }

    @Test func `synchronous calls are refused again after a reset`() async throws {
        let resolver = Resolver(), cache = ResolverScopeCache()
        resolver.register { await yielding(Leaf()) }.scope(cache)
        let leaf = try await resolver.resolveAsync(Leaf.self)
        #expect(try resolver.tryResolve(Leaf.self) === leaf)
        cache.reset()
        SynchronousCallTests.expectRefusal(resolver)
    }

    /// An argument that runs user code between the lookup of a service and the call of its scope.
    private struct CallingArgument: Hashable {
        let call: @Sendable () -> Void

        static func == (left: CallingArgument, right: CallingArgument) -> Bool { true }
        func hash(into hasher: inout Hasher) { call() }
    }

    /// - Parameter isRemoved: whether the registration is removed, or another one replaces it.
    @Test(arguments: [false, true])
    func `a call returns no instance of a replaced or removed registration`(_ isRemoved: Bool) async throws {
        let resolver = Resolver(), isArmed = Box(false)
        resolver.register { await yielding(Leaf()) }.scope(.cached).scopeOnArguments()
        let argument = CallingArgument {
            guard isArmed.exchange(false) else { return }
            if isRemoved { resolver.reset(.registrations) } else { resolver.register { Leaf() } }
        }
        let kept = try await resolver.resolveAsync(Leaf.self, args: argument)
        isArmed.set(true)
        let later = Result { try resolver.tryResolve(Leaf.self, args: argument) }
        if isRemoved {
            #expect(later.resolutionError?.code == .notRegistered)
        } else {
            #expect(try later.get() !== kept)
        }
    }

    private enum EntryPoint: String, CaseIterable, Codable { case resolve, optional, injected, lazyInjected }

    @Test(arguments: EntryPoint.allCases)
    private func `synchronous entry points that cannot throw trap with the same text`(_ call: EntryPoint) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [call] in
            Child.mustEnd()
            func resolver(_ scope: ResolverScope) -> Resolver { SynchronousCallTests.resolver(scope, Gate(), Gate()) }
            switch call {
            case .resolve: _ = resolver(ResolverScopeCache()).resolve(Leaf.self)
            case .optional: _ = resolver(.unique).optional(Leaf.self)
            case .injected: _ = Injected<Leaf>(container: resolver(.graph))
            case .lazyInjected: _ = LazyInjected<Leaf>(container: resolver(ResolverScopeShare())).wrappedValue
            }
        }
        let text = try result.errorText
        #expect(text.contains("Its factory is asynchronous, and ") && text.contains("resolveAsync()"), "\(text)")
    }

    // MARK: Synchronous factories

    private final class Holder: Sendable {
        let leaf: Leaf
        init(_ leaf: Leaf) { self.leaf = leaf }
    }

    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache(), ResolverScopeShare()])
    func `a synchronous factory that needs an asynchronous service runs once and fails`(_ scope: ResolverScope) async {
        let resolver = Resolver(), runs = Box(0), asynchronousRuns = Box(0)
        resolver.register(fileID: "Shop/App.swift", line: 1) { await asynchronousRuns.counting(yielding(Leaf())) }
            .scope(scope)
        resolver.register(fileID: "Shop/App.swift", line: 2) { r -> Holder in
            runs.increment()
            return Holder(try r.tryResolve())
        }
        let error = await resolver.asyncFailure(Holder.self)
        #expect(error?.code == .requiresAsync)
        #expect(error?.path.map(\.location?.line) == [2, 1])
        #expect(runs.value == 1)
        #expect(asynchronousRuns.value == 0)
    }

    @MainActor private final class Screen {}
    private final class Frame: Sendable {
        let screen: Screen
        init(_ screen: Screen) { self.screen = screen }
    }

    @Test func `a synchronous factory off the main actor cannot need a main-actor service`() async throws {
        let resolver = Resolver(), runs = Box(0)
        resolver.register { @MainActor in Screen() }.scope(.unique)
        resolver.register { r -> Frame in
            runs.increment()
            return Frame(try r.tryResolve())
        }
        let error = await resolver.asyncFailure(Frame.self)
        #expect(error?.code == .wrongIsolation)
        #expect(error?.path.count == 2)
        #expect(runs.value == 1)
        _ = try await Task { @MainActor in try await resolver.resolveAsync(Frame.self) }.value
        #expect(runs.value == 2)
    }
}
