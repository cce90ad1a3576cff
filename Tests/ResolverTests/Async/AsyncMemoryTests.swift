import CHeapProbe
import Resolver
import Testing

@Suite struct AsyncMemoryTests {
    /// - Parameter callers: how many callers each creation has. Without any number it has one, for an argument of its own, and returns nil.
    @Test(.measuresHeap, arguments: [1, 16, nil])
    func `creation tasks do not grow the heap`(_ callers: Int?) async {
        await #expect(processExitsWith: .success) { [callers] in
            let resolver = Resolver(), last = Box(0)
            resolver.register { await yielding(Leaf()) }.implements((any Sendable).self).scope(.container)
            resolver.register { (_, _) async -> OtherLeaf? in await yielding(nil) }.scope(.container).scopeOnArguments()
            await Child.requireFlatHeap("10 000 calls") {
                for _ in 0..<10_000 / (callers ?? 1) {
                    if let callers {
                        _ = try? await Tasks.results(callers) { _ in try await resolver.resolveAsync(Leaf.self) }
                        resolver.reset(scope: .container)
                    } else {
                        _ = try? await resolver.optionalAsync(OtherLeaf.self, args: last.increment())
                    }
                }
            }
        }
    }

    @Test(.measuresHeap) func `calls that are cancelled while a later one waits do not grow the heap`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), pause = Pause(), callers = Callers()
            resolver.register { await pause.suspending(Leaf()) }.scope(.cached)
            func call() async -> Task<Void, any Error> {
                let task = callers.call { _ = try await resolver.resolveAsync(Leaf.self) }
                await callers.untilAllWait()
                return task
            }
            var last = await call()
            await pause.hasBegun.pass()
            await Child.requireFlatHeap("10 000 calls") {
                for _ in 0..<10_000 {
                    let next = await call()
                    last.cancel()
                    _ = await last.result
                    last = next
                }
            }
            pause.mayEnd.open()
            Child.require((try? await last.value) != nil, "the last call got no instance")
        }
    }

    private enum Succession: String, CaseIterable, Codable { case factory, boundary, boundaryWithScope, scopeWithScope }

    /// A task begins the next one inside its scope, as a job runner does. Frames of scopes that have ended must not pile up.
    @Test(.measuresHeap, arguments: Succession.allCases)
    private func `successors that begin inside a scope do not grow the heap`(_ succession: Succession) async {
        await #expect(processExitsWith: .success) { [succession] in
            let resolver = Resolver(), other = ScopeKind("other", rank: 12, binding: .execution)
            let bytes = Box<[Int]>([]), isOver = Gate()
            resolver.register { (_, args) async -> Leaf in
                let next: @Sendable () -> Void = args()
                next()
                return await yielding(Leaf())
            }.scoped(to: .request)
            @Sendable func begin(_ number: Int, after predecessor: Gate?, opening hasBegun: Gate? = nil) {
                Task {
                    await predecessor?.pass()
                    if number % 2000 == 0 { bytes.append(Int(heap_bytes_in_use())) }
                    if number == 6000 {
                        hasBegun?.open()
                        return isOver.open()
                    }
                    let end = Gate(), next: @Sendable () -> Void = { begin(number + 1, after: end) }
                    switch succession {
                    case .factory:
                        await Resolver.withScope(.request, id: "1") {
                            _ = try? await resolver.resolveAsync(Leaf.self, args: next)
                        }
                    case .boundary: await ScopeContext.boundary { next() }
                    case .boundaryWithScope:
                        await ScopeContext.boundary {
                            ScopeContext.shared.setCurrent(.request, id: "1")
                            next()
                        }
                    case .scopeWithScope:
                        await Resolver.withScope(.request, id: "1") {
                            hasBegun?.open()
                            ScopeContext.shared.setCurrent(other, id: "2")
                            // The next one begins while the scope is set.
                            begin(number + 1, after: nil, opening: end)
                            await end.pass()
                        }
                    }
                    end.open()
                }
            }
            begin(0, after: nil)
            await isOver.pass()
            let grown = bytes.value[3] - bytes.value[2]
            Child.require(grown < 64 << 10, "2000 successors leave \(grown) bytes")
        }
    }

    /// Each boundary runs until the next task has entered its own, so that none is left out. Then all are over.
    @Test(.isDeepRecursion) func `a scope may begin behind more frames than the stack could hold`() async {
        await #expect(processExitsWith: .success) {
            let isOver = Gate(), areLeft = Gate(), left = Box(0)
            @Sendable func enter(_ number: Int, opening hasEntered: Gate?) async {
                await ScopeContext.boundary {
                    hasEntered?.open()
                    if number == 50_000 {
                        Task {
                            await areLeft.pass()
                            await Resolver.withScope(.request, id: "last") { isOver.open() }
                        }
                        return
                    }
                    let next = Gate()
                    Task { await enter(number + 1, opening: next) }
                    await next.pass()
                }
                if left.increment() == 50_001 { areLeft.open() }
            }
            await enter(0, opening: nil)
            await isOver.pass()
        }
    }

    /// A creation task that succeeds, one that fails, one that returns nil, and one whose callers were all cancelled.
    @Test func `finished creation tasks hold no resolver, factory or instance`() async {
        await #expect(processExitsWith: .success) {
            let instanceEnds = Gate(), factoriesEnd = Gate(), resolverEnds = Gate(), mayFinish = Gate()
            do {
                let resolver = Resolver(), hasStarted = Gate()
                let captured = DeinitCallback { factoriesEnd.open() }
                // The resolver's cached instance is released with the resolver.
                resolver.register { DeinitCallback { resolverEnds.open() } }.scope(.container)
                _ = resolver.resolve(DeinitCallback.self)
                resolver.register(name: "succeeds") { () async -> DeinitCallback in
                    await yielding(withExtendedLifetime(captured) { DeinitCallback { instanceEnds.open() } })
                }.scope(.container)
                resolver.register(name: "fails") { r -> DeinitCallback in
                    defer { withExtendedLifetime(captured) {} }
                    return try await r.resolveAsync(name: "nothing")
                }.scope(.container)
                resolver.register(name: "nothing") { () async -> DeinitCallback? in
                    await yielding(withExtendedLifetime(captured) { nil })
                }.scope(.container)
                resolver.register(name: "left") { () async throws -> DeinitCallback in
                    hasStarted.open()
                    try await mayFinish.passUnlessCancelled()
                    return withExtendedLifetime(captured) { DeinitCallback {} }
                }.scope(.container)
                _ = try await resolver.resolveAsync(DeinitCallback.self, name: "succeeds")
                let error = await resolver.asyncFailure(DeinitCallback.self, name: "fails")
                expect(error?.code, is: .factoryReturnedNil)
                try await expect(resolver.optionalAsync(DeinitCallback.self, name: "nothing"), is: nil)
                let leaving = Task { try await resolver.resolveAsync(DeinitCallback.self, name: "left") }
                try await hasStarted.passUnlessCancelled()
                leaving.cancel()
                _ = await leaving.result
            }
            mayFinish.open()
            for gate in [instanceEnds, factoriesEnd, resolverEnds] { try await gate.passUnlessCancelled() }
        }
    }

    @Test func `a task that a factory starts does not keep the services that asked for it`() async throws {
        let mayEnd = Gate(), alive = Box(0)
        defer { mayEnd.open() }
        func call() async throws {
            let resolver = Resolver(), captured = Counted(alive)
            resolver.register { r in
                withExtendedLifetime(captured) {}
                return Holder(try await r.resolveAsync(Leaf.self))
            }
            resolver.register { () async in Leaf(after: Task { await mayEnd.pass() }) }.scope(ResolverScopeCache())
            _ = try await resolver.resolveAsync(Holder<Leaf>.self)
        }
        try await call()
        expect(alive.value, is: 0)
    }
}
