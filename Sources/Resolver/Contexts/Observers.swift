/// Those who are told of events of one type, each of what happens in the test in which it was added, or outside of tests, or of all.
final class Observers<Event: Sendable>: Sendable {
    private struct Observer {
        let number: UInt64
        /// 0 outside of tests; nil for all that happens.
        let test: UInt64?
        let call: @Sendable (Event) -> Void
        let ended: @Sendable () -> Void
    }

    /// In the order in which they were added.
    private let observers = Guarded<[Observer]>([])
    private let count = AtomicWord(0)
    /// Set while there are any, if calls have to take the long way to be told of; else zero.
    private let slowPathReason: UInt64

    init(slowPathReason: UInt64 = 0) {
        self.slowPathReason = slowPathReason
    }

    var areThereAny: Bool { count.load() > 0 }

    /// Outside of every lock, and not for what observers cause.
    func emit(_ event: () -> Event) {
        guard areThereAny else { return }
        let test = World.testNumber
        let listening = observers.withLock { $0 }.filter { ($0.test ?? test) == test }
        let cycle = ResolutionCycle.current
        if listening.isEmpty || cycle.state.pointee.isTelling { return }
        cycle.withoutPass {
            // What it looks at may end a scope, which is told first.
            let event = event()
            cycle.state.pointee.isTelling = true
            defer { cycle.state.pointee.isTelling = false }
            for observer in listening { observer.call(event) }
        }
    }

    /// - Parameters:
    ///   - isOfAll: whether it is also called for what happens in tests, and outside of the one in which it is added.
    ///   - ended: called when it is removed.
    func add(
        _ observer: @escaping @Sendable (Event) -> Void, isOfAll: Bool = false,
        ended: @escaping @Sendable () -> Void = {}
    ) -> ResolverObservation {
        let number = ProcessIdentity.next()
        let observer = Observer(
            number: number, test: isOfAll ? nil : World.testNumber, call: observer, ended: ended)
        observers.withLock { $0.append(observer) }
        _ = count.add(1)
        update()
        return ResolverObservation { self.remove { $0.number == number } }
    }

    /// Those that a test has forgotten.
    func removeAll(in test: World.Test) {
        remove { $0.test == test.number }
    }

    @inline(never)
    private func remove(where isOver: (Observer) -> Bool) {
        // What they have captured is released outside the lock.
        let old = observers.withLock { observers in
            let old = observers.filter(isOver)
            observers.removeAll(where: isOver)
            return old
        }
        _ = count.subtract(UInt64(old.count))
        update()
        for observer in old { observer.ended() }
    }

    /// Under the lock, so that of two changes the later has the last word.
    private func update() {
        if slowPathReason == 0 { return }
        observers.withLock { SlowPathReasons.set(slowPathReason, !$0.isEmpty) }
    }
}

/// Ends with `cancel()`, and not by itself.
public final class ResolverObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// The observer is not called any more, but for calls that have begun.
    public func cancel() {
        end()
    }
}
