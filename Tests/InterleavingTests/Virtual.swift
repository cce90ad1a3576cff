// What the room uses of words and locks, with the same names. Every operation is a step of the explorer.

/// A word whose every use is a step.
struct AtomicWord: @unchecked Sendable, Equatable {
    let address: UnsafeMutablePointer<UInt64>

    init(_ value: UInt64) {
        address = .allocate(capacity: 1)
        address.initialize(to: value)
    }

    init(at address: UnsafeMutablePointer<UInt64>) {
        self.address = address
    }

    func deallocate() {
        address.deallocate()
    }

    func load(_ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("load", file, line)
        return address.pointee
    }

    func store(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("store", file, line)
        address.pointee = value
    }

    func exchange(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("exchange", file, line)
        defer { address.pointee = value }
        return address.pointee
    }

    func subtract(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("subtract", file, line)
        defer { address.pointee &-= value }
        return address.pointee
    }

    func add(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("add", file, line)
        address.pointee &+= value
        return address.pointee
    }

    func replace(
        _ expected: inout UInt64, by value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line
    ) -> Bool {
        Explorer.step("replace", file, line)
        guard address.pointee == expected else {
            expected = address.pointee
            return false
        }
        address.pointee = value
        return true
    }
}

/// A lock that a thread can take only when it is free.
struct Lock: @unchecked Sendable {
    typealias Mutex = Bool

    private let isTaken: UnsafeMutablePointer<Mutex>

    init() {
        isTaken = .allocate(capacity: 1)
        Lock.initialize(isTaken)
    }

    init(at mutex: UnsafeMutablePointer<Mutex>) {
        isTaken = mutex
    }

    static func initialize(_ mutex: UnsafeMutablePointer<Mutex>) {
        mutex.initialize(to: false)
    }

    func destroy() {}

    func lock(_ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("lock", file, line) { [isTaken] in !isTaken.pointee }
        isTaken.pointee = true
    }

    func unlock() {
        isTaken.pointee = false
    }
}

/// Threads that wait for it are not ready until it opens.
final class Latch: @unchecked Sendable {
    private var isOpen = false

    func open(_ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("open", file, line)
        isOpen = true
    }

    func wait(_ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("wait", file, line) { [self] in isOpen }
    }
}
