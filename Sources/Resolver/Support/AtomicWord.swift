import CResolverSupport

/// A 64-bit word of memory that any thread may read and write: loads acquire, stores release.
///
/// `@unchecked Sendable`: the memory is only reached through atomic operations. The owner of a word deallocates it
/// when no thread can reach it any more.
struct AtomicWord: @unchecked Sendable, Equatable {
    let address: UnsafeMutablePointer<UInt64>

    init(_ value: UInt64) {
        self = .row(of: 1)
        address.pointee = value
    }

    /// `count` zero words side by side. `deallocate` on the first frees them all.
    static func row(of count: Int) -> AtomicWord {
        AtomicWord(at: resolver_words_make(count))
    }

    func deallocate() {
        resolver_words_free(address)
    }

    /// Zero words side by side in cache lines of their own: what one thread writes here again and again must not slow down others that read
    /// something else nearby. `deallocateBlock` on the first frees them all.
    static func block(of count: Int) -> AtomicWord {
        let line = 8
        // Found by hand, as the system takes its time for it. The word before the first says where the memory begins.
        let memory = row(of: (count + line - 1) / line * line + line).address
        let address = UnsafeMutableRawPointer(memory + 1).alignedUp(toMultipleOf: line * MemoryLayout<UInt64>.stride)
            .assumingMemoryBound(to: UInt64.self)
        address[-1] = UInt64(UInt(bitPattern: memory))
        return AtomicWord(at: address)
    }

    func deallocateBlock() {
        resolver_words_free(UnsafeMutablePointer(bitPattern: UInt(address[-1])))
    }

    /// A word in memory of another owner.
    @inline(__always)
    init(at address: UnsafeMutablePointer<UInt64>) {
        self.address = address
    }

    func next(_ distance: Int) -> AtomicWord {
        AtomicWord(at: address + distance)
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
