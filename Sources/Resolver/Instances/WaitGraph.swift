/// A thread, or a creation task with its child tasks, as a node of the wait graph: it may wait, and be waited for.
final class WaitNode: @unchecked Sendable {
    /// The waits of the node. Guarded by the wait graph's lock.
    ///
    /// The waiter adds a wait before it sleeps. The end of the creation removes it before it wakes the waiter, so a wait never outlasts its
    /// creation. A creation task may have thousands, one for each child task.
    fileprivate var waits = Slab<Wait>()
}

/// The wait of a thread or a task for a creation.
///
/// `@unchecked Sendable`: the wait graph's lock guards `indices`.
final class Wait: @unchecked Sendable {
    let creation: Creation
    /// The services that the waiter is creating.
    let path: DependencyPath
    fileprivate let nodes: [WaitNode]
    /// The indices of the wait in the lists of its nodes, while it is in the wait graph.
    private var indices: [Int] = []
    /// The index of the wait in the list of its creation. Guarded by the lock of the cell.
    var index: Int?
    /// The latch that wakes a thread. If both latches are nil, the end of the creation task wakes the waiter.
    private let latch: Latch?
    private let taskLatch: TaskLatch?
    /// Whether the waiter may create its own instance instead.
    fileprivate let mayMakeApart: Bool
    fileprivate var isByThread: Bool { latch != nil }

    /// Creates the wait of the thread or task that has `path`.
    init(for creation: Creation, by path: DependencyPath, mayMakeApart: Bool = false) {
        self.mayMakeApart = mayMakeApart
        self.creation = creation
        self.path = path
        nodes = path.nodes
        latch = path.thread == nil ? nil : Latch()
        taskLatch = path.thread != nil || creation.task != nil ? nil : TaskLatch()
    }

    /// Wakes the waiter. Called outside every lock, when the wait is over.
    func wake() {
        latch?.open()
        taskLatch?.open()
    }

    /// Blocks the thread until the wait is over.
    func sleep() { latch?.wait() }

    /// Suspends the task until the wait is over.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func suspend() async throws {
        if let task = creation.task { try await task.waitForEnd() } else { try await taskLatch?.wait() }
    }

    // MARK: Under the lock of the wait graph

    fileprivate func add() { indices = nodes.map { $0.waits.insert(self) } }

    /// Removes the wait. The caller holds it, so it is not deallocated under the lock. A second call does nothing.
    fileprivate func remove() {
        for (node, index) in zip(nodes, indices) { _ = node.waits.remove(at: index) }
        indices = []
    }
}

/// The graph of waits between threads and tasks. It never contains a cycle, which would be a deadlock.
///
/// One lock for the process guards the graph. It is taken to begin and to end waits, and to look for an unfinished object. The last
/// wait of a cycle finds all other waits in the graph, so every cycle is detected. A node that does not wait ends the search, so
/// none is reported falsely.
///
/// Not every cycle of waits is a circular dependency. An object whose properties are being resolved exists, and these may refer
/// back to it. On one thread, the object is found in the resolution cycle. Here, it is read from the resolution cycle of the thread that
/// creates it, which sleeps.
final class WaitGraph: Sendable {
    static let shared = WaitGraph()
    private let lock = Lock()

    enum Start {
        /// The wait has begun. The caller wakes the other waiter, if there is one: it can get an unfinished object, or create its own.
        case waits(insteadOf: Wait?)
        /// No wait is needed: the object exists, and the thread that creates it waits for this thread.
        case unfinished(AnyObject)
        /// No wait is possible: the waiter creates its own instance.
        case apart
    }

    /// Adds a wait, unless it would close a cycle.
    ///
    /// - Throws: `.circularDependency` if the node of the creation waits, directly or indirectly, for one of the nodes of the wait,
    ///   and no object on that cycle exists yet.
    func begin(_ wait: Wait) throws(ResolutionError) -> Start {
        try lock.withLock { () throws(ResolutionError) in
            var other: Wait?
            if let waits = cycle(closedBy: wait) {
                if let object = WaitGraph.object(awaitedBy: wait, in: waits) { return .unfinished(object) }
                if wait.mayMakeApart { return .apart }
                // Only the end of its creation wakes a task that already waits.
                other = WaitGraph.firstWithObject(in: waits) ?? waits.first { $0.mayMakeApart && $0.isByThread }
                guard let other else { throw WaitGraph.dependencyCycle(waits) }
                other.remove()
            }
            wait.add()
            return .waits(insteadOf: other)
        }
    }

    /// Returns the error if `wait`, that of a task, would close a cycle. Adds no wait.
    ///
    /// Only tasks wait for creation tasks, so no wait on the cycle is that of a thread, which could have an unfinished object.
    func dependencyCycle(closedBy wait: Wait) -> ResolutionError? {
        lock.withLock { cycle(closedBy: wait).map(WaitGraph.dependencyCycle) }
    }

    /// Returns the unfinished object if `wait` would close a cycle, and nil otherwise. Adds no wait.
    ///
    /// - Throws: `.circularDependency`, as `begin` does.
    func unfinishedObject(awaitedBy wait: Wait) throws(ResolutionError) -> AnyObject? {
        try lock.withLock { () throws(ResolutionError) in
            guard let waits = cycle(closedBy: wait) else { return nil }
            if let object = WaitGraph.object(awaitedBy: wait, in: waits) { return object }
            if WaitGraph.firstWithObject(in: waits) == nil { throw WaitGraph.dependencyCycle(waits) }
            return nil
        }
    }

    /// Removes waits that are over.
    func end(_ waits: Slab<Wait>) {
        if waits.isEmpty { return }
        // The caller holds the waits, so none is deallocated under the lock.
        lock.withLock { waits.forEach { $0.remove() } }
    }

    /// Removes a wait that is over.
    func end(_ wait: Wait) { lock.withLock { wait.remove() } }

    // MARK: Cycles

    /// Returns the cycle of waits that `wait` closes, or nil: that wait, a wait of its creation's node, and so on.
    ///
    /// The node of the last creation is one of the nodes of `wait`.
    private func cycle(closedBy wait: Wait) -> [Wait]? {
        let node = wait.creation.node
        // Usually the waiter creates nothing that others wait for, or the node does not wait, and there is no cycle.
        if wait.nodes.isEmpty || node.waits.isEmpty && !wait.nodes.contains(where: { $0 === node }) { return nil }
        var found: [(wait: Wait, before: Int)] = [(wait, -1)]
        var visited: Set<ObjectIdentifier> = []
        var index = 0
        while index < found.count {
            let node = found[index].wait.creation.node
            if wait.nodes.contains(where: { $0 === node }) {
                return sequence(first: index) { found[$0].before < 0 ? nil : found[$0].before }
                    .map { found[$0].wait }.reversed()
            }
            if visited.insert(ObjectIdentifier(node)).inserted {
                found += node.waits.all.map { ($0, index) }
            }
            index += 1
        }
        return nil
    }

    /// Returns the thread of the next wait, which creates what the wait at `index` waits for; nil for a creation without identity.
    private static func creator(of index: Int, in waits: [Wait]) -> ResolutionCycle? {
        waits[index].creation.identity == 0 ? nil : waits[(index + 1) % waits.count].path.thread
    }

    private static func object(awaitedBy wait: Wait, in waits: [Wait]) -> AnyObject? {
        creator(of: 0, in: waits)?.object(wait.creation.identity, of: wait.creation.subject)
    }

    /// Returns the first other wait, by a thread, for a creation whose object exists.
    private static func firstWithObject(in waits: [Wait]) -> Wait? {
        waits.indices.dropFirst().first { index in
            waits[index].isByThread
                && creator(of: index, in: waits)?.hasInstance(waits[index].creation.identity) ?? false
        }.map { waits[$0] }
    }

    /// Returns the error for a dependency cycle.
    ///
    /// The path has, for each wait, the services from the creation that the waiter owns to the one that the waiter waits for. The first
    /// service is repeated at the end.
    private static func dependencyCycle(_ waits: [Wait]) -> ResolutionError {
        let start = waits[waits.count - 1].creation.subject
        let parts = waits.indices.map { index in
            waits[index].path.elements(from: index == 0 ? start : waits[index - 1].creation.subject)
        }
        return .dependencyCycle(parts.flatMap { $0 } + [start])
    }
}
