import Foundation
import Testing

/// The threads of a scenario, and the condition that must hold after all have ended.
struct Scenario {
    let threads: [@Sendable () -> Void]
    /// Returns the failure, or nil.
    let check: () -> String?
}

/// Runs a scenario in every order of its threads' steps, up to a bound.
///
/// A step is one use of a word, the taking of a lock, the opening of a latch or the wait for one, the resumption of a
/// task, or a call of `step` in the scenario. Other threads cannot observe a thread between two steps. One thread runs
/// at a time, the one that the explorer has chosen. The bound counts preemptions (another thread runs although the last
/// one could continue) and loads of old values (see `Memory`). A few of both find nearly all errors, and orders with
/// the fewest come first.
///
/// One explorer runs at a time in the process.
///
/// `@unchecked Sendable`: one thread creates the scenarios, and waits while their threads run.
struct Explorer: @unchecked Sendable {
    /// An order that fails.
    struct Failure: Error, CustomStringConvertible {
        let message: String
        /// The choices, as `replay` takes them. A digit is the thread that runs next, a letter is the value of a load:
        /// `a` is the newest.
        let order: String
        let steps: [String]

        var description: String { "\(message)\norder: \(order)\n\(steps.joined(separator: "\n"))" }
    }

    private let scenario: () -> Scenario
    private let memory: Memory.Model

    /// - Parameter scenario: creates new state for each order.
    init(_ memory: Memory.Model = .weak, scenario: @escaping () -> Scenario) {
        self.memory = memory
        self.scenario = scenario
    }

    /// A scenario whose threads share a new world in each order.
    init<World: Sendable>(
        _ world: @escaping () -> World, _ threads: [@Sendable (World) -> Void], _ memory: Memory.Model = .weak,
        check: @escaping (World) -> String?
    ) {
        self.init(memory) {
            let world = world()
            return Scenario(threads: threads.map { body in { body(world) } }) { check(world) }
        }
    }

    /// Runs the orders with at most this many preemptions and loads of old values. `RESOLVER_BOUND` is added to the
    /// bound, and `RESOLVER_BRIEF` subtracts one.
    ///
    /// - Returns: the number of orders with exactly the whole bound.
    @discardableResult func explore(_ bound: Int, _ name: String = #function) async throws -> Int {
        try await explore(exactly: bound + Explorer.number("RESOLVER_BOUND") - Explorer.number("RESOLVER_BRIEF"), name)
    }

    /// Runs the orders within the bound, regardless of the environment.
    @discardableResult func explore(exactly bound: Int, _ name: String = #function) async throws -> Int {
        try await Threads.result { try exploreNow(bound, name) }
    }

    /// Returns the first failure within the bound.
    func failure(within bound: Int) async throws -> Failure {
        try await #require(throws: Failure.self) { try await explore(exactly: bound) }
    }

    private func exploreNow(_ bound: Int, _ name: String) throws(Failure) -> Int {
        let begin = Date()
        var count = 0
        for bound in 0...bound {
            count = 0
            var choices: [Int]? = []
            while let next = choices {
                let run = Run(scenario, memory, plan: next)
                count += 1
                if let failure = run.failure { throw failure }
                choices = run.next(atMost: bound)
            }
        }
        let seconds = String(format: "%.2f", Date().timeIntervalSince(begin))
        if Explorer.number("RESOLVER_ORDERS") > 0 { print("orders: \(name) \(count), bound \(bound), \(seconds) s") }
        return count
    }

    /// Runs random orders, for scenarios with too many orders. A failure is shrunk.
    func sample(_ count: Int, seed: UInt64) async throws { try await Threads.result { try sampleNow(count, seed) } }

    private func sampleNow(_ count: Int, _ seed: UInt64) throws(Failure) {
        var random = RandomNumbers(seed: seed)
        for _ in 0..<count {
            let run = Run(scenario, memory, plan: []) { random.any($0) }
            if run.failure != nil { throw shrink(run) }
        }
    }

    /// Runs the order of a failure again.
    func replay(_ order: String) async -> Failure? {
        await Threads.result { Run(scenario, memory, plan: order.compactMap(Explorer.choice)).failure }
    }

    /// Removes preemptions and old values one by one, as long as the order still fails.
    private func shrink(_ run: Run) -> Failure {
        var best = run
        while let less = best.simpler.lazy.map({ Run(scenario, memory, plan: $0, isLenient: true) })
            .first(where: { $0.failure != nil && $0.spent < best.spent })
        { best = less }
        return best.failure!
    }

    private static func number(_ variable: String) -> Int {
        ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? 0
    }

    /// Threads are numbered from 0, values from `firstValue`.
    static let firstValue = 10

    static func letter(_ choice: Int) -> String {
        choice < firstValue ? "\(choice)" : String(UnicodeScalar(UInt8(ascii: "a") + UInt8(choice - firstValue)))
    }

    private static func choice(_ letter: Character) -> Int? {
        letter.wholeNumberValue ?? letter.asciiValue.map { Int($0) - Int(UInt8(ascii: "a")) + firstValue }
    }

    /// Stops a thread of a scenario until it may continue. Other threads are not stopped.
    static func step(
        _ operation: String, _ file: StaticString, _ line: UInt, if mayGoOn: @escaping () -> Bool = { true }
    ) { Run.current?.step("\(operation) at \(file):\(line)", mayGoOn) }
}

/// One run of a scenario in one order.
///
/// `@unchecked Sendable`: each thread lets the chosen one go on and waits, so two threads never access the state at once.
final class Run: @unchecked Sendable {
    private struct Decision {
        /// The first choice is free. Each other choice costs one.
        let options: [Int]
        let areFree: Bool, chosen: Int, spentBefore: Int

        var isPaid: Bool { !areFree && chosen != options[0] }
    }

    /// The current run.
    nonisolated(unsafe) private(set) static var current: Run?
    /// More steps than any scenario has.
    private static let longest = 10_000
    private static let doesNotFit = "the order does not fit: the scenario is not the same each time"

    let memory: Memory
    private var threads: [VirtualThread] = []
    private var running: Int?
    private var isInOneStep = false
    private let isOver = DispatchSemaphore(value: 0)
    private let plan: [Int], isLenient: Bool
    private let choose: (([Int]) -> Int)?
    private var decisions: [Decision] = []
    private var steps: [String] = []
    private var problem: String?
    private(set) var failure: Explorer.Failure?
    /// The number of preemptions and old values.
    private(set) var spent = 0

    /// - Parameters:
    ///   - plan: the first choices. After them the running thread continues as long as it can, and loads get the newest
    ///   values.
    ///   - isLenient: whether an impossible choice is replaced by the default choice.
    ///   - choose: makes the choices instead of the plan.
    init(
        _ scenario: () -> Scenario, _ model: Memory.Model, plan: [Int], isLenient: Bool = false,
        choose: (([Int]) -> Int)? = nil
    ) {
        (memory, self.plan, self.isLenient, self.choose) = (Memory(model), plan, isLenient, choose)
        Run.current = self
        defer { Run.current = nil }
        ProcessIdentity.restart()
        let scenario = scenario()
        threads = scenario.threads.map { VirtualThread.start($0) }
        memory.begin(threads.count)
        if let first = next() {
            threads[first].goOn()
            isOver.wait()
        }
        running = nil
        memory.end()
        if !isLenient, problem == nil, decisions.count < plan.count { problem = Run.doesNotFit }
        // Threads that have not ended stay blocked: nothing can resume them. Other threads get their locks.
        let waiting = threads.indices.filter { threads[$0].operation != nil }
        let message = problem ?? (waiting.isEmpty ? scenario.check() : "threads \(waiting) wait for ever")
        for thread in threads where thread.operation == nil { thread.recycle() }
        guard let message else { return }
        let order = decisions.map { Explorer.letter($0.chosen) }.joined()
        failure = Explorer.Failure(message: message, order: order, steps: steps)
    }

    /// Runs `body` without stopping the thread.
    func inOneStep(_ body: () -> Void) {
        isInOneStep = true
        body()
        isInOneStep = false
    }

    /// The running thread is about to take a step.
    fileprivate func step(_ operation: String, _ mayGoOn: @escaping () -> Bool) {
        guard let running, !isInOneStep else { return }
        let thread = threads[running]
        (thread.operation, thread.mayGoOn) = (operation, mayGoOn)
        pass(from: thread)
    }

    /// The running thread has ended.
    fileprivate func ended() {
        guard let running else { return }
        threads[running].operation = nil
        pass(from: nil)
    }

    private func pass(from thread: VirtualThread?) {
        guard let next = next() else {
            isOver.signal()
            thread?.stop()
            return
        }
        if threads[next] === thread { return }
        threads[next].goOn()
        thread?.stop()
    }

    /// Returns the thread that runs next; nil if no thread can or needs to run.
    private func next() -> Int? {
        let ready = threads.indices.filter { threads[$0].isReady }
        if decisions.count >= Run.longest { problem = "the threads do not end" }
        if ready.isEmpty || problem != nil { return nil }
        let current = running.flatMap { ready.contains($0) ? $0 : nil }
        let others = ready.filter { $0 != current }
        guard let chosen = decide([current].compactMap { $0 } + others, areFree: current == nil) else { return nil }
        steps.append("  thread \(chosen): \(threads[chosen].operation ?? "")")
        running = chosen
        memory.run(chosen)
        return chosen
    }

    /// Returns the index of the value that a load gets. 0 is the newest.
    func decideValue(of count: Int) -> Int {
        if count == 1 || problem != nil { return 0 }
        let options = (0..<min(count, 16)).map { Explorer.firstValue + $0 }
        let age = (decide(options, areFree: false) ?? options[0]) - Explorer.firstValue
        if age > 0 { steps.append("            gets an old value, \(age) before the newest") }
        return age
    }

    private func decide(_ options: [Int], areFree: Bool) -> Int? {
        var planned = decisions.count < plan.count ? plan[decisions.count] : nil
        if let known = planned, !options.contains(known) {
            if !isLenient {
                problem = Run.doesNotFit
                return nil
            }
            planned = nil
        }
        let chosen = planned ?? choose?(options) ?? options[0]
        decisions.append(Decision(options: options, areFree: areFree, chosen: chosen, spentBefore: spent))
        if decisions[decisions.count - 1].isPaid { spent += 1 }
        return chosen
    }

    /// Returns the choices of the next order: the same up to the last choice that can be different.
    func next(atMost bound: Int) -> [Int]? {
        for index in decisions.indices.reversed() {
            let decision = decisions[index]
            let rest = decision.options.drop { $0 != decision.chosen }.dropFirst()
            guard let other = rest.first, decision.areFree || decision.spentBefore < bound else { continue }
            return decisions[..<index].map(\.chosen) + [other]
        }
        return nil
    }

    /// Returns the same choices, each time without one costly choice and the choices after it.
    var simpler: [[Int]] {
        let choices = decisions.map(\.chosen)
        return decisions.indices.reversed().filter { decisions[$0].isPaid }.flatMap { index in
            let (before, after) = (Array(choices[..<index]), Array(choices[(index + 1)...]))
            return [before, before + [decisions[index].options[0]] + after, before + after]
        }
    }
}

/// A system thread that runs threads of scenarios one after the other.
///
/// `@unchecked Sendable`: the semaphores order all accesses of several threads.
private final class VirtualThread: @unchecked Sendable {
    nonisolated(unsafe) private static var idle: [VirtualThread] = []
    private var body: (@Sendable () -> Void)?
    private let mayRun = DispatchSemaphore(value: 0)
    /// The next step; nil after the end.
    var operation: String?
    var mayGoOn: () -> Bool = { true }

    static func start(_ body: @escaping @Sendable () -> Void) -> VirtualThread {
        let thread = idle.popLast() ?? VirtualThread()
        (thread.body, thread.operation, thread.mayGoOn) = (body, "begin", { true })
        return thread
    }

    private init() {
        Thread.detachNewThread {
            while true {
                self.mayRun.wait()
                self.body?()
                self.body = nil
                Run.current?.ended()
            }
        }
    }

    var isReady: Bool { operation != nil && mayGoOn() }
    func goOn() { mayRun.signal() }
    func stop() { mayRun.wait() }

    /// Its body has ended.
    func recycle() {
        mayGoOn = { true }
        VirtualThread.idle.append(self)
    }
}
