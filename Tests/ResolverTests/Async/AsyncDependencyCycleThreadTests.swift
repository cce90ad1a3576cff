import Resolver
import Testing

@Suite struct AsyncDependencyCycleThreadTests {
    private typealias Needed = Holder<Leaf>

    /// `Leaf` is asynchronous and needs `Needed`, whose factory is synchronous and needs `Leaf`.
    @Test(arguments: [true, false])
    func `a dependency cycle through a synchronous factory is detected in every scope`(_ isAwaited: Bool) async {
        await #expect(processExitsWith: .success) { [isAwaited] in
            for (kind, scope) in ResolverScope.oneOfEachKind {
                let resolver = Resolver()
                resolver.register { r in
                    Leaf(after: isAwaited ? try await r.resolveAsync(Needed.self) : try r.tryResolve(Needed.self))
                }.scope(scope)
                resolver.register { r in Needed(try r.tryResolve()) }
                let error = await resolver.asyncFailure(Leaf.self), leaf = "ResolverTests.Leaf"
                expect(error?.code, is: .circularDependency, "\(kind)")
                expect(error?.path.map(\.service), is: [leaf, "ResolverTests.Holder<\(leaf)>", leaf], "\(kind)")
                resolver.register { Needed(Leaf()) }
                await expect(resolver.asyncFailure(Leaf.self), is: nil, "\(kind)")
            }
        }
    }

    /// A thread creates `Needed`, and resolves `Leaf` after or shortly before the creation task of `Leaf` resolves `Needed`.
    /// A thread that comes first is told to use `resolveAsync`: a blocked creation task does not wait for it yet.
    @Test(arguments: [true, false])
    func `a creation task and a thread that need each other both get an error`(_ isSuspended: Bool) async {
        await #expect(processExitsWith: .success) { [isSuspended] in
            for _ in 0..<50 {
                let resolver = Resolver(), cache = ResolverScopeCache(), thread = Pause()
                resolver.register { r -> Needed in try thread.blocking(Needed(r.tryResolve())) }.scope(cache)
                resolver.register { r -> Leaf in
                    await thread.hasBegun.pass()
                    if isSuspended {
                        _ = try await SuspensionProbe.opening(thread.mayEnd) { try await r.resolveAsync(Needed.self) }
                    } else {
                        thread.mayEnd.open()
                        _ = try r.tryResolve(Needed.self)
                    }
                    return Leaf()
                }.scope(cache)
                async let threadError = Threads.result { resolver.failure(Needed.self) }
                let errors = [await resolver.asyncFailure(Leaf.self), await threadError]
                expect(errors[0]?.code, is: .circularDependency)
                expect(errors[1]?.code == .circularDependency || !isSuspended && errors[1]?.code == .requiresAsync)
                for error in isSuspended ? errors : [] {
                    expect(error?.path.count == 3 && error?.path.first == error?.path.last, "\(errors)")
                }
                resolver.register { Needed(Leaf()) }.scope(cache)
                await expect(resolver.asyncFailure(Leaf.self), is: nil)
                expect(resolver.existing(Leaf.self) === resolver.resolve(Leaf.self))
            }
        }
    }

    @Test func `a creation task detects a cycle after the thread that asked first was refused`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), cache = ResolverScopeCache(), creationRuns = Gate(), threadIsDone = Gate()
            resolver.register { r -> Needed in
                creationRuns.wait()
                return Needed(try r.tryResolve())
            }.scope(cache)
            resolver.register { r in
                Leaf(after: creationRuns.open(), await threadIsDone.pass(), try await r.resolveAsync(Needed.self))
            }.scope(cache)
            let thread = RunningThread {
                expect(resolver.failure(Needed.self)?.code, is: .requiresAsync)
                threadIsDone.open()
            }
            await expect(resolver.asyncFailure(Leaf.self)?.code, is: .circularDependency)
            thread.join()
        }
    }
}
