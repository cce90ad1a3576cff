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

    /// The word at an address that was made a number.
    @inline(__always)
    init?(address number: UInt64) {
        guard let address = UnsafeMutablePointer<UInt64>(bitPattern: UInt(number)) else { return nil }
        self.address = address
    }

    /// The address as a number.
    @inline(__always)
    var number: UInt64 { UInt64(UInt(bitPattern: address)) }

    /// A constant: written before other threads can reach the word, and never again.
    @inline(__always)
    var constant: UInt64 {
        get { address.pointee }
        nonmutating set { address.pointee = newValue }
    }

    @inline(__always)
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

/// An atomic word of the process, zero when it starts. To find one costs nothing, unlike a static property.
enum ProcessWord: Int {
    /// Why a call may not take the short way: see `SlowPathReasons`. Begins with those that hold when a process starts.
    case slowPathReasons
    /// How many resolution cycles of tasks are open. While there are none, no call asks which task runs.
    case taskCycles
    /// How many scopes are set, for a task or a thread. While there are none, no call asks which task runs.
    case setScopes
    /// The last number that was handed out: see `ProcessIdentity`.
    case identity
    /// How many scopes have begun.
    case begunScopes
    /// How many services are registered for one scope alone.
    case scopeOverrides
    /// Not zero once limits were set for a kind of scope.
    case scopeLimits
    /// Not zero once a task had a root, or a test, of its own.
    case worlds
    /// How many isolating resolvers there were.
    case isolations
    /// How many children were added to resolvers.
    case childAdditions
    /// Not zero once a default scope was set.
    case defaultScope
    /// Not zero once a clock was set.
    case clock

    @inline(__always)
    private var word: AtomicWord { AtomicWord(at: resolver_process_word(rawValue)) }

    @inline(__always)
    func load() -> UInt64 { word.load() }

    func store(_ value: UInt64) { word.store(value) }

    /// Adds `value` and answers the sum.
    @discardableResult
    func add(_ value: UInt64) -> UInt64 { word.add(value) }

    @discardableResult
    func subtract(_ value: UInt64) -> UInt64 { word.subtract(value) }

    func set(_ bits: UInt64, _ isSet: Bool) { resolver_word_set(word.address, bits, isSet) }
}

/// Numbers that are handed out once in the life of the process. Unlike an address, one never comes back.
enum ProcessIdentity {
    static func next() -> UInt64 { ProcessWord.identity.add(1) }
}
