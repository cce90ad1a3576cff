/// The values of words that threads can see, as far as the memory model of C and Swift allows.
///
/// A word has a history of values. A thread has a *view*: the oldest value of each word that it may still see. A load
/// gets any value that is not older. A store that releases stores the thread's view beside the value, and a load that
/// acquires the value merges that view into its own. So does a thread that takes a lock from the thread that held it
/// before. A read-modify-write operation sees the newest value, and stores the view that it found together with its
/// own.
///
/// Not modelled: loads that see later stores, stores that a processor reorders, and a `replace` that fails because it
/// sees an old value. All threads see the first value of a word. Other memory and reference counts are not modelled. A
/// resumed task learns nothing from the thread that resumes it, unless through a lock. The cancellation of a task and
/// its handlers are one step. A process identity (`ProcessIdentity`) gives a thread the views of the threads that took
/// identities before.
final class Memory {
    enum Model: Equatable {
        /// All threads see the steps in one order.
        case sequential
        /// Each word acquires and releases like the library's words, except for these operations.
        case weak(relaxed: Set<Operation>)

        static let weak = Model.weak(relaxed: [])
    }

    /// The operations on a word.
    enum Operation: CaseIterable { case load, store, exchange, subtract, add, replace }

    typealias Word = UnsafeMutablePointer<UInt64>
    /// For each word, by its number, the number of values that are too old.
    private typealias View = [Int: Int]

    private struct Value { let value: UInt64, view: View }

    private let model: Model
    /// The numbers of words: memory may be reused for another word.
    private var numbers: [Word: Int] = [:]
    private var history: [[Value]] = []
    /// The view of a thread that takes the lock or passes the latch.
    private var left: [UnsafeRawPointer: View] = [:]
    private var views: [View] = []
    private var running: Int?
    private var taken: Set<UnsafeMutablePointer<Lock.Mutex>> = []

    init(_ model: Model) { self.model = model }

    /// The memory of the current order. Outside of orders it is sequential.
    static var current: Memory { Run.current?.memory ?? outside }
    nonisolated(unsafe) private static let outside = Memory(.sequential)

    private var isWeak: Bool { model != .sequential && running != nil }

    func begin(_ threads: Int) {
        // All threads see the writes before their start.
        (numbers, history, left) = ([:], [], [:])
        views = Array(repeating: [:], count: threads)
    }

    func run(_ thread: Int) { running = thread }

    func end() {
        running = nil
        for lock in taken { lock.pointee = false }
    }

    /// Forgets a word whose memory is reused.
    func forget(_ word: Word) { numbers[word] = nil }

    func load(_ word: Word, isRelaxed: Bool = false) -> UInt64 {
        guard isWeak, let run = Run.current, let running else { return word.pointee }
        let number = number(of: word), count = history[number].count
        let index = count - 1 - run.decideValue(of: count - (views[running][number] ?? 0))
        see(number, index, acquires: !isRelaxed && isOrdered(.load))
        return history[number][index].value
    }

    func store(_ word: Word, _ value: UInt64, isRelaxed: Bool = false) {
        guard isWeak else { return word.pointee = value }
        write(word, value, releases: !isRelaxed && isOrdered(.store), after: [:])
    }

    /// Reads the newest value and replaces it.
    ///
    /// - Parameter change: nil leaves the word unchanged.
    func change(_ word: Word, by operation: Operation, _ change: (UInt64) -> UInt64?) -> UInt64 {
        let old = word.pointee
        guard isWeak else {
            if let new = change(old) { word.pointee = new }
            return old
        }
        let number = number(of: word), newest = history[number].count - 1
        see(number, newest, acquires: isOrdered(operation))
        if let new = change(old) {
            write(word, new, releases: isOrdered(operation), after: history[number][newest].view)
        }
        return old
    }

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

    /// Whether the operation acquires and releases, as far as it loads and stores.
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
        let number = number(of: word), index = history[number].count
        views[running][number] = index
        let own = releases ? views[running] : [number: index]
        history[number].append(Value(value: value, view: own.merging(view, uniquingKeysWith: max)))
        word.pointee = value
    }
}
