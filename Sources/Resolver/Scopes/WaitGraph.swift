/// Somebody who can wait for instances, and whom others wait for: a thread, or a flight with all its tasks.
final class WaitNode: @unchecked Sendable {
    /// What the node waits for. Guarded by the wait graph's lock; added by whoever is about to wait, taken away by the
    /// creation's owner before it does anything else, so an edge never outlives its reason.
    fileprivate var waits: [Wait] = []
}

/// Somebody waits for a creation.
struct Wait: Sendable {
    let creation: Creation
    let path: MakingPath
    fileprivate let number = ProcessIdentity.next()

    init(for creation: Creation, path: MakingPath) {
        self.creation = creation
        self.path = path
    }
}

/// Who waits for whom. A ring in it would be a deadlock, so no edge that closes one is ever added.
///
/// One lock for the process, taken only by whoever is about to wait anyway and by whoever wakes others. The last one of
/// a ring to arrive sees all others waiting, hence a ring is always found and never imagined: an owner that does not wait
/// itself ends the walk.
final class WaitGraph: Sendable {
    static let shared = WaitGraph()
    private let lock = Lock()

    /// Adds an edge from each of `nodes` to the owner of what is waited for.
    ///
    /// - Throws: `.circularDependency` if that owner waits, over any number of others, for one of them.
    func begin(_ wait: Wait, of nodes: [WaitNode]) throws(ResolutionError) {
        lock.lock()
        defer { lock.unlock() }
        if let ring = ring(closedBy: wait, of: nodes) { throw ResolutionError.circle(ring) }
        for node in nodes { node.waits.append(wait) }
    }

    /// The creation has ended.
    func end(_ creation: Creation, for nodes: [WaitNode]) {
        remove(from: nodes) { $0.creation === creation }
    }

    /// Whoever waited does so no longer.
    func end(_ wait: Wait, of nodes: [WaitNode]) {
        remove(from: nodes) { $0.number == wait.number }
    }

    private func remove(from nodes: [WaitNode], where isOver: (Wait) -> Bool) {
        guard !nodes.isEmpty else { return }
        // What only an edge held is released outside the lock.
        var over: [Wait] = []
        lock.lock()
        for node in nodes {
            over += node.waits.filter(isOver)
            node.waits.removeAll(where: isOver)
        }
        lock.unlock()
        withExtendedLifetime(over) {}
    }

    /// The error if `wait` closed a ring.
    func circle(closedBy wait: Wait, of nodes: [WaitNode]) -> ResolutionError? {
        lock.lock()
        defer { lock.unlock() }
        return ring(closedBy: wait, of: nodes).map(ResolutionError.circle)
    }

    /// The services on the ring, in order, the first repeated at the end: what each creation's owner has under
    /// construction, from that creation down to the one its owner asks for next.
    private func ring(closedBy wait: Wait, of nodes: [WaitNode]) -> [PathElement]? {
        var found: [(wait: Wait, before: Int)] = [(wait, -1)]
        var visited: Set<ObjectIdentifier> = []
        var index = 0
        while index < found.count {
            let owner = found[index].wait.creation.owner
            if nodes.contains(where: { $0 === owner }) { return path(along: found, to: index) }
            if visited.insert(ObjectIdentifier(owner)).inserted {
                found += owner.waits.map { ($0, index) }
            }
            index += 1
        }
        return nil
    }

    private func path(along found: [(wait: Wait, before: Int)], to last: Int) -> [PathElement] {
        let start = found[last].wait.creation.subject
        var path = [start]
        var index = last
        while index >= 0 {
            let (wait, before) = found[index]
            let subject = before < 0 ? start : found[before].wait.creation.subject
            path = wait.path.elements(from: subject) + path
            index = before
        }
        return path
    }
}
