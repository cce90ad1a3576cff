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

    @Test func whoHasFinishedMayAtOnceAskForWhatSomebodyItKeptWaitingIsMaking() async {
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
}
