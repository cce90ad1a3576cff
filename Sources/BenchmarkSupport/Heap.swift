import CHeapProbe

public enum Heap {
    /// Returns the number of heap bytes in use, or nil if it is unknown.
    public static func bytesInUse() -> Int? {
        let bytes = Int(heap_bytes_in_use())
        return bytes == 0 ? nil : bytes
    }
}
