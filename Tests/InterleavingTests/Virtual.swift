// Words, locks, latches and tasks with the names that the rooms use. Every operation is a step of the explorer.

/// A word whose every use is a step.
struct AtomicWord: @unchecked Sendable, Equatable {
    let address: UnsafeMutablePointer<UInt64>

    init(_ value: UInt64) {
        self = .row(of: 1)
        address.pointee = value
    }

    init(at address: UnsafeMutablePointer<UInt64>) { self.address = address }

    static func row(of count: Int) -> AtomicWord {
        let address = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
        address.initialize(repeating: 0, count: count)
        for index in 0..<count { Memory.current.forget(address + index) }
        return AtomicWord(at: address)
    }

    static func block(of count: Int) -> AtomicWord { row(of: count) }

    init?(address number: UInt64) {
        guard let address = UnsafeMutablePointer<UInt64>(bitPattern: UInt(number)) else { return nil }
        self.address = address
    }

    var number: UInt64 { UInt64(UInt(bitPattern: address)) }

    var constant: UInt64 {
        get { address.pointee }
        nonmutating set { address.pointee = newValue }
    }

    func next(_ distance: Int) -> AtomicWord { AtomicWord(at: address + distance) }

    func deallocate() { address.deallocate() }
    func deallocateBlock() { deallocate() }

    func load(_ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("load", file, line)
        return Memory.current.load(address)
    }

    func store(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("store", file, line)
        Memory.current.store(address, value)
    }

    func exchange(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("exchange", file, line)
        return Memory.current.change(address, by: .exchange) { _ in value }
    }

    func subtract(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("subtract", file, line)
        return Memory.current.change(address, by: .subtract) { $0 &- value }
    }

    func add(_ value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line) -> UInt64 {
        Explorer.step("add", file, line)
        return Memory.current.change(address, by: .add) { $0 &+ value } &+ value
    }

    func replace(
        _ expected: inout UInt64, by value: UInt64, _ file: StaticString = #fileID, _ line: UInt = #line
    ) -> Bool {
        Explorer.step("replace", file, line)
        let wanted = expected
        expected = Memory.current.change(address, by: .replace) { $0 == wanted ? value : nil }
        return expected == wanted
    }
}

/// Unique numbers, which are the same in each order.
enum ProcessIdentity {
    private static let last = AtomicWord(0)

    static func next() -> UInt64 { last.add(1) }
    static func restart() { last.address.pointee = 0 }
}

/// A property in ordinary memory: a thread that has not synchronized with the object's creator may find nothing there.
final class Payload: Sendable {
    private let word = AtomicWord(0)
    init() { Memory.current.store(word.address, 1, isRelaxed: true) }

    deinit { word.deallocate() }

    var isThere: Bool {
        Explorer.step("read", #fileID, #line)
        return Memory.current.load(word.address, isRelaxed: true) == 1
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

    init(at mutex: UnsafeMutablePointer<Mutex>) { isTaken = mutex }

    static func initialize(_ mutex: UnsafeMutablePointer<Mutex>) {
        mutex.initialize(to: false)
        Memory.current.forget(lock: mutex)
    }

    func destroy() {}

    func lock(_ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("lock", file, line) { [isTaken] in !isTaken.pointee }
        precondition(!isTaken.pointee, "taken in one step, although another thread has it")
        isTaken.pointee = true
        Memory.current.take(isTaken)
    }

    func unlock() {
        Memory.current.free(isTaken)
        isTaken.pointee = false
    }
}

/// Waiting threads are not ready until the latch opens.
final class Latch: @unchecked Sendable {
    private var isOpen = false
    private var identity: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    init() { Memory.current.forget(lock: identity) }

    func open(_ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("open", file, line)
        Memory.current.release(identity)
        isOpen = true
    }

    func wait(_ file: StaticString = #fileID, _ line: UInt = #line) {
        Explorer.step("wait", file, line) { [self] in isOpen }
        Memory.current.acquire(identity)
    }
}

/// A task that runs on a thread of a scenario. While the task is suspended, the thread is not ready.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class VirtualTask: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    private var hasEnded = false
    private var task: Task<Void, Never>?
    private var isCancelled = false

    /// Runs `body` on this thread until it has ended.
    func run(_ body: @escaping @Sendable () async -> Void) {
        task = Task(executorPreference: self) {
            await body()
            self.hasEnded = true
        }
        if isCancelled { Run.current?.inOneStep { task?.cancel() } }
        while !hasEnded {
            Explorer.step("resume", #fileID, #line) { [self] in !jobs.isEmpty }
            jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Runs `body` as a task of the creation task with this `cycle`.
    func run(in cycle: ResolutionCycle, _ body: @escaping @Sendable () async -> Void) {
        run { await TaskFrame.$current.withValue(TaskFrame(cycle: cycle), operation: body) }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    func cancel() {
        Explorer.step("cancel", #fileID, #line)
        isCancelled = true
        // The runtime holds its own lock while the task's handlers run.
        Run.current?.inOneStep { task?.cancel() }
    }
}
