/// A cell for one instance: empty, being made, or ready.
final class ReferenceCell {
    private struct Kept {
        /// nil if it is held weakly.
        var strong: Any?
        weak var weak: AnyObject?
        let order: Int
        let hooks: [(Any) -> Void]
        /// The start of its time to live; nil until its next use.
        var since: Double?

        var instance: Any? { strong ?? weak }
    }

    private var kept: Kept?
    /// The creation whose result this cell keeps.
    private(set) var creation: Int?
    /// Whether the cell is retired. No instance is made in a retired cell.
    private(set) var isRetired = false
    /// The cells for the values of an argument.
    private var branches: [(argument: Argument, cell: ReferenceCell)] = []

    var instance: Any? { kept?.instance }
    private var order: Int { kept?.order ?? 0 }

    func branch(_ argument: Argument) -> ReferenceCell {
        if let known = branches.first(where: { $0.argument.value == argument.value }) { return known.cell }
        let new = ReferenceCell()
        new.isRetired = isRetired
        branches.append((argument, new))
        return new
    }

    var withBranches: [ReferenceCell] { [self] + branches.map(\.cell) }

    func begin(_ number: Int) { creation = number }

    /// Ends a creation without an instance.
    func end(_ number: Int) { if creation == number { creation = nil } }

    /// Ends a creation. Keeps its instance unless the cell was emptied meanwhile.
    func end(_ number: Int, with instance: Any, isWeak: Bool, order: Int, hooks: [(Any) -> Void], since: Double?) {
        guard creation == number else { return }
        creation = nil
        kept = Kept(
            strong: isWeak ? nil : instance, weak: isWeak ? instance as AnyObject : nil, order: order, hooks: hooks,
            since: since)
    }

    // MARK: Time

    func isOver(_ timeToLive: ReferenceRegistration.TimeToLive?, at now: Double) -> Bool {
        guard let timeToLive, let since = kept?.since else { return false }
        return now - since >= timeToLive.seconds
    }

    func use(_ timeToLive: ReferenceRegistration.TimeToLive?, at now: Double) {
        guard let timeToLive, kept != nil else { return }
        if kept?.since == nil || !timeToLive.isFromCreation { kept?.since = now }
    }

    func restartTime() { kept?.since = nil }

    // MARK: Releasing

    /// Releases the instance after its hooks have run, and forgets the creation in progress.
    func empty(isRetired: Bool = false) { take(isRetired: isRetired)() }

    /// Takes out the instance. The result releases it.
    private func take(isRetired: Bool) -> () -> Void {
        var old = kept
        kept = nil
        creation = nil
        if isRetired { self.isRetired = true }
        return {
            if let instance = old?.instance { for hook in old?.hooks ?? [] { hook(instance) } }
            old = nil
        }
    }

    /// Forgets the creations in cells and their branches, and releases the instances one by one, the youngest first.
    ///
    /// An instance that a hook creates meanwhile stays.
    static func empty(_ cells: [ReferenceCell]) {
        var all: [(order: Int, cell: ReferenceCell, parent: ReferenceCell?)] = []
        for cell in cells where cell.kept != nil || cell.creation != nil || !cell.branches.isEmpty {
            all.append((cell.order, cell, nil))
            all += cell.branches.map { ($0.cell.order, $0.cell, cell) }
        }
        for (_, cell, _) in all { cell.creation = nil }
        for (order, cell, parent) in all.sorted(by: { $0.order > $1.order })
        where cell.creation == nil && cell.order == order {
            // A release by a hook finds the branches that are left.
            parent?.branches.removeAll { $0.cell === cell }
            cell.empty(isRetired: parent != nil)
        }
    }

    /// Retires cells and their branches, and releases their instances. All are taken out before the first hook runs.
    static func close(_ cells: [ReferenceCell]) {
        let all = cells.flatMap(\.withBranches).sorted { $0.order > $1.order }
        var taken = all.map { $0.take(isRetired: true) }
        while !taken.isEmpty { taken.removeFirst()() }
    }

    /// Releases the instances whose time is over, the youngest first.
    static func emptyOver(_ cells: [(cell: ReferenceCell, time: ReferenceRegistration.TimeToLive)], now: () -> Double) {
        let all = cells.flatMap { cell, time in cell.withBranches.map { ($0, time) } }
        for (cell, time) in all.sorted(by: { $0.0.order > $1.0.order }) where cell.isOver(time, at: now()) {
            cell.empty()
        }
    }
}
