import Foundation

/// What some threads do, and what must be true when all have ended.
struct Scenario {
    let threads: [@Sendable () -> Void]
    /// What is wrong; nil if nothing is.
    let check: () -> String?
}

/// Runs a scenario in every order of its threads' steps in which no more than so many threads are preempted.
///
/// A step is one use of a word, the taking of a lock, the opening of a latch or the wait for it, and what a scenario says is one:
/// what a thread does between two steps, no other can see. That an object is retained or released is no step. One thread
/// runs at a time, as the explorer says. Few preemptions find nearly all mistakes, and the fewest come first, so the order
/// that is reported is a short one. All threads see the steps in one order: what a processor may see earlier or later than
/// another is not explored.
struct Explorer {
    /// An order that shows a mistake.
    struct Failure: Error, CustomStringConvertible {
        let message: String
        /// Which thread ran at each step: what `replay` takes.
        let order: String
        let steps: [String]

        var description: String { "\(message)\norder: \(order)\n\(steps.joined(separator: "\n"))" }
    }

    private let scenario: () -> Scenario

    /// - Parameter scenario: makes everything anew for each order.
    init(_ scenario: @escaping () -> Scenario) {
        self.scenario = scenario
    }

    /// - Returns: how many orders there are.
    @discardableResult
    func explore(preemptions: Int) throws(Failure) -> Int {
        var count = 0
        for bound in 0...preemptions {
            count = 0
            var prefix: [Int]? = []
            while let choices = prefix {
                let run = Run(scenario(), choices)
                count += 1
                if let failure = run.failure { throw failure }
                prefix = run.next(atMost: bound)
            }
        }
        return count
    }

    /// Orders by chance, for scenarios that have too many.
    func sample(_ count: Int, seed: UInt64) throws(Failure) {
        var random = RandomNumbers(seed: seed)
        for _ in 0..<count {
            let run = Run(scenario(), []) { random.any($0) }
            if let failure = run.failure { throw failure }
        }
    }

    /// The order of a failure once more.
    func replay(_ order: String) -> Failure? {
        Run(scenario(), order.compactMap { $0.wholeNumberValue }).failure
    }

    /// A thread of a scenario waits here until it may go on; others do not.
    static func step(
        _ operation: String, _ file: StaticString, _ line: UInt, if mayGoOn: @escaping () -> Bool = { true }
    ) {
        VirtualThread.current?.step("\(operation) at \(file):\(line)", mayGoOn)
    }
}

/// A thread of a scenario. Either it runs, or the explorer.
///
/// `@unchecked Sendable`: the batons order all that both touch.
private final class VirtualThread: @unchecked Sendable {
    private let body: @Sendable () -> Void
    private let mayRun = Baton()
    private let hasStopped = Baton()
    /// What it is about to do; nil when it has ended.
    private(set) var operation: String?
    private var mayGoOn: () -> Bool = { true }

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        Thread.detachNewThread { self.main() }
        hasStopped.take()
    }

    /// The one that the running thread is; nil for the explorer.
    static var current: VirtualThread? { Thread.current.threadDictionary[key] as? VirtualThread }
    private static let key = "VirtualThread"

    private func main() {
        Thread.current.threadDictionary[VirtualThread.key] = self
        step("begin") { true }
        body()
        operation = nil
        hasStopped.pass()
    }

    func step(_ operation: String, _ mayGoOn: @escaping () -> Bool) {
        (self.operation, self.mayGoOn) = (operation, mayGoOn)
        hasStopped.pass()
        mayRun.take()
    }

    var isReady: Bool { operation != nil && mayGoOn() }

    /// Lets it do one step.
    func run() {
        mayRun.pass()
        hasStopped.take()
    }
}

/// Goes from one thread to another, and with it all that the first has written. (The thread sanitizer does not see that of a
/// semaphore.)
private final class Baton: @unchecked Sendable {
    private let condition = NSCondition()
    private var isHere = false

    func pass() {
        condition.withLock {
            isHere = true
            condition.signal()
        }
    }

    func take() {
        condition.withLock {
            while !isHere { condition.wait() }
            isHere = false
        }
    }
}

/// One order.
private final class Run {
    private struct Decision {
        let ready: [Int]
        let chosen: Int
        /// Who ran before, and could go on.
        let current: Int?
        let preemptionsBefore: Int
    }

    /// No scenario has so many steps.
    private static let longest = 10_000

    private var decisions: [Decision] = []
    private(set) var failure: Explorer.Failure?

    /// - Parameters:
    ///   - choices: who runs at the first steps. Afterwards whoever runs goes on as long as it can.
    ///   - choose: chooses in its place.
    init(_ scenario: Scenario, _ choices: [Int], choose: (([Int]) -> Int)? = nil) {
        let threads = scenario.threads.map(VirtualThread.init)
        var steps: [String] = []
        var (current, preemptions) = (Int?.none, 0)
        var problem: String?
        while problem == nil {
            let ready = threads.indices.filter { threads[$0].isReady }
            if ready.isEmpty { break }
            if decisions.count == Run.longest { problem = "the threads do not end" }
            if let running = current, !ready.contains(running) { current = nil }
            let planned = decisions.count < choices.count ? choices[decisions.count] : nil
            if let planned, !ready.contains(planned) {
                problem = "the order does not fit: the scenario is not the same each time"
            }
            if problem != nil { break }
            let chosen = planned ?? choose?(ready) ?? current ?? ready[0]
            decisions.append(Decision(ready: ready, chosen: chosen, current: current, preemptionsBefore: preemptions))
            if let current, current != chosen { preemptions += 1 }
            steps.append("  thread \(chosen): \(threads[chosen].operation ?? "")")
            threads[chosen].run()
            current = chosen
        }
        // Threads that have not ended stay as they are: nothing can make them go on.
        let waiting = threads.indices.filter { threads[$0].operation != nil }
        let message = problem ?? (waiting.isEmpty ? scenario.check() : "threads \(waiting) wait for ever")
        guard let message else { return }
        let order = decisions.map { String($0.chosen) }.joined()
        failure = Explorer.Failure(message: message, order: order, steps: steps)
    }

    /// What to choose in the next order: as in this one, up to the last step at which another thread may run instead.
    func next(atMost bound: Int) -> [Int]? {
        for index in decisions.indices.reversed() {
            let decision = decisions[index]
            // In this order: whoever runs, then the others.
            let candidates = [decision.current].compactMap { $0 } + decision.ready.filter { $0 != decision.current }
            let rest = candidates.drop { $0 != decision.chosen }.dropFirst()
            let isPreempting = decision.current != nil
            guard let other = rest.first, !isPreempting || decision.preemptionsBefore < bound else { continue }
            return decisions[..<index].map(\.chosen) + [other]
        }
        return nil
    }
}
