/// The reasons for a call to leave the fast path, as bits of one process-wide word.
enum SlowPathReasons {
    /// `registerAllServices` has not run. Set when the process starts, and by `Resolver.reset()`.
    static var bootstrap: UInt64 { 1 }
    /// `Resolver.root` has not been read yet or has been replaced, or a task or a test once had its own root.
    static var rootReplaced: UInt64 { 2 }
    /// `Resolver.decorate` is set.
    static var decorate: UInt64 { 4 }
    /// A test is running that is told which services are resolved in it.
    static var watched: UInt64 { 8 }
    /// An observer of resolutions exists.
    static var observed: UInt64 { 16 }

    /// Whether a static function may take the fast path on the first resolver of the process.
    @inline(__always)
    static var isNone: Bool { ProcessWord.slowPathReasons.load() == 0 }

    /// Whether a call on a given resolver may take the fast path. It ignores `rootReplaced`.
    @inline(__always)
    static var isNoneForResolvers: Bool { ProcessWord.slowPathReasons.load() & ~rootReplaced == 0 }

    static func isSet(_ reason: UInt64) -> Bool {
        ProcessWord.slowPathReasons.load() & reason != 0
    }

    static func set(_ reason: UInt64, _ isSet: Bool) {
        ProcessWord.slowPathReasons.set(reason, isSet)
    }
}
