import Resolver
import Testing

/// What is let go of when a scope ends, and in which order.
@Suite struct ScopeReleaseTests {
    private static let kind = ScopeKind("end", rank: 12, binding: .execution)

    final class First: Sendable {}
    final class Second: Sendable {
        let first: First
        init(_ first: First) { self.first = first }
    }

    @Test func hooksRunInReverseOrderBeforeTheEndReturns() {
        let order = Box<[String]>([]), resolver = Resolver()
        resolver.register { First() }.scoped(to: Self.kind).onRelease { _ in order.append("first") }
        resolver.register { Second($0.resolve()) }.scoped(to: Self.kind).onRelease { _ in order.append("second") }
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "order")
        _ = resolver.resolve(Second.self)
        #expect(handle.instanceCount == 2)
        handle.end()
        #expect(order.value == ["second", "first"])
        #expect(handle.instanceCount == 0)
        handle.end()
        #expect(order.value.count == 2)
    }

    @Test func hooksThatHaveToBeAwaitedAreDoneWhenTheClosureReturnsAlsoInACancelledTask() async {
        let order = Box<[String]>([]), resolver = Resolver()
        resolver.register { First() }.scoped(to: Self.kind).onRelease { _ in
            await Task.yield()
            order.append(Task.isCancelled ? "cancelled" : "first")
        }
        resolver.register { Second($0.resolve()) }.scoped(to: Self.kind).onRelease { _ in
            await Task.yield()
            order.append("second")
        }
        let task = Task {
            await Resolver.withScope(Self.kind, id: "awaited") {
                _ = resolver.resolve(Second.self)
                withUnsafeCurrentTask { $0?.cancel() }
                await Task.yield()
            }
            return order.value
        }
        #expect(await task.value == ["second", "first"])
    }

    @Test func aFlightIsCancelledWithItsScopeAndWhatArrivesLateIsReleased() async throws {
        let resolver = Resolver(), hasStarted = SteadyGate(), mayFinish = SteadyGate(), isReleased = SteadyGate()
        let wasCancelled = Box(false)
        resolver.register { () -> First in
            hasStarted.open()
            await mayFinish.wait()
            wasCancelled.set(Task.isCancelled)
            return First()
        }.scoped(to: Self.kind).onRelease { _ in isReleased.open() }
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "flight")
        let waiting = Task { try await handle.run { () async throws in try await resolver.resolveAsync(First.self) } }
        await hasStarted.wait()
        handle.end()
        await #expect { _ = try await waiting.value } throws: { ($0 as? ResolutionError)?.code == .scopeEnded }
        mayFinish.open()
        await isReleased.wait()
        #expect(wasCancelled.value)
    }

    @Test func whatFactoriesOfTheScopeHaveCapturedIsGone() {
        weak var captured: First?
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "captured")
        do {
            let first = First()
            captured = first
            Resolver.registerScoped(Second.self, scope: Self.kind) { Second(first) }
            #expect(Resolver.optional(Second.self)?.first === first)
        }
        #expect(captured != nil)
        handle.end()
        #expect(captured == nil)
        #expect(Resolver.optional(Second.self) == nil)
    }

    @Test func anEndedScopeStaysEnded() {
        let resolver = Resolver()
        resolver.register { First() }.scoped(to: Self.kind)
        let handle = ScopeContext.shared.setCurrent(Self.kind, id: "again")
        let first = resolver.resolve(First.self)
        ScopeContext.shared.clear(Self.kind)
        handle.register(Second.self) { Second(first) }
        handle.run {
            #expect(resolver.resolve(First.self) !== resolver.resolve(First.self))
            #expect(resolver.existing(First.self) == nil)
            #expect(resolver.optional(Second.self) == nil)
        }
        let later = ScopeContext.shared.setCurrent(Self.kind, id: "again")
        #expect(resolver.resolve(First.self) !== first)
        #expect(handle.instanceCount == 0)
        later.end()
    }

    @Test func whatAFlightHasMadeIsGoneWithItsScopeWhoeverStillRuns() async {
        let alive = Box(0)
        for _ in 0..<400 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        await Resolver.withScope(.request, id: "burst \(number)") {
                            await Resolver.registerAsyncScoped(Counted.self, scope: .request) {
                                await Task.yield()
                                return Counted(alive)
                            }
                            _ = try? await Resolver.resolveAsync(Counted.self)
                        }
                    }
                }
            }
            guard alive.value == 0 else { break }
        }
        #expect(alive.value == 0)
    }
}
