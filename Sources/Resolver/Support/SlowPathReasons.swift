/// Reasons for a call to leave the short way, as bits of one process-wide word.
enum SlowPathReasons {
    /// `registerAllServices` has not run. Set when the process starts, and by `Resolver.reset()`.
    static var bootstrap: UInt64 { 1 }
    /// `Resolver.root` has not been asked for yet, or is not the resolver that the process started with.
    static var rootReplaced: UInt64 { 2 }
    /// `Resolver.decorate` is set.
    static var decorate: UInt64 { 4 }
    /// There is a test that is told what is resolved in it.
    static var watched: UInt64 { 8 }
    /// There is an observer of what is resolved.
    static var observed: UInt64 { 16 }

    /// Whether a static function may ask the first resolver, and take the short way there.
    @inline(__always)
    static var isNone: Bool { ProcessWord.slowPathReasons.load() == 0 }

    /// Whether a resolver at hand may take the short way.
    @inline(__always)
    static var isNoneForResolvers: Bool { ProcessWord.slowPathReasons.load() & ~rootReplaced == 0 }

    static func isSet(_ reason: UInt64) -> Bool {
        ProcessWord.slowPathReasons.load() & reason != 0
    }

    static func set(_ reason: UInt64, _ isSet: Bool) {
        ProcessWord.slowPathReasons.set(reason, isSet)
    }
}
