import Foundation
import Resolver
import Testing

@Suite struct WaitingTests {
    /// One thread creates "a" and then resolves "b". Another thread creates "b" and waits for "a". It may still be
    /// asleep when the first thread has finished "a".
    @Test func `an owner that has finished may resolve the service that its former waiter creates`() async {
        await #expect(processExitsWith: .success) {
            var conclusive = 0
            while conclusive < 200 {
                let makerIsHere = Gate(), sleeperIsHere = Gate()
                let sleeperSleeps = Box(false), error = Box<ResolutionError?>(nil), resolver = Resolver()
                resolver.register(name: "a") { r -> Leaf in
                    makerIsHere.open()
                    sleeperIsHere.wait()
                    // An error proves that the other thread waits. Without an error, the other thread was late and got
                    // the error itself.
                    do { _ = try r.tryResolve(Leaf.self, name: "b") } catch { sleeperSleeps.set(true) }
                    return Leaf()
                }.scope(.cached)
                resolver.register(name: "b") { r in
                    Leaf(after: sleeperIsHere.open(), try? r.tryResolve(Leaf.self, name: "a"))
                }.scope(.cached)
                Threads.run {
                    error.set(resolver.failure(Leaf.self, name: "a") ?? resolver.failure(Leaf.self, name: "b"))
                } beside: {
                    makerIsHere.wait()
                    _ = try? resolver.tryResolve(Leaf.self, name: "b")
                }
                expect(error.value, is: nil)
                if sleeperSleeps.value { conclusive += 1 }
            }
        }
    }

    /// The waiter is a task, so the test knows when it waits.
    @Test func `a waiter receives the instance even if its scope is reset meanwhile`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), callers = Callers(), made = Box<Leaf?>(nil), pause = Pause()
            resolver.register { pause.blocking(Leaf()) }.scope(.cached)
            let maker = RunningThread { made.set(resolver.resolve(Leaf.self)) }
            try await pause.hasBegun.passUnlessCancelled()
            let waiter = callers.call { try await resolver.resolveAsync(Leaf.self) }
            await callers.untilAllWait()
            resolver.reset(.scopes)
            pause.mayEnd.open()
            let got = try await waiter.value
            maker.join()
            expect(got === made.value)
            expect(resolver.existing(Leaf.self), is: nil)
        }
    }

    /// One thread waits for "b" of the other thread, which then needs "a" of the first. The first thread receives the
    /// unfinished "b" and continues with "c". The other thread resolves the unfinished "c" and has to wait.
    @Test func `a waiter that received an unfinished object is removed from the wait graph`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<20 {
                let resolver = Resolver(), aIsHere = Gate(), bIsHere = Gate(), cIsHere = Gate()
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
                    // The first thread usually begins to wait now. If it does not, it finds the object at once.
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
                Threads.run {
                    for name in ["a", "c"] as [Resolver.Name] { _ = try? resolver.tryResolve(Half.self, name: name) }
                } beside: {
                    _ = try? resolver.tryResolve(Half.self, name: "b")
                }
                expect(wasComplete.value, is: true)
            }
        }
    }
}
