/// A workload and the tries at it.
struct Trial {
    let workload: Workload
    private(set) var tries: [Measurement] = []

    init(_ workload: Workload) {
        self.workload = workload
    }

    mutating func attempt(_ effort: Effort) {
        tries.append(workload.measure(effort))
    }

    var subject: Double { median(tries.map(\.subject)) }
    var byHand: Double { median(tries.map(\.byHand)) }
    var ratio: Double { median(tries.map(\.ratio)) }

    /// nil if there is no target.
    var isMet: Bool? { workload.target?.isMet(by: ratio) }

    /// Whether a third try could move the median to the other side of the limit.
    var isOpen: Bool {
        guard let target = workload.target else { return false }
        let met = tries.count { target.isMet(by: $0.ratio) }
        return max(met, tries.count - met) < 2
    }
}

/// The trials of a group, under its title.
struct TrialGroup {
    let title: String
    var trials: [Trial]
}

/// The results of a run.
struct Findings {
    private(set) var groups: [TrialGroup]
    private(set) var heap: [HeapGrowth] = []
    let effort: Effort
    let hasThresholds: Bool

    init(_ groups: [WorkloadGroup], _ effort: Effort, hasThresholds: Bool) {
        self.groups = groups.map { TrialGroup(title: $0.title, trials: $0.workloads.map(Trial.init)) }
        self.effort = effort
        self.hasThresholds = hasThresholds
    }

    /// Makes one try at every workload.
    mutating func attemptAll() {
        for group in groups.indices {
            for trial in groups[group].trials.indices { groups[group].trials[trial].attempt(effort) }
        }
    }

    /// Makes one more try at the trials whose verdict is uncertain. Returns false if there are none.
    mutating func attemptOpen() -> Bool {
        var attempted = false
        for group in groups.indices {
            for trial in groups[group].trials.indices where groups[group].trials[trial].isOpen {
                groups[group].trials[trial].attempt(effort)
                attempted = true
            }
        }
        return attempted
    }

    mutating func measureHeap(part: Int) {
        heap = HeapGrowth.measure(part: part)
    }

    /// The names of the workloads that missed their limits.
    var missed: [String] {
        groups.flatMap(\.trials).filter { $0.isMet == false }.map(\.workload.subject.name)
            + heap.filter { !$0.isWithinLimit }.map(\.name)
    }
}
