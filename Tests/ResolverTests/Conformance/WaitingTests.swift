import Foundation
import Resolver
import Testing

/// Who waits for whom, at the moment when that changes.
@Suite struct WaitingTests {
    private struct Round: Sendable {
        let isConclusive: Bool
        let error: ResolutionError?
    }

    /// One thread makes "a" and then asks for "b". Another makes "b" and sleeps for "a"; when the first one is done with
    /// "a", that other may not have woken up yet.
    private static func round() -> Round {
        let makerIsHere = Gate(), sleeperIsHere = Gate()
        let sleeperSleeps = Box(false), error = Box<ResolutionError?>(nil)
        let resolver = Resolver()
        resolver.register(name: "a") { r -> Leaf in
            makerIsHere.open()
            sleeperIsHere.wait()
            // An error proves that the other one sleeps. Without it that one was late, and had the error itself.
            do { _ = try r.tryResolve(Leaf.self, name: "b") } catch { sleeperSleeps.set(true) }
            return Leaf()
        }.scope(.cached)
        resolver.register(name: "b") { r -> Leaf in
            sleeperIsHere.open()
            _ = try? r.tryResolve(Leaf.self, name: "a")
            return Leaf()
        }.scope(.cached)
        Threads.run(
            {
                do throws(ResolutionError) {
                    _ = try resolver.tryResolve(Leaf.self, name: "a")
                    _ = try resolver.tryResolve(Leaf.self, name: "b")
                } catch let thrown {
                    error.set(thrown)
                }
            },
            {
                makerIsHere.wait()
                _ = try? resolver.tryResolve(Leaf.self, name: "b")
            })
        return Round(isConclusive: sleeperSleeps.value, error: error.value)
    }

    @Test func `an owner that has finished may resolve the service that its former waiter creates`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            var conclusive = 0
            while conclusive < 200 {
                let round = WaitingTests.round()
                Child.require(round.error == nil, "no circle: \(String(describing: round.error))")
                if round.isConclusive { conclusive += 1 }
            }
        }
    }

    /// The waiter is a task, so it is known when it waits.
    @Test func `a waiter receives the instance even if its scope is reset meanwhile`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver(), callers = Callers(), made = Box<Leaf?>(nil)
            let makerIsHere = AsyncGate(), mayFinish = Gate()
            resolver.register { () -> Leaf in
                makerIsHere.open()
                mayFinish.wait()
                return Leaf()
            }.scope(.cached)
            let maker = RunningThread { made.set(resolver.resolve(Leaf.self)) }
            try await makerIsHere.wait()
            let waiter = callers.call { try await resolver.resolveAsync(Leaf.self) }
            await callers.untilAllWait()
            resolver.reset(.scopes)
            mayFinish.open()
            let got = try await waiter.value
            maker.join()
            Child.require(got === made.value, "the instance that it has waited for")
            Child.require(resolver.existing(Leaf.self) == nil, "which is not kept")
        }
    }

    private final class Half: @unchecked Sendable { var other: AnyObject? }

    /// One thread waits for "b" of the other one, which then needs "a" of the first: so the first is woken and given the
    /// unfinished "b". It goes on to "c", which the other one asks for while it is unfinished, and has to wait for.
    @Test func `a waiter that received an unfinished object is removed from the wait graph`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<20 {
                let resolver = Resolver()
                let aIsHere = Gate(), bIsHere = Gate(), cIsHere = Gate()
                let isComplete = Box(false), wasComplete = Box<Bool?>(nil)
                resolver.register(name: "a") { r -> Half in
                    aIsHere.open()
                    bIsHere.wait()
                    let half = Half()
                    half.other = try r.tryResolve(Half.self, name: "b")
                    return half
                }.scope(.cached)
                resolver.register(name: "b") { () -> Half in
                    aIsHere.wait()
                    bIsHere.open()
                    // The first thread comes to wait now, as a rule; if it does not, it finds the object at once.
                    for _ in 0..<200 { sched_yield() }
                    return Half()
                }.scope(.cached).resolveProperties { r, half in
                    half.other = try r.tryResolve(Half.self, name: "a")
                    cIsHere.wait()
                    _ = try r.tryResolve(Half.self, name: "c")
                    wasComplete.set(isComplete.value)
                }
                resolver.register(name: "c") { Half() }.scope(.cached).resolveProperties { _, _ in
                    cIsHere.open()
                    for _ in 0..<500 where wasComplete.value == nil { sched_yield() }
                    isComplete.set(true)
                }
                Threads.run(
                    {
                        _ = try? resolver.tryResolve(Half.self, name: "a")
                        _ = try? resolver.tryResolve(Half.self, name: "c")
                    }, { _ = try? resolver.tryResolve(Half.self, name: "b") })
                Child.require(wasComplete.value == true, "complete: \(String(describing: wasComplete.value))")
            }
        }
    }
}
