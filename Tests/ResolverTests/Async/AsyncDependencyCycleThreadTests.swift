import Resolver
import Testing

/// Dependency cycles with synchronous factories, in the task itself or on threads.
@Suite struct AsyncDependencyCycleThreadTests {
    private typealias Needed = Holder<Leaf>

    /// `Leaf` is asynchronous and needs `Needed`, whose factory is synchronous and needs `Leaf`.
    @Test(arguments: [true, false])
    func `a dependency cycle through a synchronous factory is detected in every scope`(_ isAwaited: Bool) async {
        await #expect(processExitsWith: .success) { [isAwaited] in
            Child.mustEnd()
            for (kind, scope) in ResolverScope.oneOfEachKind {
                let resolver = Resolver()
                resolver.register { r -> Leaf in
                    _ = isAwaited ? try await r.resolveAsync(Needed.self) : try r.tryResolve(Needed.self)
                    return Leaf()
                }.scope(scope)
                resolver.register { r in Needed(try r.tryResolve()) }
                let error = await resolver.asyncFailure(Leaf.self), leaf = "ResolverTests.Leaf"
                #expect(error?.code == .circularDependency, "\(kind)")
                #expect(error?.path.map(\.service) == [leaf, "ResolverTests.Holder<\(leaf)>", leaf], "\(kind)")
                resolver.register { Needed(Leaf()) }
                #expect(await resolver.asyncFailure(Leaf.self) == nil, "\(kind)")
            }
        }
    }

    // MARK: A thread and a creation task

    /// A thread creates `Needed`, and resolves `Leaf` after or shortly before the creation task of `Leaf` resolves
    /// `Needed`.
    private static func cross(
        _ ask: @escaping @Sendable (Resolver, _ isAsked: Gate) async throws -> Void
    ) async -> (thread: ResolutionError?, creation: ResolutionError?) {
        let resolver = Resolver(), cache = ResolverScopeCache()
        let thread = Pause()
        resolver.register { r -> Needed in try thread.blocking(Needed(r.tryResolve())) }.scope(cache)
        resolver.register { r -> Leaf in
            await thread.hasBegun.pass()
            try await ask(r, thread.mayEnd)
            return Leaf()
        }.scope(cache)
        let threadError = Box<ResolutionError?>(nil)
        let running = RunningThread { threadError.set(resolver.failure(Needed.self)) }
        let creationError = await resolver.asyncFailure(Leaf.self)
        running.join()
        resolver.register { Needed(Leaf()) }.scope(cache)
        #expect(await resolver.asyncFailure(Leaf.self) == nil)
        #expect(resolver.existing(Leaf.self) === resolver.resolve(Leaf.self))
        return (threadError.value, creationError)
    }

    @Test func `a suspended creation task and a thread that need each other both get an error`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<20 {
                let errors = await AsyncDependencyCycleThreadTests.cross { resolver, isAsked in
                    _ = try await SuspensionProbe.opening(isAsked) { try await resolver.resolveAsync(Needed.self) }
                }
                for error in [errors.thread, errors.creation] {
                    #expect(error?.code == .circularDependency)
                    #expect(error?.path.count == 3 && error?.path.first == error?.path.last, "\(errors)")
                }
            }
        }
    }

    /// A thread that comes first is told to use `resolveAsync`: the creation task does not wait for it yet.
    @Test func `a blocked creation task detects a dependency cycle with a thread`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<50 {
                let errors = await AsyncDependencyCycleThreadTests.cross { resolver, isAsked in
                    isAsked.open()
                    _ = try resolver.tryResolve(Needed.self)
                }
                #expect([.circularDependency, .requiresAsync].contains(errors.thread?.code))
                #expect(errors.creation?.code == .circularDependency)
            }
        }
    }

    @Test func `a creation task detects a cycle after the thread that asked first was refused`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), cache = ResolverScopeCache()
            let creationRuns = Gate(), threadIsDone = Gate()
            resolver.register { r -> Needed in
                creationRuns.wait()
                return Needed(try r.tryResolve())
            }.scope(cache)
            resolver.register { r -> Leaf in
                creationRuns.open()
                await threadIsDone.pass()
                _ = try await r.resolveAsync(Needed.self)
                return Leaf()
            }.scope(cache)
            let thread = RunningThread {
                #expect(resolver.failure(Needed.self)?.code == .requiresAsync)
                threadIsDone.open()
            }
            #expect(await resolver.asyncFailure(Leaf.self)?.code == .circularDependency)
            thread.join()
        }
    }
}
