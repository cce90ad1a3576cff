import CResolverSupport

/// A 64-bit word of memory that any thread may read and write.
///
/// Loads have acquire order, stores have release order, and all other operations have both.
///
/// `@unchecked Sendable`: the memory is accessed by atomic operations only, except for constants. The owner of a word
/// deallocates it when no thread can reach it any more.
struct AtomicWord: @unchecked Sendable, Equatable {
    let address: UnsafeMutablePointer<UInt64>

    init(_ value: UInt64) {
        self = .row(of: 1)
        address.pointee = value
    }

    /// Returns the first of `count` adjacent words that are zero. `deallocate` on the first word frees all of them.
    static func row(of count: Int) -> AtomicWord { AtomicWord(at: resolver_words_make(count)) }

    func deallocate() { resolver_words_free(address) }

    /// Returns the first of `count` adjacent zero words that share no cache line with other memory.
    ///
    /// Frequent writes to these words do not slow down reads of other memory. `deallocateBlock` on the first word frees all of them.
    static func block(of count: Int) -> AtomicWord {
        let line = 8
        // The memory is aligned here, because the system's aligned allocation is slow. The word before the first holds its start.
        let memory = row(of: (count + line - 1) / line * line + line).address
        let address = UnsafeMutableRawPointer(memory + 1).alignedUp(toMultipleOf: line * MemoryLayout<UInt64>.stride)
            .assumingMemoryBound(to: UInt64.self)
        address[-1] = UInt64(UInt(bitPattern: memory))
        return AtomicWord(at: address)
    }

    func deallocateBlock() { resolver_words_free(UnsafeMutablePointer(bitPattern: UInt(address[-1]))) }

    /// Creates a reference to a word in memory that another object owns.
    @inline(__always)
    init(at address: UnsafeMutablePointer<UInt64>) { self.address = address }

    /// Creates a reference to the word at an address that is given as a number; nil for zero.
    @inline(__always)
    init?(address number: UInt64) {
        guard let address = UnsafeMutablePointer<UInt64>(bitPattern: UInt(number)) else { return nil }
        self.address = address
    }

    /// Returns the word at an address that is not zero.
    @inline(__always)
    init(present number: UInt64) { address = UnsafeMutablePointer<UInt64>(bitPattern: UInt(number)).unsafelyUnwrapped }

    @inline(__always)
    var number: UInt64 { UInt64(UInt(bitPattern: address)) }

    /// The value of a word that is written before other threads can reach it, and never after. Accesses are not atomic.
    @inline(__always)
    var constant: UInt64 {
        get { address.pointee }
        nonmutating set { address.pointee = newValue }
    }

    @inline(__always)
    func next(_ distance: Int) -> AtomicWord { AtomicWord(at: address + distance) }

    @inline(__always)
    func load() -> UInt64 { resolver_word_load(address) }

    func store(_ value: UInt64) { resolver_word_store(address, value) }

    func exchange(_ value: UInt64) -> UInt64 { resolver_word_exchange(address, value) }

    @inline(__always)
    func subtract(_ value: UInt64) -> UInt64 { resolver_word_subtract(address, value) }

    /// Adds `value` and returns the sum.
    func add(_ value: UInt64) -> UInt64 { resolver_word_add(address, value) + value }

    /// Sets bits, which may be set already.
    func set(_ bits: UInt64) { resolver_word_set(address, bits, true) }

    /// Replaces `expected` with `value`, and returns whether it did. Otherwise `expected` becomes the value that was found.
    func replace(_ expected: inout UInt64, by value: UInt64) -> Bool {
        resolver_word_replace(address, &expected, value)
    }
}

/// An atomic word of the process.
///
/// All words are zero when the process starts, except `slowPathReasons`. Access costs no call, unlike that of a static property.
enum ProcessWord: Int {
    /// The bits of `SlowPathReasons`. When the process starts, `bootstrap` and `rootReplaced` are set.
    case slowPathReasons
    /// The number of open task cycles. While it is zero, no call looks up the running task for them.
    case taskCycles
    /// The number of scopes that are set for a task or a thread. While it is zero, no call looks up the running task for them.
    case setScopes
    /// The last number that `ProcessIdentity` returned.
    case identity
    case begunScopes
    /// The number of services that are registered for one scope alone.
    case scopeOverrides
    /// Nonzero once limits were set for a kind of scope.
    case scopeLimits
    /// Nonzero once a task had its own root, or a test began.
    case worlds
    /// The number of isolating resolvers and scopes of contexts that were created.
    case isolations
    /// The number of children that were added to resolvers.
    case childAdditions
    /// Nonzero once a default scope was set.
    case defaultScope
    /// Nonzero once a clock was set.
    case clock
    /// The address of the first resolver, before `rootReplaced` is first cleared.
    case firstResolver

    @inline(__always)
    private var word: AtomicWord { AtomicWord(at: resolver_process_word(rawValue)) }

    @inline(__always)
    func load() -> UInt64 { word.load() }

    func store(_ value: UInt64) { word.store(value) }

    /// Adds `value` and returns the sum.
    @discardableResult
    func add(_ value: UInt64) -> UInt64 { word.add(value) }

    @discardableResult
    func subtract(_ value: UInt64) -> UInt64 { word.subtract(value) }

    func set(_ bits: UInt64, _ isSet: Bool) { resolver_word_set(word.address, bits, isSet) }
}

/// Numbers that are unique in the process. Unlike an address, a number is never reused.
enum ProcessIdentity {
    static func next() -> UInt64 { ProcessWord.identity.add(1) }
}

/// The reasons for a call to leave the fast path, as bits of one process-wide word.
enum SlowPathReasons {
    /// `registerAllServices` has not run. Set when the process starts, and by `Resolver.reset()`.
    static var bootstrap: UInt64 { 1 }
    /// `Resolver.root` has not been read yet or has been replaced, or a task or a test once had its own root.
    static var rootReplaced: UInt64 { 2 }
    /// `Resolver.decorate` is set.
    static var decorate: UInt64 { 4 }
    /// A running test watches which services are resolved in it.
    static var watched: UInt64 { 8 }
    /// An observer of resolutions exists.
    static var observed: UInt64 { 16 }

    /// Whether a static function may take the fast path on the first resolver of the process.
    @inline(__always)
    static var isNone: Bool { ProcessWord.slowPathReasons.load() == 0 }

    /// Whether a call on a given resolver may take the fast path. It ignores `rootReplaced`.
    @inline(__always)
    static var isNoneForResolvers: Bool { ProcessWord.slowPathReasons.load() & ~rootReplaced == 0 }

    static func isSet(_ reason: UInt64) -> Bool { ProcessWord.slowPathReasons.load() & reason != 0 }

    static func set(_ reason: UInt64, _ isSet: Bool) { ProcessWord.slowPathReasons.set(reason, isSet) }
}
