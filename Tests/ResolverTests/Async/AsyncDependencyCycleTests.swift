import Resolver
import Testing

/// Dependency cycles of asynchronous factories: every caller in a cycle gets an error, and none hangs.
@Suite struct AsyncDependencyCycleTests {
    private enum Way: CaseIterable {
        case itself, asyncLet, group, grandchild, alias

        func resolve(_ name: Resolver.Name, in resolver: Resolver) async throws {
            switch self {
            case .itself: _ = try await resolver.resolveAsync(Player.self, name: name)
            case .asyncLet:
                async let player = resolver.resolveAsync(Player.self, name: name)
                _ = try await player
            case .group:
                // None of the child tasks is cancelled: a creation that no task waits for would go on after the call.
                let errors = try await Tasks.results(3) { _ in await resolver.asyncFailure(Player.self, name: name) }
                if let error = errors.compactMap(\.self).first { throw error }
            case .alias: _ = try await resolver.resolveAsync((any Role).self, name: name)
            case .grandchild:
                async let child: Void = Way.asyncLet.resolve(name, in: resolver)
                try await child
            }
        }
    }

    /// Services that each need the next one.
    private struct Cycle: Sendable {
        let resolver = Resolver(), names: [String], mix: String

        init(
            _ names: [String], _ scopes: [ResolverScope], _ mix: String = "", _ way: Way = .itself,
            before: @escaping @Sendable () async -> Void = {}
        ) {
            (self.names, self.mix) = (names, mix)
            for (index, name) in names.enumerated() {
                let next = Resolver.Name(names[(index + 1) % names.count])
                resolver.register(name: .init(name)) { r in
                    Player(after: await before(), try await way.resolve(next, in: r))
                }.implements((any Role).self, name: .init(name)).scope(scopes[index])
            }
        }

        /// The path may begin at any member if several tasks enter the cycle.
        func expectCycle(_ name: String) async {
            let error = await resolver.asyncFailure(Player.self, name: .init(name))
            let path = error?.path.map(\.name) ?? []
            expect(error?.code, is: .circularDependency, "\(mix)")
            expect(path.first == path.last && path.count == names.count + 1, "\(mix): \(path)")
            expect(Set(path), is: Set(names.map(Optional.some)), "\(mix)")
        }

        /// Enters the cycle at all members at once, and then breaks it: one of them is registered again.
        func expectCycleUntilBroken() async throws {
            try await Tasks.results(names.count) { await expectCycle(names[$0]) }
            resolver.register(name: "b") { Player() }.implements((any Role).self, name: "b")
            for name in names { await expect(resolver.asyncFailure(Player.self, name: .init(name)), is: nil, "\(mix)") }
        }
    }

    @Test func `two services that need each other in any way are a dependency cycle in every mix of scopes`() async {
        await #expect(processExitsWith: .success) {
            for way in Way.allCases {
                for (mix, scopes) in ResolverScope.pairsOfKinds {
                    let cycle = Cycle(["a", "b"], scopes, "\(way), \(mix)", way)
                    for name in ["a", "b", "a"] { await cycle.expectCycle(name) }
                    try await cycle.expectCycleUntilBroken()
                }
            }
        }
    }

    @Test func `tasks that enter a dependency cycle at every member all get an error`() async {
        await #expect(processExitsWith: .success) {
            let threes: [(mix: String, scopes: [ResolverScope])] = (0..<50).map {
                ("three \($0)", [ResolverScopeCache(), ResolverScopeCache(), .container])
            }
            for (mix, scopes) in ResolverScope.pairsOfKinds + threes {
                let allInside = Rendezvous(scopes.count)
                let cycle = Cycle(Array(["a", "b", "c"].prefix(scopes.count)), scopes, mix) {
                    await allInside.arriveAndPass()
                }
                try await cycle.expectCycleUntilBroken()
            }
        }
    }

    /// - Parameter isScope: whether the factory ends a scope, or resets one.
    @Test(arguments: [true, false])
    func `a factory that awaits a hook that needs its service is a dependency cycle`(_ isScope: Bool) async {
        await #expect(processExitsWith: .success) { [isScope] in
            let resolver = Resolver(), error = Box<ResolutionError?>(nil), scope = ResolverScopeCache()
            let options = resolver.register { OtherLeaf() }.onRelease { (_: OtherLeaf) async in
                error.set(await resolver.asyncFailure(Leaf.self))
            }
            if isScope { options.scoped(to: .request) } else { options.scope(scope) }
            resolver.register { r -> Leaf in
                await Resolver.withScope(.request, id: "1") { _ = r.resolve(OtherLeaf.self) }
                await scope.resetAndWait()
                return Leaf()
            }.scope(.cached)
            await expect(resolver.asyncFailure(Leaf.self), is: nil)
            expect(error.value?.code, is: .circularDependency)
            expect(resolver.existing(Leaf.self) != nil)
        }
    }

    /// The factory runs in the task of its caller, or in the creation task of a service that needs it.
    @Test(arguments: [true, false], [true, false])
    func `an unkept service's factory and a hook that it awaits are a cycle`(_ isGraph: Bool, _ isNeeded: Bool) async {
        await #expect(processExitsWith: .success) { [isGraph, isNeeded] in
            let resolver = Resolver(), errors = Box<[ResolutionError?]>([]), runs = Box(0)
            resolver.register { OtherLeaf() }.scope(.cached).onRelease { (_: OtherLeaf) async in
                errors.append(await resolver.asyncFailure(Leaf.self))
            }
            resolver.register { r -> Leaf in
                Child.require(runs.increment() < 10, "the factory runs once for each call")
                _ = r.resolve(OtherLeaf.self)
                await resolver.resetAndWait(OtherLeaf.self)
                return Leaf()
            }.scope(isGraph ? .graph : .unique)
            resolver.register { r in Holder(try await r.resolveAsync(Leaf.self)) }.scope(.cached)
            if isNeeded {
                await expect(resolver.asyncFailure(Holder<Leaf>.self), is: nil)
            } else {
                await expect(resolver.asyncFailure(Leaf.self), is: nil)
            }
            expect(errors.value.map(\.?.code), is: [.circularDependency])
            expect(errors.value.first??.path.map(\.service), is: ["ResolverTests.Leaf", "ResolverTests.Leaf"])
        }
    }

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
