import Resolver
import Testing

/// Dependency cycles with synchronous factories, in the task itself or on threads.
@Suite struct AsyncDependencyCycleThreadTests {
    private final class Needed: Sendable {}

    /// `Leaf` is asynchronous and needs `Needed`. The factory of `Needed` is synchronous and needs `Leaf`.
    private static func cycle(
        _ scope: ResolverScope, _ resolve: @escaping @Sendable (Resolver) async throws -> Void
    ) -> Resolver {
        let resolver = Resolver()
        resolver.register { r -> Leaf in
            try await resolve(r)
            return Leaf()
        }.scope(scope)
        resolver.register { r -> Needed in
            _ = try r.tryResolve(Leaf.self)
            return Needed()
        }
        return resolver
    }

    @Test(arguments: [true, false])
    func `a dependency cycle through a synchronous factory is detected in every scope`(_ isAwaited: Bool) async {
        await #expect(processExitsWith: .success) { [isAwaited] in
            Child.mustEnd()
            for (kind, scope) in ResolverScope.oneOfEachKind {
                let resolver = AsyncDependencyCycleThreadTests.cycle(scope) { resolver in
                    if isAwaited {
                        _ = try await resolver.resolveAsync(Needed.self)
                    } else {
                        _ = try resolver.tryResolve(Needed.self)
                    }
                }
                let error = await resolver.asyncFailure(Leaf.self)
                Child.require(error?.code == .circularDependency, "\(kind): \(String(describing: error))")
                let path = error?.path.map { $0.service.split(separator: ".").last.map(String.init) ?? "" } ?? []
                Child.require(path == ["Leaf", "Needed", "Leaf"], "\(kind): \(path)")
                resolver.register { Needed() }
                let later = await resolver.asyncFailure(Leaf.self)
                Child.require(later == nil, "\(kind): \(String(describing: later))")
            }
        }
    }

    // MARK: A thread and a creation task

    /// A thread creates `Needed`, and resolves `Leaf` after or shortly before the creation task of `Leaf` resolves
    /// `Needed`.
    private static func cross(
        _ ask: @escaping @Sendable (Resolver, _ about: Gate) async throws -> Void
    ) async -> (thread: ResolutionError?, creation: ResolutionError?) {
        let resolver = Resolver(), cache = ResolverScopeCache()
        let threadMakes = Gate(), creationResolves = Gate()
        resolver.register { r -> Needed in
            threadMakes.open()
            creationResolves.wait()
            _ = try r.tryResolve(Leaf.self)
            return Needed()
        }.scope(cache)
        resolver.register { r -> Leaf in
            await threadMakes.pass()
            try await ask(r, creationResolves)
            return Leaf()
        }.scope(cache)
        let threads = Box<ResolutionError?>(nil)
        let thread = RunningThread {
            threads.set(resolver.failure(Needed.self))
        }
        let creations = await resolver.asyncFailure(Leaf.self)
        thread.join()
        resolver.register { Needed() }.scope(cache)
        let later = await resolver.asyncFailure(Leaf.self)
        Child.require(later == nil, "\(String(describing: later))")
        Child.require(resolver.existing(Leaf.self) === resolver.resolve(Leaf.self), "kept")
        return (threads.value, creations)
    }

    @Test func `a suspended creation task and a thread that need each other both get an error`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<20 {
                let errors = await AsyncDependencyCycleThreadTests.cross { resolver, creationResolves in
                    _ = try await SuspensionProbe().make {
                        try await resolver.resolveAsync(Needed.self)
                    } onceItWaits: {
                        creationResolves.open()
                    }
                }
                for error in [errors.thread, errors.creation] {
                    Child.require(error?.code == .circularDependency, "\(errors)")
                    Child.require(error?.path.count == 3 && error?.path.first == error?.path.last, "\(errors)")
                }
            }
        }
    }

    @Test func `a blocked creation task detects a dependency cycle with a thread`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<50 {
                let errors = await AsyncDependencyCycleThreadTests.cross { resolver, creationResolves in
                    creationResolves.open()
                    _ = try resolver.tryResolve(Needed.self)
                }
                // A thread that comes first is told to use resolveAsync: the creation task does not wait for it yet.
                Child.require(
                    errors.thread?.code == .circularDependency || errors.thread?.code == .requiresAsync, "\(errors)")
                Child.require(errors.creation?.code == .circularDependency, "\(errors)")
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
                _ = try r.tryResolve(Leaf.self)
                return Needed()
            }.scope(cache)
            resolver.register { r -> Leaf in
                creationRuns.open()
                await threadIsDone.pass()
                _ = try await r.resolveAsync(Needed.self)
                return Leaf()
            }.scope(cache)
            let thread = RunningThread {
                Child.require(resolver.failure(Needed.self)?.code == .requiresAsync, "an error")
                threadIsDone.open()
            }
            let error = await resolver.asyncFailure(Leaf.self)
            Child.require(error?.code == .circularDependency, "\(String(describing: error))")
            thread.join()
        }
    }
}
