import BenchmarkSupport
import Foundation

/// The recorder of one workload at one size, in a process of its own. It prints each figure at once, so that a crash loses
/// none.
final class Recorder: Sendable {
    /// A warm-up round prints nothing.
    private let isSilent: Bool

    init(isSilent: Bool) {
        self.isSilent = isSilent
    }

    func note(_ step: String, _ quantity: Quantity, _ growth: Growth, units: Int = 1, total: Double) {
        guard !isSilent else { return }
        print(Figure(step: step, quantity: quantity, growth: growth, units: units, total: total).line)
        fflush(nil)
    }

    /// Performs `body`, which does something `units` times, and records the time and the growth of the heap.
    ///
    /// - Parameters:
    ///   - bytes: nil to ignore the heap.
    ///   - clock: processor time, which excludes other processes. The time of this thread, unless other threads do the work.
    func measure(
        _ step: String, units: Int, time: Growth = .flat, bytes: Growth? = nil,
        clock: () -> Double = processorTime, _ body: () -> Void
    ) {
        let bytesBefore = Heap.bytesInUse(), start = clock()
        body()
        let time = (growth: time, total: clock() - start), bytesAfter = Heap.bytesInUse()
        note(step, .nanoseconds, time.growth, units: units, total: time.total)
        if let bytes, let bytesBefore, let bytesAfter {
            note(step, .bytes, bytes, units: units, total: Double(bytesAfter - bytesBefore))
        }
    }

    /// Measures work that repeats for ever and must not grow.
    ///
    /// `body` first runs for a few rounds, which make what is made once. A process never reuses the number of a round, so
    /// `body` can derive new names from it.
    func loop(
        _ step: String, _ rounds: Int, time: Growth = .flat, bytes: Growth = .nothing,
        clock: () -> Double = processorTime, _ body: (_ rounds: Range<Int>) -> Void
    ) {
        let first = isSilent ? 0 : 2 * rounds
        let second = first + max(rounds / 8, 1)
        body(first..<second)
        measure(step, units: rounds, time: time, bytes: bytes, clock: clock) { body(second..<second + rounds) }
    }

    /// Ends the process unless a result is right.
    func require(_ isRight: Bool, _ complaint: @autoclosure () -> String) {
        if !isRight { end(with: complaint()) }
    }

    /// Ends the process because a result is wrong, which makes its figures meaningless.
    func end(with complaint: String) -> Never {
        print("wrong: \(complaint)")
        fflush(nil)
        exit(3)
    }
}
