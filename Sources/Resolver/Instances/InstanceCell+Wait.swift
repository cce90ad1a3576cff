// Waiting for what others make.

extension InstanceCell {
    /// Finds out what a thread is to do, as `turn` does; where another is making the instance, waits for that first.
    ///
    /// - Parameter unfinished: reads the instance from the cycle of the thread that makes it.
    /// - Throws: `.circularDependency` if the other waits for this one, and its instance does not exist yet.
    func enter(
        _ cycle: ResolutionCycle, subject: ResolutionStep, identity: UInt64 = 0, timer: ExpiryTimer? = nil,
        isWanted: () -> Bool = { true }, unfinished: WaitGraph.Unfinished = { _, _ in nil }
    ) throws(ResolutionError) -> Access {
        while true {
            let turn = turn(of: cycle.node, subject: subject, identity: identity, timer: timer, isWanted: isWanted)
            guard case .wait(let creation) = turn else { return turn }
            // The same definition may have a synchronous factory elsewhere.
            if creation.task != nil { throw ResolutionError.requiresAsync(creation.subject.hop, isKept: true) }
            let wait = Wait(for: creation, of: cycle.waiting, path: cycle.makingPath, isThread: true)
            switch try begin(wait, unfinished) {
            case .unfinished(let object): return .unfinished(object)
            case .waits(let other):
                other?.wake()
                wait.sleep()
            case nil: break
            }
            switch creation.outcome(after: wait) {
            case .made(let object): return .take(object)
            case .unkeepable: return .uncached
            case .failed, .finished, .crashed, nil: continue
            }
        }
    }

    /// Waits, as a task, until `creation` is over.
    ///
    /// - Parameter start: begins what this task waits for, when the wait is known, so what begins is what closes a circle.
    /// - Throws: `.circularDependency`; `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func wait(for creation: Creation, start: () -> Void = {}) async throws -> Creation.Outcome {
        let frame = TaskFrame.current
        let nodes = [frame?.cycle.node].compactMap { $0 }
        let wait = Wait(for: creation, of: nodes, path: DependencyPath(frame), isThread: false)
        let begun = try begin(wait) { _, _ in nil }
        if case .waits(let other)? = begun { other?.wake() }
        start()
        do {
            // Those who come to a creation task that is over wait for its end as well.
            if begun != nil || creation.task != nil { try await wait.suspend() }
        } catch {
            WaitGraph.shared.end([wait])
            withLock { _ in creation.invalidate(wait) }
            throw error
        }
        let outcome = creation.outcome(after: wait) ?? .failed
        guard case .crashed(let error as ResolutionError) = outcome else { return outcome }
        return .crashed(error.led(by: DependencyPath(frame).elements.map(\.hop)))
    }

    /// For a call that cannot wait for the task that makes the instance: what it has made so far, if it waits for the thread
    /// that calls.
    ///
    /// - Throws: `.circularDependency` if it waits for that, and has made nothing yet.
    func unfinished(for cycle: ResolutionCycle, _ unfinished: WaitGraph.Unfinished) throws(ResolutionError)
        -> AnyObject?
    {
        guard let running else { return nil }
        let wait = Wait(for: running, of: cycle.waiting, path: cycle.makingPath, isThread: false)
        return try WaitGraph.shared.look(wait, unfinished)
    }

    /// - Returns: nil if the creation is over.
    private func begin(
        _ wait: Wait, _ unfinished: WaitGraph.Unfinished
    ) throws(ResolutionError) -> WaitGraph.Start? {
        try withLock { _ throws(ResolutionError) in
            if wait.creation.isSettled { return nil }
            let start = try WaitGraph.shared.begin(wait, unfinished)
            if case .waits = start { wait.creation.enlist(wait) }
            return start
        }
    }
}
