import Resolver
import Testing

@Suite struct AsyncFalseCycleTests {
    private typealias Whole = Holder<Leaf>

    /// The factory of `Leaf` starts the creation of `Whole`, which needs `Leaf`, and finishes when `Whole` waits for it.
    @Test(arguments: [false, true])
    func `an unstructured task of a factory may wait for the factory's service`(_ isDetached: Bool) async {
        await #expect(processExitsWith: .success) { [isDetached] in
            let resolver = Resolver(), cache = ResolverScopeCache()
            let started = Box<Task<Whole, any Error>?>(nil), isAskedFor = Gate()
            resolver.register { r in
                Whole(try await SuspensionProbe.opening(isAskedFor) { try await r.resolveAsync(Leaf.self) })
            }.scope(cache)
            resolver.register { r -> Leaf in
                let ask = { @Sendable () async throws -> Whole in
                    defer { isAskedFor.open() }
                    return try await r.resolveAsync()
                }
                started.set(isDetached ? Task.detached(operation: ask) : Task(operation: ask))
                return Leaf(after: await isAskedFor.pass())
            }.scope(cache)
            let leaf = try await resolver.resolveAsync(Leaf.self), whole = try await started.value?.value
            expect(whole != nil && whole?.part === leaf && whole === resolver.existing(Whole.self))
        }
    }

    /// Nothing waits for the hook: not the reset, and not the factory that calls it.
    @Test(arguments: [true, false])
    func `a child task of a hook's own task may wait for the service whose factory has reset`(_ isReset: Bool) async {
        await #expect(processExitsWith: .success) { [isReset] in
            let resolver = Resolver(), hookAsks = Gate(), hookIsOver = Gate(), error = Box<ResolutionError?>(nil)
            @Sendable func register() {
                resolver.register { OtherLeaf() }.scope(.cached).onRelease { (_: OtherLeaf) async in
                    async let failure = SuspensionProbe.opening(hookAsks) { await resolver.asyncFailure(Leaf.self) }
                    error.set(await failure)
                    hookIsOver.open()
                }
            }
            register()
            resolver.register { r -> Leaf in
                _ = r.resolve(OtherLeaf.self)
                if isReset { resolver.reset(OtherLeaf.self) } else { register() }
                await hookAsks.pass()
                return Leaf()
            }.scope(.cached)
            await expect(resolver.asyncFailure(Leaf.self), is: nil)
            await hookIsOver.pass()
            expect(error.value, is: nil)
        }
    }

    @Test func `a creation task that has finished waiting for a thread is removed from the wait graph`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), cache = ResolverScopeCache(), thread = Pause(), creation = Pause()
            resolver.register { thread.blocking(OtherLeaf()) }.scope(cache)
            resolver.register { r -> Leaf in
                await thread.hasBegun.pass()
                _ = try await SuspensionProbe.opening(thread.mayEnd) { try await r.resolveAsync(OtherLeaf.self) }
                return await creation.suspending(Leaf())
            }.scope(cache)
            let running = RunningThread {
                _ = resolver.resolve(OtherLeaf.self)
                creation.hasBegun.wait()
                expect(resolver.failure(Leaf.self)?.code, is: .requiresAsync)
                creation.mayEnd.open()
            }
            await expect(resolver.asyncFailure(Leaf.self), is: nil)
            running.join()
        }
    }

    /// - Parameter isReset: whether the outer factory returns an instance, which is then released, or fails.
    @Test(arguments: [false, true])
    func `a creation that outlives the one it began in may ask for that service`(_ isReset: Bool) async {
        await #expect(processExitsWith: .success) { [isReset] in
            let resolver = Resolver(), scope = ResolverScopeCache(), runs = Box(0), inner = Pause()
            resolver.register { r -> Leaf in
                if runs.increment() > 1 { return Leaf() }
                return try await withThrowingTaskGroup(of: Leaf.self) { group in
                    group.addTask { try await r.resolveAsync(Whole.self).part }
                    group.addTask {
                        await inner.hasBegun.pass()
                        if isReset { return Leaf() }
                        throw Failure()
                    }
                    defer { group.cancelAll() }
                    return try await group.next()!
                }
            }.scope(scope)
            resolver.register { r in try await inner.suspending(Whole(await r.resolveAsync())) }.scope(.cached)
            await expect(resolver.asyncFailure(Leaf.self)?.code, is: isReset ? nil : .factoryFailed)
            scope.reset()
            inner.mayEnd.open()
            await expect(resolver.asyncFailure(Whole.self), is: nil)
            expect(runs.value, is: 2)
        }
    }

    @Test func `a creation waits for the one it began in if that does not wait for it`() async throws {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), runs = Box(0), isAsking = Gate(), mayFinish = Gate(), inner = Pause()
            resolver.register { r, args in
                runs.increment()
                if args.optional() == 1 {
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { _ = try? await r.resolveAsync(Whole.self) }
                        group.addTask { await inner.hasBegun.pass() }
                        await group.next()
                        group.cancelAll()
                    }
                    inner.mayEnd.open()
                    await mayFinish.pass()
                }
                return Leaf()
            }.scope(.cached)
            resolver.register { r in
                try await inner.suspending(
                    await SuspensionProbe.opening(isAsking) { Whole(try await r.resolveAsync(args: 2)) })
            }.scope(.cached)
            async let outer = resolver.resolveAsync(Leaf.self, args: 1)
            await isAsking.pass()
            mayFinish.open()
            let leaf = try await outer
            try await expect(resolver.resolveAsync(Whole.self).part === leaf)
            expect(runs.value, is: 1)
        }
    }

    @Test func `two tasks that resolve random services from both ends never get an error`() async {
        await #expect(processExitsWith: .success) {
            var random = RandomNumbers(seed: 1)
            for round in 0..<Sanitizer.rounds(100) {
                let resolver = Resolver(), cache = ResolverScopeCache(), other = ResolverScopeCache()
                for number in 0..<50 {
                    let needed = (0..<2).map { _ in number + 1 + random.below(8) }.filter { $0 < 50 }
                    let first = needed.first.map { Resolver.Name("\($0)") }, last = Resolver.Name("\(needed.last ?? 0)")
                    let inParallel = random.once(in: 2)
                    resolver.register(name: .init("\(number)")) { r -> Leaf in
                        guard let first else { return Leaf() }
                        async let one = r.resolveAsync(Leaf.self, name: first)
                        if !inParallel { _ = try await one }
                        async let other = r.resolveAsync(Leaf.self, name: last)
                        return Leaf(after: try await one, try await other)
                    }.scope(random.any([cache, other, .container, ResolverScopeShare(), .graph]))
                }
                try await Tasks.results(2) { task in
                    for number in task == 0 ? Array(0..<50) : (0..<50).reversed() {
                        let error = await resolver.asyncFailure(Leaf.self, name: .init("\(number)"))
                        expect(error, is: nil, "round \(round)")
                    }
                }
            }
        }
    }
}
