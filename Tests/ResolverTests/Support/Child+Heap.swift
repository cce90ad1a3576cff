import CHeapProbe

extension Child {
    /// Ends the process with a failure if each of four rounds of work grows the heap. Tasks of the last creations may still
    /// exist, so the measurement has some slack, and a busy machine gets more rounds.
    static func requireFlatHeap(
        _ work: String, allowing slack: Int = 64 << 10, line: UInt = #line, _ round: () async -> Void
    ) async {
        // A call that has to wait throws internally first.
        heap_forget_thrown_errors()
        await round()
        await round()
        var grown: [Int] = []
        repeat {
            let before = Int(heap_bytes_in_use())
            require(before > 1000, "\(before) bytes in use: the probe does not work", line: line)
            await round()
            grown.append(Int(heap_bytes_in_use()) - before)
            require(grown.count < 4 || grown[3] <= slack, "\(work) leaves \(grown) bytes", line: line)
        } while grown.last! > slack
    }
}
