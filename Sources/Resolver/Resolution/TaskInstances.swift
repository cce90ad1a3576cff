/// The instances of the resolution cycle of a task and its child tasks, by identity.
///
/// An instance is in the form in which scopes keep it strongly. Belongs to the lock of its cycle.
struct TaskInstances {
    struct Instance {
        let object: AnyObject
        /// How many factories of the service were running around the creation.
        fileprivate let level: Int
        /// The rank of the creation.
        fileprivate let rank: Int
        fileprivate var range: SharingRange
        /// The index of the next older instance with this identity.
        fileprivate let previous: Int?
    }

    /// The oldest first. One that an instance of an outer level has replaced is for no creation.
    private var instances: [Instance] = []
    /// The index of the youngest instance of each identity.
    private var youngest: [UInt64: Int] = [:]
    /// The indices of the instances that depend on an unfinished object.
    private var unfinished: [Int] = []

    /// Returns the instance for a creation of `rank`.
    ///
    /// That is one with an object that this thread is completing, or else one that a creation of this rank has created, or else the
    /// oldest. Thus a factory gets the same instance each time, although other tasks create and complete instances meanwhile.
    ///
    /// - Parameter level: how many factories of the service are running around the call. An inner instance is for inner calls alone.
    func instance(_ identity: UInt64, at level: Int, for rank: Int, by cycle: ResolutionCycle) -> Instance? {
        index(of: identity, at: level, for: rank, by: cycle).map { instances[$0] }
    }

    private func index(of identity: UInt64, at level: Int, for rank: Int, by cycle: ResolutionCycle) -> Int? {
        var ofBlock: Int?, ofRank: Int?, oldest: Int?, next = youngest[identity]
        while let index = next {
            let instance = instances[index]
            if instance.level <= level, cycle.shares(instance, at: rank) {
                if cycle.completes(instance) { ofBlock = index }
                if instance.rank == rank { ofRank = index }
                oldest = index
            }
            next = instance.previous
        }
        return ofBlock ?? ofRank ?? oldest
    }

    /// Adds `object`, unless another task was faster. It replaces an instance of an inner level.
    ///
    /// - Returns: the instance of the faster task, if there is one.
    mutating func keep(
        _ object: AnyObject, identity: UInt64, at level: Int, for rank: Int, by cycle: ResolutionCycle
    ) -> Instance? {
        if let faster = index(of: identity, at: level, for: rank, by: cycle) { return instances[faster] }
        var previous = youngest[identity]
        if let inner = index(of: identity, at: .max, for: rank, by: cycle) {
            instances[inner].range = .empty
            // A service that resolves itself many times leaves no long list behind.
            if inner == previous { previous = instances[inner].previous }
        }
        youngest[identity] = instances.count
        if cycle.range.isUnfinished { unfinished.append(instances.count) }
        instances.append(Instance(object: object, level: level, rank: rank, range: cycle.range, previous: previous))
        return nil
    }

    /// Narrows the ranges of instances that depend on an unfinished object, which is finished now.
    mutating func finish(_ number: UInt64, with range: SharingRange) {
        for index in unfinished { instances[index].range.finish(number, with: range) }
        let instances = instances
        unfinished.removeAll { !instances[$0].range.isUnfinished }
    }

    /// Releases the instances, the youngest first.
    mutating func release() { while instances.popLast() != nil {} }
}

extension ResolutionCycle {
    /// Returns the instance with `identity` in the cycle of a task, packed, that the running creation may share.
    func object(_ identity: UInt64, in frame: TaskFrame?, at level: Int = .max) -> AnyObject? {
        guard let frame else { return nil }
        let rank = hiddenRank(in: frame)
        let found = frame.cycle.withLock { $0.instances.instance(identity, at: level, for: rank, by: self) }
        guard let kept = found else { return nil }
        depend(on: kept, at: rank)
        return kept.object
    }

    /// Makes the running factories depend on what an instance of a task's cycle depends on.
    ///
    /// Another task may be completing an object that the instance depends on. This thread does not learn the range of that object, so
    /// what it creates is for creations of this rank alone.
    func depend(on instance: TaskInstances.Instance, at rank: Int) {
        range.narrow(to: isUnfinishedElsewhere(instance) ? SharingRange(at: rank) : instance.range)
    }

    /// Whether a creation of `rank` may share an instance of its task's cycle.
    ///
    /// What another task is completing may yet depend on a scope that is hidden from creations of other ranks.
    fileprivate func shares(_ instance: TaskInstances.Instance, at rank: Int) -> Bool {
        instance.range.contains(rank) && (instance.rank == rank || !isUnfinishedElsewhere(instance))
    }

    /// Whether a block that runs on this thread is completing an object that the instance depends on.
    fileprivate func completes(_ instance: TaskInstances.Instance) -> Bool {
        instance.range.isUnfinished && state.pointee.graph.completes(instance.range.unfinished)
    }

    private func isUnfinishedElsewhere(_ instance: TaskInstances.Instance) -> Bool {
        instance.range.isUnfinished && !completes(instance)
    }
}
