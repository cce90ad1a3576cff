import BenchmarkSupport
import Foundation

/// Takes the figures of one workload at one size, in a process that does nothing else, and prints each at once: what comes
/// before a crash is not lost.
final class Recorder: Sendable {
    /// A round that only warms up prints nothing.
    private let isSilent: Bool

    init(isSilent: Bool) {
        self.isSilent = isSilent
    }

    func note(_ step: String, _ quantity: Quantity, _ growth: Growth, units: Int = 1, total: Double) {
        guard !isSilent else { return }
        print(Figure(step: step, quantity: quantity, growth: growth, units: units, total: total).line)
        fflush(nil)
    }

    /// Performs `body`, which does something `units` times, and notes the time and the bytes that it has added to the heap.
    ///
    /// - Parameters:
    ///   - bytes: nil where the heap is of no interest.
    ///   - clock: processor time, which other processes cannot take; of this thread unless the work is done by others.
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

    /// Measures something that goes on for ever and must not grow. `body` is performed for a few rounds first, which make
    /// what is made once. No number of a round comes twice in a process, so that they can name what is new.
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

    /// Ends the process, because a result is wrong: its figures would mean nothing.
    func end(with complaint: String) -> Never {
        print("wrong: \(complaint)")
        fflush(nil)
        exit(3)
    }
}
