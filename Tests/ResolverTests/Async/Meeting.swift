/// A meeting of a fixed number of tasks. Who comes after it does not wait.
final class Meeting: Sendable {
    private let missing: Box<Int>
    private let isComplete = SteadyGate()

    init(_ count: Int) {
        missing = Box(count)
    }

    func arriveAndWait() async {
        let stillMissing = missing.update { missing in
            missing -= 1
            return missing
        }
        if stillMissing == 0 { isComplete.open() }
        await isComplete.wait()
    }
}
