import CHeapProbe

extension Child {
    /// Ends the process with a failure if a third `round` grows the heap.
    static func requireFlatHeap(line: UInt = #line, _ round: () -> Void) {
        round()
        round()
        let before = Int(heap_bytes_in_use())
        round()
        let after = Int(heap_bytes_in_use())
        require(before > 0 && after <= before + 64 << 10, "\(before) bytes became \(after)", line: line)
    }
}
