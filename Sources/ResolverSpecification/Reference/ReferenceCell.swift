/// Where one instance is kept: empty, being made, or there.
final class ReferenceCell {
    private struct Kept {
        /// nil if it is held weakly.
        var strong: Any?
        weak var weak: AnyObject?
        let order: Int
        let hooks: [(Any) -> Void]
        /// What its time to live is counted from; nil until its next use.
        var since: Double?

        var instance: Any? { strong ?? weak }
    }

    private var kept: Kept?
    /// A creation whose result is to be kept here.
    private(set) var creation: Int?
    /// Nothing is made here any more.
    private(set) var isRetired = false
    /// The instances for the values of an argument.
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

    /// Ends a creation. Its instance is kept unless the cell was emptied meanwhile.
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

    // MARK: Letting go

    /// Lets go of the instance, and of what is being made to be kept here. Its hooks run, then it goes.
    func empty(isRetired: Bool = false) { take(isRetired: isRetired)() }

    /// Takes out what is kept. The result lets go of it.
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

    /// Lets go of what cells and their branches keep, one after the other, the youngest first.
    static func empty(_ cells: [ReferenceCell]) {
        var all: [(order: Int, cell: ReferenceCell, isBranch: Bool)] = []
        for cell in cells where cell.kept != nil || cell.creation != nil || !cell.branches.isEmpty {
            all.append((cell.order, cell, false))
            all += cell.branches.map { ($0.cell.order, $0.cell, true) }
            cell.branches = []
        }
        for (_, cell, isBranch) in all.sorted(by: { $0.order > $1.order }) { cell.empty(isRetired: isBranch) }
    }

    /// Lets go of what cells and their branches keep, for good: all is taken out before the first hook runs.
    static func close(_ cells: [ReferenceCell]) {
        let all = cells.flatMap(\.withBranches).sorted { $0.order > $1.order }
        var taken = all.map { $0.take(isRetired: true) }
        while !taken.isEmpty { taken.removeFirst()() }
    }

    /// Lets go of what is over by then, the youngest first.
    static func emptyOver(_ cells: [(cell: ReferenceCell, time: ReferenceRegistration.TimeToLive)], now: () -> Double) {
        let all = cells.flatMap { cell, time in cell.withBranches.map { ($0, time) } }
        for (cell, time) in all.sorted(by: { $0.0.order > $1.0.order }) where cell.isOver(time, at: now()) {
            cell.empty()
        }
    }
}
