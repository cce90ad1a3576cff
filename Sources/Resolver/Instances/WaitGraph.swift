/// A thread, or a creation task with all its tasks: it can wait for instances, and others can wait for what it makes.
final class WaitNode: @unchecked Sendable {
    /// What the node waits for. Guarded by the wait graph's lock. The waiter adds a wait before it sleeps; the creation's
    /// owner removes it before it does anything else, so a wait never outlives its reason.
    fileprivate var waits: [Wait] = []
}

/// A thread or a task that waits for a creation.
///
/// `@unchecked Sendable`: `isToLookAgain` is guarded by the wait graph's lock, and read after the latch has been opened.
final class Wait: @unchecked Sendable {
    let creation: Creation
    /// What the waiter is making itself.
    let path: DependencyPath
    /// Who waits: a thread, and the creation task that it works for; or the creation task of a task; or a task that works for none.
    fileprivate let nodes: [WaitNode]
    /// Wakes the waiter; nil where the end of the creation task wakes it.
    private let latch: Latch?
    private let taskLatch: TaskLatch?
    /// Whether the waiter is woken before the creation is over, because it can be given the unfinished object.
    fileprivate(set) var isToLookAgain = false

    /// - Parameter isThread: whether a thread waits, and not a task.
    init(for creation: Creation, of nodes: [WaitNode], path: DependencyPath, isThread: Bool) {
        self.creation = creation
        self.nodes = nodes
        self.path = path
        latch = isThread ? Latch() : nil
        taskLatch = isThread || creation.task != nil ? nil : TaskLatch()
    }

    /// Outside every lock, when the wait is over.
    func wake() {
        latch?.open()
        taskLatch?.open()
    }

    /// Returns when it is over. Blocks the thread.
    func sleep() { latch?.wait() }

    /// Returns when it is over.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) func suspend() async throws {
        if let task = creation.task { try await task.wait() } else { try await taskLatch?.wait() }
    }

    fileprivate var isByThread: Bool { latch != nil }
}

/// Which thread or task waits for which. A ring in it would be a deadlock, so none is ever left in it.
///
/// One lock for the process, taken only by those that are about to wait anyway, and by those that wake others. The last one
/// of a ring to arrive sees all others waiting, so every ring is found. An owner that does not wait itself ends the walk, so
/// none is imagined.
///
/// Not every ring is a circular dependency. An object whose properties are being resolved exists, and what these resolve may
/// refer back to it: on one thread it is found in the cycle, and here it is read from the cycle of the thread that makes it,
/// which sleeps.
final class WaitGraph: Sendable {
    static let shared = WaitGraph()
    private let lock = Lock()

    /// Reads the unfinished instance of a creation from the cycle of the thread that makes it.
    typealias Unfinished = (_ maker: ResolutionCycle, _ identity: UInt64) -> AnyObject?

    enum Start {
        /// The wait has begun. Another, if there is one, has to be woken: it can be given an unfinished object.
        case waits(insteadOf: Wait?)
        /// Nothing to wait for: the object exists, and its maker waits for this thread.
        case unfinished(AnyObject)
    }

    /// Adds a wait, unless it would close a ring.
    ///
    /// - Throws: `.circularDependency` if the owner of the creation waits, over any number of others, for one of the nodes
    ///   that wait here, and nothing on the way exists already.
    func begin(_ wait: Wait, _ unfinished: Unfinished) throws(ResolutionError) -> Start {
        lock.lock()
        defer { lock.unlock() }
        var other: Wait?
        if let ring = ring(closedBy: wait) {
            if let object = WaitGraph.object(awaitedBy: wait, in: ring, unfinished) { return .unfinished(object) }
            guard let woken = WaitGraph.firstWithObject(in: ring) else { throw WaitGraph.circle(ring) }
            woken.isToLookAgain = true
            for node in woken.nodes { node.waits.removeAll { $0 === woken } }
            other = woken
        }
        for node in wait.nodes { node.waits.append(wait) }
        return .waits(insteadOf: other)
    }

    /// The unfinished object if `wait` would close a ring; nil if it would not.
    ///
    /// - Throws: `.circularDependency`, as `begin` does.
    func look(_ wait: Wait, _ unfinished: Unfinished) throws(ResolutionError) -> AnyObject? {
        lock.lock()
        defer { lock.unlock() }
        guard let ring = ring(closedBy: wait) else { return nil }
        if let object = WaitGraph.object(awaitedBy: wait, in: ring, unfinished) { return object }
        if WaitGraph.firstWithObject(in: ring) == nil { throw WaitGraph.circle(ring) }
        return nil
    }

    /// These waits are over.
    func end(_ waits: [Wait]) {
        guard !waits.isEmpty else { return }
        // What only the graph held is released outside the lock, which the caller sees to: it holds the waits.
        lock.lock()
        for wait in waits {
            for node in wait.nodes { node.waits.removeAll { $0 === wait } }
        }
        lock.unlock()
    }

    // MARK: Rings

    /// What closes a ring, if `wait` does: that wait, the one of its creation's owner, and so on. The last creation is made by
    /// one of the nodes that wait.
    private func ring(closedBy wait: Wait) -> [Wait]? {
        let owner = wait.creation.owner
        // Nearly always the owner is at work.
        if owner.waits.isEmpty, !wait.nodes.contains(where: { $0 === owner }) { return nil }
        var found: [(wait: Wait, before: Int)] = [(wait, -1)]
        var visited: Set<ObjectIdentifier> = []
        var index = 0
        while index < found.count {
            let owner = found[index].wait.creation.owner
            if wait.nodes.contains(where: { $0 === owner }) {
                return sequence(first: index) { found[$0].before < 0 ? nil : found[$0].before }
                    .map { found[$0].wait }.reversed()
            }
            if visited.insert(ObjectIdentifier(owner)).inserted {
                found += owner.waits.map { ($0, index) }
            }
            index += 1
        }
        return nil
    }

    /// Who makes what the waiter at `index` waits for, if that is to be kept: the next one in the ring.
    private static func maker(of index: Int, in ring: [Wait]) -> ResolutionCycle? {
        ring[index].creation.identity == 0 ? nil : ring[(index + 1) % ring.count].path.thread
    }

    private static func object(awaitedBy wait: Wait, in ring: [Wait], _ unfinished: Unfinished) -> AnyObject? {
        maker(of: 0, in: ring).flatMap { unfinished($0, wait.creation.identity) }
    }

    /// A thread of the ring that waits for something that exists, other than the one that closes it.
    private static func firstWithObject(in ring: [Wait]) -> Wait? {
        ring.indices.dropFirst().first { index in
            ring[index].isByThread && maker(of: index, in: ring)?.hasInstance(ring[index].creation.identity) ?? false
        }.map { ring[$0] }
    }

    /// The services on the ring, in order, the first repeated at the end: what each creation's owner has under
    /// construction, from that creation down to the one its owner asks for next.
    private static func circle(_ ring: [Wait]) -> ResolutionError {
        let start = ring[ring.count - 1].creation.subject
        let parts = ring.indices.map { index in
            ring[index].path.elements(from: index == 0 ? start : ring[index - 1].creation.subject)
        }
        return .circle(parts.flatMap { $0 } + [start])
    }
}
