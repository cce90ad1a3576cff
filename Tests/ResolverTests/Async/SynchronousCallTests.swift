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

    private static func requireRefusal(_ resolver: Resolver, _ moment: String, line: UInt = #line) {
        let error = resolver.failure(Leaf.self)
        Child.require(error?.code == .requiresAsync, "\(moment): \(String(describing: error))", line: line)
        Child.require(error?.path.count == 1, "\(moment): \(String(describing: error))", line: line)
        Child.require(resolver.existing(Leaf.self) == nil, "\(moment): nothing exists", line: line)
    }

    @Test func `synchronous calls are refused until the creation task finishes and then get its instance`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for scope in SynchronousCallTests.keeping {
                let runs = Gate(), mayEnd = Gate()
                let resolver = SynchronousCallTests.resolver(scope, runs, mayEnd)
                SynchronousCallTests.requireRefusal(resolver, "before")
                let creation = Task { try await resolver.resolveAsync(Leaf.self) }
                await runs.pass()
                SynchronousCallTests.requireRefusal(resolver, "during")
                Threads.run(2) { _ in SynchronousCallTests.requireRefusal(resolver, "on a thread") }
                mayEnd.open()
                guard let leaf = try? await creation.value else { return Child.require(false, "made") }
                Child.require(resolver.existing(Leaf.self) === leaf, "existing")
                Child.require(resolver.resolve(Leaf.self) === leaf, "resolve")
                Child.require(resolver.optional(Leaf.self) === leaf, "optional")
                Child.require((try? resolver.tryResolve(Leaf.self)) === leaf, "tryResolve")
                Child.require(Injected<Leaf>(container: resolver).wrappedValue === leaf, "Injected")
                Child.require(LazyInjected<Leaf>(container: resolver).wrappedValue === leaf, "LazyInjected")
                Child.require(OptionalInjected<Leaf>(container: resolver).wrappedValue === leaf, "OptionalInjected")
            }
        }
    }

    @Test(arguments: [ResolverScope.unique, .graph])
    func `a synchronous call for an uncached asynchronous service is always refused`(_ scope: ResolverScope)
        async throws
    {
        let gate = Gate()
        gate.open()
        let resolver = SynchronousCallTests.resolver(scope, gate, gate)
        for _ in 0..<2 {
            let error = try #require(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
            #expect(error.code == .requiresAsync)
            #expect(error.path.count == 1)
            #expect(resolver.existing(Leaf.self) == nil)
            _ = try await resolver.resolveAsync(Leaf.self)
        }
    }

    @Test func `synchronous calls are refused again after a reset`() async throws {
        let gate = Gate(), cache = ResolverScopeCache()
        gate.open()
        let resolver = SynchronousCallTests.resolver(cache, gate, gate)
        let leaf = try await resolver.resolveAsync(Leaf.self)
        #expect(try resolver.tryResolve(Leaf.self) === leaf)
        cache.reset()
        #expect(throws: ResolutionError.self) { try resolver.tryResolve(Leaf.self) }
    }

    /// An argument that runs user code between the lookup of a service and the call of its scope.
    private struct Meddler: Hashable {
        let meddle: @Sendable () -> Void

        static func == (left: Meddler, right: Meddler) -> Bool { true }
        func hash(into hasher: inout Hasher) { meddle() }
    }

    /// Changes of a registration after its lookup.
    private enum Change: CaseIterable {
        case registeredAgain, removed

        func happen(in resolver: Resolver) {
            switch self {
            case .registeredAgain: resolver.register { Leaf() }
            case .removed: resolver.reset(.registrations)
            }
        }
    }

    @Test(arguments: Change.allCases)
    private func `a call returns no instance of a replaced or removed registration`(_ change: Change) async throws {
        let resolver = Resolver(), isMeddling = Box(false)
        resolver.register { () -> Leaf in
            await Task.yield()
            return Leaf()
        }.scope(.cached).scopeOnArguments()
        let argument = Meddler {
            guard isMeddling.value else { return }
            isMeddling.update { $0 = false }
            change.happen(in: resolver)
        }
        let kept = try await resolver.resolveAsync(Leaf.self, args: argument)
        isMeddling.update { $0 = true }
        do throws(ResolutionError) {
            let leaf = try resolver.tryResolve(Leaf.self, args: argument)
            #expect(change == .registeredAgain)
            #expect(leaf !== kept)
        } catch {
            #expect(error.code == .notRegistered)
            #expect(change == .removed)
        }
    }

    @Test func `synchronous entry points that cannot throw trap with the same text`() async throws {
        let sentence = "Its factory is asynchronous, and "
        func expectSentence(_ result: ExitTest.Result?, _ call: String) {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains(sentence) && text.contains("resolveAsync()"), "\(call): \(text)")
        }
        expectSentence(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Child.mustEnd()
                _ = SynchronousCallTests.resolver(ResolverScopeCache(), Gate(), Gate()).resolve(Leaf.self)
            }, "resolve")
        expectSentence(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Child.mustEnd()
                _ = SynchronousCallTests.resolver(.unique, Gate(), Gate()).optional(Leaf.self)
            }, "optional")
        expectSentence(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Child.mustEnd()
                _ = Injected<Leaf>(container: SynchronousCallTests.resolver(.graph, Gate(), Gate()))
            }, "Injected")
        expectSentence(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Child.mustEnd()
                let lazy = LazyInjected<Leaf>(
                    container: SynchronousCallTests.resolver(ResolverScopeShare(), Gate(), Gate()))
                _ = lazy.wrappedValue
            }, "LazyInjected")
    }

    // MARK: Synchronous factories

    private final class Holder: Sendable {
        let leaf: Leaf
        init(_ leaf: Leaf) { self.leaf = leaf }
    }

    @Test(arguments: [ResolverScope.unique, .graph, ResolverScopeCache(), ResolverScopeShare()])
    func `a synchronous factory that needs an asynchronous service runs once and fails`(_ scope: ResolverScope)
        async throws
    {
        let runs = Box(0), asynchronousRuns = Box(0)
        let resolver = Resolver()
        resolver.register(fileID: "Shop/App.swift", line: 1) { () -> Leaf in
            asynchronousRuns.increment()
            await Task.yield()
            return Leaf()
        }.scope(scope)
        resolver.register(fileID: "Shop/App.swift", line: 2) { r -> Holder in
            runs.increment()
            return Holder(try r.tryResolve())
        }
        let error = try await #require(throws: ResolutionError.self) { try await resolver.resolveAsync(Holder.self) }
        #expect(error.code == .requiresAsync)
        #expect(error.path.map(\.location?.line) == [2, 1])
        #expect(runs.value == 1)
        #expect(asynchronousRuns.value == 0)
    }

    @Test func `a synchronous factory gets the cached instance`() async throws {
        let gate = Gate()
        gate.open()
        let resolver = SynchronousCallTests.resolver(ResolverScopeCache(), gate, gate)
        resolver.register { r -> Holder in Holder(try r.tryResolve()) }
        let leaf = try await resolver.resolveAsync(Leaf.self)
        #expect(try await resolver.resolveAsync(Holder.self).leaf === leaf)
        #expect(try resolver.tryResolve(Holder.self).leaf === leaf)
    }

    @MainActor private final class Screen {}
    private final class Frame: Sendable {
        let screen: Screen
        init(_ screen: Screen) { self.screen = screen }
    }

    @Test func `a synchronous factory off the main actor cannot need a main-actor service`() async throws {
        let runs = Box(0)
        let resolver = Resolver()
        resolver.register { @MainActor in Screen() }.scope(.unique)
        resolver.register { r -> Frame in
            runs.increment()
            return Frame(try r.tryResolve())
        }
        let error = try await #require(throws: ResolutionError.self) { try await resolver.resolveAsync(Frame.self) }
        #expect(error.code == .wrongIsolation)
        #expect(error.path.count == 2)
        #expect(runs.value == 1)
        _ = try await Task { @MainActor in try await resolver.resolveAsync(Frame.self) }.value
        #expect(runs.value == 2)
    }
}
