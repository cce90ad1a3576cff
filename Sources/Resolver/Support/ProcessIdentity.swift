/// Numbers that are handed out once in the life of the process. Unlike an address, one never comes back.
enum ProcessIdentity {
    private static let last = AtomicWord(0)

    static func next() -> UInt64 {
        last.add(1)
    }
}
