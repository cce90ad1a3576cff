/// The observers of one type of event. An observer gets the events of the test in which it was added, those outside of tests, or all.
final class Observers<Event: Sendable>: Sendable {
    private struct Observer {
        /// A later observer has a higher number.
        let number: UInt64
        let call: @Sendable (Event) -> Void
        let ended: @Sendable () -> Void
    }

    /// The observers of each test, by their numbers; those outside of tests at 0, those of all events at nil.
    private typealias ByTest = [UInt64?: [UInt64: Observer]]

    private let observers = Guarded<ByTest>([:])
    /// Not zero while there are observers. Written under the lock.
    private let anyWord = AtomicWord(0)
    /// The bit of `SlowPathReasons` that is set while there are observers; 0 if calls need not take the slow path for them.
    private let slowPathReason: UInt64
    /// The bit of `State.reporting` that is set on a thread while it calls these observers.
    private let bit: UInt8

    init(bit: UInt8, slowPathReason: UInt64 = 0) { (self.bit, self.slowPathReason) = (bit, slowPathReason) }

    var areThereAny: Bool { anyWord.load() != 0 }

    /// Calls the observers with an event. Called outside every lock. Events that they cause on their thread are not emitted.
    func emit(_ event: () -> Event) {
        guard areThereAny else { return }
        let test = World.testNumber
        let listening = observers.withLock { Array(($0[nil] ?? [:]).values) + ($0[test] ?? [:]).values }
        let cycle = ResolutionCycle.current
        let reporting = cycle.state.pointee.reporting
        if listening.isEmpty || reporting & bit != 0 { return }
        // Creating the event may end a scope, whose event is emitted first.
        let event = cycle.withoutPass(event)
        cycle.apart {
            cycle.state.pointee.reporting = reporting | bit
            for observer in listening.sorted(by: { Int($0.number) }) { observer.call(event) }
        }
    }

    /// Adds an observer.
    ///
    /// - Parameters:
    ///   - isOfAll: whether the observer gets the events of all tests, and those outside of tests.
    ///   - ended: called when the observer is removed.
    func add(
        _ observer: @escaping @Sendable (Event) -> Void, isOfAll: Bool = false,
        ended: @escaping @Sendable () -> Void = {}
    ) -> ResolverObservation {
        let number = ProcessIdentity.next(), test = isOfAll ? nil : World.testNumber
        change { $0[test, default: [:]][number] = Observer(number: number, call: observer, ended: ended) }
        let observation = ResolverObservation { self.remove(number, from: test) }
        // The end of the test has removed its earlier observers already, so it does not remove this one.
        if !isOfAll, World.current?.test?.hasEnded == true { observation.cancel() }
        return observation
    }

    /// Removes the observers that were added in a test and not cancelled.
    func removeAll(in test: World.Test) {
        let old = change { $0.removeValue(forKey: test.number) } ?? [:]
        for observer in Array(old.values).sorted(by: { Int($0.number) }) { observer.ended() }
    }

    private func remove(_ number: UInt64, from test: UInt64?) {
        let old = change { observers in
            defer { if observers[test]?.isEmpty == true { observers[test] = nil } }
            return observers[test]?.removeValue(forKey: number)
        }
        old?.ended()
    }

    /// Changes the observers, and returns those that were removed: their captures are released outside the lock.
    private func change<Removed>(_ body: (inout ByTest) -> Removed) -> Removed {
        observers.withLock { observers in
            let removed = body(&observers)
            // Under the lock, so that the words match the later of two changes.
            anyWord.store(observers.isEmpty ? 0 : 1)
            SlowPathReasons.set(slowPathReason, !observers.isEmpty)
            return removed
        }
    }
}

/// An active observation. It ends with `cancel()`, and not when it is released.
public final class ResolverObservation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Stops calling the observer. Calls that have begun are not interrupted.
    public func cancel() { end() }
}
