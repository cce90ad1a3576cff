// Waiting for a creation of another thread or task.

extension InstanceCell {
    /// Returns what a thread does next, as `turn` does, but waits if another thread is creating the instance.
    ///
    /// - Parameter mayMakeApart: whether the call may create its own instance, which is not kept, if its wait would close a cycle.
    /// - Throws: `.circularDependency` if the creator waits for this thread, and no instance exists yet on the dependency cycle;
    ///   `.requiresAsync` if a creation task is creating the instance.
    func enter(
        _ cycle: ResolutionCycle, subject: ResolutionStep, identity: UInt64 = 0, timer: ExpiryTimer? = nil,
        mayMakeApart: Bool = false, isWanted: () -> Bool = { true }
    ) throws(ResolutionError) -> Access {
        while true {
            let turn = turn(of: cycle.node, subject: subject, identity: identity, timer: timer, isWanted: isWanted)
            guard case .wait(let creation) = turn else { return turn }
            // Another registration of the same definition may have an asynchronous factory.
            if creation.task != nil { throw ResolutionError.requiresAsync(creation.subject.hop) }
            let wait = Wait(for: creation, by: cycle.makingPath, mayMakeApart: mayMakeApart)
            switch try begin(wait) {
            case .unfinished(let object): return .unfinished(object)
            case .apart: return .uncached
            case .waits(let other):
                other?.wake()
                wait.sleep()
            case nil: break
            }
            switch withLock({ _ in creation.outcome }) {
            case .made(let object): return .take(object)
            case .unkeepable: return .uncached
            // Nil if the thread was woken early, because it can get the unfinished object or create its own.
            case .failed, .finished, .crashed, nil: continue
            }
        }
    }

    /// Suspends the task until `creation` is over, and returns its outcome.
    ///
    /// - Parameters:
    ///   - mayMakeApart: as for `enter`.
    ///   - start: starts the creation task. It is called once the wait is in the wait graph, so a dependency cycle is detected in the
    ///     task that it starts.
    /// - Returns: nil if the task creates its own instance.
    /// - Throws: `.circularDependency`; `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func wait(
        for creation: Creation, mayMakeApart: Bool = false, start: () -> Void = {}
    ) async throws -> Creation.Outcome? {
        let frame = TaskFrame.current
        let wait = Wait(for: creation, by: DependencyPath(frame), mayMakeApart: mayMakeApart)
        let begun = try begin(wait)
        if case .apart? = begun { return nil }
        if case .waits(let other)? = begun { other?.wake() }
        start()
        do {
            // A task that finds a settled creation of a creation task waits for that task's end as well.
            if begun != nil || creation.task != nil { try await wait.suspend() }
        } catch {
            WaitGraph.shared.end(wait)
            withLock { _ in creation.invalidate(wait) }
            throw error
        }
        let outcome = withLock { _ in creation.outcome } ?? .failed
        guard case .crashed(let error as ResolutionError) = outcome else { return outcome }
        return .crashed(error.led(by: DependencyPath(frame).elements.map(\.hop)))
    }

    /// Suspends the task until `creation` is over, and returns its instance, if any.
    nonisolated(nonsending) func awaited(_ creation: Creation) async throws -> AnyObject? {
        switch try await wait(for: creation) {
        case .made(let object): return object
        case .crashed(let error): throw error
        case .unkeepable, .failed, .finished, nil: return nil
        }
    }

    /// Returns the unfinished instance, if its creator waits for the calling thread, and nil otherwise.
    ///
    /// For a call that cannot wait for a creation task.
    ///
    /// - Throws: `.circularDependency` if the creator waits for the calling thread, and no instance exists yet on the dependency cycle.
    func unfinished(for cycle: ResolutionCycle) throws(ResolutionError) -> AnyObject? {
        guard let running else { return nil }
        return try WaitGraph.shared.unfinishedObject(awaitedBy: Wait(for: running, by: cycle.makingPath))
    }

    /// Adds the wait to the wait graph and to the creation.
    ///
    /// - Returns: nil if the creation is over.
    private func begin(_ wait: Wait) throws(ResolutionError) -> WaitGraph.Start? {
        try withLock { _ throws(ResolutionError) in
            if wait.creation.isSettled { return nil }
            let start = try WaitGraph.shared.begin(wait)
            if case .waits = start { wait.creation.enlist(wait) }
            return start
        }
    }
}
