import CHeapProbe

extension Child {
    /// Ends the process with a failure if a third `round` of work grows the heap.
    static func requireFlatHeap(
        _ work: String, allowing slack: Int = 64 << 10, line: UInt = #line, _ round: () -> Void
    ) {
        round()
        round()
        let before = Int(heap_bytes_in_use())
        require(before > 1000, "\(before) bytes in use: the probe does not work", line: line)
        round()
        let grown = Int(heap_bytes_in_use()) - before
        require(grown <= slack, "\(work) leaves \(grown) bytes", line: line)
    }
}
