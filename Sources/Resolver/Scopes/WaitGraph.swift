/// Somebody who can wait for an instance: a thread.
final class WaitNode: @unchecked Sendable {
    /// What the node waits for. Guarded by the wait graph's lock; set by the node itself before it sleeps, cleared by
    /// the creation's owner before it does anything else, so an edge never outlives its reason.
    fileprivate var awaited: Creation?
    /// The path of what the node is making. Read by others only while `awaited` is set: the node sleeps then.
    let cycle: ResolutionCycle

    init(cycle: ResolutionCycle) {
        self.cycle = cycle
    }
}

/// Who waits for whom. A ring in it would be a deadlock, so no edge that closes one is ever added.
///
/// One lock for the process, taken only by a thread that is about to sleep anyway and by whoever wakes sleepers. The
/// last thread of a ring to arrive sees all others asleep, hence a ring is always found and never imagined: an owner
/// that does not wait itself ends the walk.
final class WaitGraph: Sendable {
    static let shared = WaitGraph()
    private let lock = Lock()

    /// Adds the edge from `node` to the owner of `creation`.
    ///
    /// - Throws: `.circularDependency` if that owner waits, over any number of others, for `node`.
    func beginWaiting(_ node: WaitNode, for creation: Creation) throws(ResolutionError) {
        lock.lock()
        defer { lock.unlock() }
        var ring: [Creation] = [creation]
        while let next = ring[ring.count - 1].owner.awaited {
            ring.append(next)
            if next.owner === node { throw ResolutionError.circle(path(around: ring)) }
        }
        node.awaited = creation
    }

    func endWaiting(_ nodes: [WaitNode]) {
        guard !nodes.isEmpty else { return }
        lock.lock()
        defer { lock.unlock() }
        for node in nodes { node.awaited = nil }
    }

    /// The services on a ring, in order, the first repeated at the end: what each creation's owner has under
    /// construction, from that creation down to the one its owner asks for next.
    private func path(around ring: [Creation]) -> [PathElement] {
        var path: [PathElement] = []
        for creation in [ring[ring.count - 1]] + ring.dropLast() {
            path += creation.owner.cycle.path(from: creation.subject)
        }
        return path + [ring[ring.count - 1].subject]
    }
}
