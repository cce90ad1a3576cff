/// What threads see of each other's words, as far as the memory model of C and Swift allows it.
///
/// A word has a history of values. A thread has a *view*: the oldest value of each word that it may still see. A load gets any value
/// that is not older. A store that releases leaves the thread's view beside the value, and a load that acquires the value takes
/// that view over; so does a thread that takes a lock from the thread that had it before. What changes a word in one step sees the
/// newest value, and leaves the view that it has found beside it as well as its own.
///
/// Left out: loads that see what is stored later, stores that a processor puts into another order than the one in which they
/// are run, and a `replace` that fails because it sees an old value. The first value of a word all threads see. Memory that is no word is
/// as it is, and so are the counts of references. A task that is resumed learns nothing from the thread that resumes it, unless by a
/// lock. The cancellation of a task and its handlers are one step. Numbers of the process (`ProcessIdentity`) tell a thread what those
/// knew that took a number before.
final class Memory {
    enum Model: Equatable {
        /// All threads see the steps in one order.
        case sequential
        /// Each word acquires and releases as the library's words do, but for those operations.
        case weak(relaxed: Set<Operation>)

        static let weak = Model.weak(relaxed: [])
    }

    /// What can be done with a word.
    enum Operation: CaseIterable {
        case load, store, exchange, subtract, add, replace
    }

    typealias Word = UnsafeMutablePointer<UInt64>
    /// For each word, by its number, how many of its values are too old.
    private typealias View = [Int: Int]

    private struct Value {
        let value: UInt64
        let view: View
    }

    private let model: Model
    /// The numbers of words: memory may become another word.
    private var numbers: [Word: Int] = [:]
    private var history: [[Value]] = []
    /// What is known to a thread that takes the lock, or passes the latch.
    private var left: [UnsafeRawPointer: View] = [:]
    private var views: [View] = []
    private var running: Int?
    private var taken: Set<UnsafeMutablePointer<Lock.Mutex>> = []

    init(_ model: Model) {
        self.model = model
    }

    /// That of the order that is under way; outside of orders, one that is as it is.
    static var current: Memory { Run.current?.memory ?? outside }
    nonisolated(unsafe) private static let outside = Memory(.sequential)

    private var isWeak: Bool { model != .sequential && running != nil }

    func begin(_ threads: Int) {
        // What was written before the threads began all of them see.
        (numbers, history, left) = ([:], [], [:])
        views = Array(repeating: [:], count: threads)
    }

    func run(_ thread: Int) { running = thread }

    func end() {
        running = nil
        for lock in taken { lock.pointee = false }
    }

    /// The memory is used for something else now.
    func forget(_ word: Word) { numbers[word] = nil }

    func load(_ word: Word, isRelaxed: Bool = false) -> UInt64 {
        guard isWeak, let run = Run.current, let running else { return word.pointee }
        let number = number(of: word)
        let count = history[number].count
        let index = count - 1 - run.decideValue(of: count - (views[running][number] ?? 0))
        see(number, index, acquires: !isRelaxed && isOrdered(.load))
        return history[number][index].value
    }

    func store(_ word: Word, _ value: UInt64, isRelaxed: Bool = false) {
        guard isWeak else { return word.pointee = value }
        write(word, value, releases: !isRelaxed && isOrdered(.store), after: [:])
    }

    /// Reads the newest value and puts another in its place.
    ///
    /// - Parameter change: nil leaves the word as it is.
    func change(_ word: Word, by operation: Operation, _ change: (UInt64) -> UInt64?) -> UInt64 {
        let old = word.pointee
        guard isWeak else {
            if let new = change(old) { word.pointee = new }
            return old
        }
        let number = number(of: word)
        let newest = history[number].count - 1
        see(number, newest, acquires: isOrdered(operation))
        if let new = change(old) {
            write(word, new, releases: isOrdered(operation), after: history[number][newest].view)
        }
        return old
    }

    // MARK: Locks and latches

    func take(_ lock: UnsafeMutablePointer<Lock.Mutex>) {
        taken.insert(lock)
        acquire(lock)
    }

    func free(_ lock: UnsafeMutablePointer<Lock.Mutex>) {
        taken.remove(lock)
        release(lock)
    }

    func acquire(_ lock: UnsafeRawPointer) {
        guard let running, let view = left[lock] else { return }
        views[running].merge(view, uniquingKeysWith: max)
    }

    func release(_ lock: UnsafeRawPointer) {
        guard let running else { return }
        left[lock, default: [:]].merge(views[running], uniquingKeysWith: max)
    }

    func forget(lock: UnsafeRawPointer) { left[lock] = nil }

    // MARK: Histories

    /// Whether it acquires and releases, as far as it loads and stores.
    private func isOrdered(_ operation: Operation) -> Bool {
        if case .weak(let relaxed) = model { !relaxed.contains(operation) } else { true }
    }

    private func number(of word: Word) -> Int {
        if let known = numbers[word] { return known }
        history.append([Value(value: word.pointee, view: [:])])
        numbers[word] = history.count - 1
        return history.count - 1
    }

    private func see(_ number: Int, _ index: Int, acquires: Bool) {
        guard let running else { return }
        views[running][number] = max(views[running][number] ?? 0, index)
        if acquires { views[running].merge(history[number][index].view, uniquingKeysWith: max) }
    }

    private func write(_ word: Word, _ value: UInt64, releases: Bool, after view: View) {
        guard let running else { return }
        let number = number(of: word)
        let index = history[number].count
        views[running][number] = index
        let own = releases ? views[running] : [number: index]
        history[number].append(Value(value: value, view: own.merging(view, uniquingKeysWith: max)))
        word.pointee = value
    }
}
