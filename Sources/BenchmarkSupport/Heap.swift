import CHeapProbe

public enum Heap {
    /// How many bytes of the heap are in use, or nil where that cannot be known.
    public static func bytesInUse() -> Int? {
        let bytes = Int(heap_bytes_in_use())
        return bytes == 0 ? nil : bytes
    }
}
