import CResolverSupport

/// A 64-bit word of memory that any thread may read and write: loads acquire, stores release.
///
/// `@unchecked Sendable`: the memory is only reached through atomic operations. Whoever allocates a word deallocates it
/// when nobody can reach it any more.
struct AtomicWord: @unchecked Sendable, Equatable {
    let address: UnsafeMutablePointer<UInt64>

    init(_ value: UInt64) {
        address = .allocate(capacity: 1)
        address.initialize(to: value)
    }

    /// `count` zero words side by side, in cache lines of their own: what one thread writes here again and again must not
    /// slow down others that read something else nearby. `deallocate` on the first frees them all.
    static func block(of count: Int) -> AtomicWord {
        let line = 64
        let bytes = (count * MemoryLayout<UInt64>.stride + line - 1) / line * line
        let address = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: line)
            .bindMemory(to: UInt64.self, capacity: count)
        address.initialize(repeating: 0, count: count)
        return AtomicWord(at: address)
    }

    /// Four zero words side by side, in a cache line of their own. Freed by `deallocateLine`, and not by `deallocate`. The last
    /// word of the line says where the memory begins, and is no atomic one.
    static func line() -> AtomicWord {
        // Asking the system for an aligned line costs five times as much.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 + 48, alignment: 16)
        let address = memory.alignedUp(toMultipleOf: 64).bindMemory(to: UInt64.self, capacity: 8)
        address.initialize(repeating: 0, count: 8)
        address[7] = UInt64(UInt(bitPattern: memory))
        return AtomicWord(at: address)
    }

    func deallocateLine() {
        UnsafeMutableRawPointer(bitPattern: UInt(address[7]))?.deallocate()
    }

    /// A word in memory that belongs to somebody else.
    @inline(__always)
    init(at address: UnsafeMutablePointer<UInt64>) {
        self.address = address
    }

    func next(_ distance: Int) -> AtomicWord {
        AtomicWord(at: address + distance)
    }

    func deallocate() {
        address.deallocate()
    }

    @inline(__always)
    func load() -> UInt64 {
        resolver_word_load(address)
    }

    func store(_ value: UInt64) {
        resolver_word_store(address, value)
    }

    func exchange(_ value: UInt64) -> UInt64 {
        resolver_word_exchange(address, value)
    }

    @inline(__always)
    func subtract(_ value: UInt64) -> UInt64 {
        resolver_word_subtract(address, value)
    }

    /// Adds `value` and answers the sum.
    func add(_ value: UInt64) -> UInt64 {
        resolver_word_add(address, value) + value
    }

    /// Replaces `expected` by `value`; where another thread was faster, `expected` becomes what it found.
    func replace(_ expected: inout UInt64, by value: UInt64) -> Bool {
        resolver_word_replace(address, &expected, value)
    }
}
