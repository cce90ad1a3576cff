import CResolverSupport

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
    case surroundings
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
