/// What all registrations have in common, whatever the type of their service: the key, the place in the source, and
/// where their instance is kept.
///
/// `@unchecked Sendable`: all properties are constants; the words they point to are atomic.
public class AnyResolverRegistration: @unchecked Sendable {
    final let serviceKey: ServiceKey
    /// The type the factory was written for. It differs from `serviceKey.type` when a runtime type was passed to `register`,
    /// and then nobody who asks by `serviceKey` may be given an instance.
    final let service: ObjectIdentifier
    /// `service` as a word, if the registration is by that type, without a name and no alias; else zero.
    final let unnamedService: UInt
    /// Whether an instance is an object of class `Service` itself; otherwise it is kept in an `InstanceBox`.
    final let isDirect: Bool
    /// The bytes that an instance takes, and how it is aligned.
    final let (size, alignment): (Int, Int)
    /// Answers hits while the keeper says so.
    final let slot: FastSlot

    final let serviceType: Any.Type
    final let location: SourceLocation
    /// The resolver it was made for, as far as it outlives that resolver.
    final let owner: RegistrationOwner
    /// Never reused, unlike an address.
    final let number = ProcessIdentity.next()

    /// Whether it stands for another registration and shares that one's cell.
    final let isAlias: Bool
    /// The cell it is served from, retained; zero before anything was to be kept. Set once.
    private final let cellWord: AtomicWord
    /// The current plan, retained.
    final let planWord: AtomicWord
    /// What has become of it: see `isReplaced` and `hasCells`.
    private final let historyWord: AtomicWord

    init<Service>(
        _ service: Service.Type, isAlias: Bool, key: ServiceKey, location: SourceLocation, owner: RegistrationOwner,
        plan: RegistrationPlan
    ) {
        self.serviceKey = key
        self.service = ObjectIdentifier(service)
        let isUnnamed = key.type == ObjectIdentifier(service) && key.name == nil && !isAlias
        self.unnamedService = isUnnamed ? UInt(bitPattern: ObjectIdentifier(service)) : 0
        self.isDirect = service is AnyClass
        self.size = MemoryLayout<Service>.size
        self.alignment = MemoryLayout<Service>.alignment
        self.serviceType = service
        self.location = location
        self.owner = owner
        self.isAlias = isAlias
        let words = AtomicWord.line()
        self.slot = FastSlot(word: words)
        self.cellWord = words.next(1)
        self.planWord = words.next(2)
        self.historyWord = words.next(3)
        planWord.store(Unmanaged.passRetained(plan).word)
    }

    deinit {
        // One after the other, as a long row of predecessors would not fit on the stack.
        var plan = Unmanaged<RegistrationPlan>.fromWord(planWord.load())?.takeRetainedValue()
        while let last = plan {
            plan = last.previous
            last.previous = nil
        }
        // Most have nothing left when their resolver has ended.
        if hasCells, !hasEnded || ownCell?.isIdle == false {
            AnyResolverRegistration.releaseInstances(of: [self], includingShared: false)
            forgetCells()
        }
        Unmanaged<InstanceCell>.fromWord(cellWord.load())?.release()
        slot.word.deallocateLine()
    }

    /// Whether it is the same, or stands in the place of the other.
    final func isSuccessor(of other: AnyResolverRegistration) -> Bool {
        self === other || serviceKey == other.serviceKey && service == other.service && owner === other.owner
    }

    final func isFound(by key: ServiceKey, as service: ObjectIdentifier) -> Bool {
        serviceKey == key && self.service == service
    }

    /// What sets an instance of this registration apart within a resolution cycle: from all others, and, made through an
    /// isolating resolver, from those that are made through others.
    @inline(__always)
    final func identity(through resolver: Resolver) -> UInt64 {
        number &+ resolver.isolation
    }

    /// The same where the isolating resolver may come after the one that was asked.
    final func identity(through resolver: Resolver, keeper: RegistrationOwner?) -> UInt64 {
        number &+ (keeper?.isolation ?? resolver.isolation)
    }

    // MARK: What takes the type of the service. Every registration is a `ResolverRegistration` of one.

    /// A box for a copy of what is in the memory.
    func box(_ memory: ServiceMemory) -> AnyObject { fatalError() }

    /// Calls `body` with memory for an instance. See `withMemory`.
    func withMemoryOfType<Result>(_ body: (ServiceMemory) throws -> Result) rethrows -> Result { fatalError() }

    /// What is in the memory, as the object that it is.
    func object(_ memory: ServiceMemory) -> AnyObject { fatalError() }

    /// A copy of what is in the memory.
    func value(_ memory: ServiceMemory) -> Any { fatalError() }

    /// Puts what `object` keeps into the memory, and returns true.
    func unbox(_ object: AnyObject, into memory: ServiceMemory) -> Bool { fatalError() }

    /// Empties the memory.
    func empty(_ memory: ServiceMemory) { fatalError() }

    /// What the scope keeps, asking it.
    func existing(_ resolver: Resolver) -> Any? { fatalError() }

    /// Asks a scope of the user.
    func ask(
        _ scope: any ResolverScopeType, _ resolver: Resolver, _ args: Any?, into memory: ServiceMemory
    ) throws -> Bool { fatalError() }

    // MARK: The cell

    /// Where `store` keeps the instance of this registration; `keeper` is the isolating resolver, or the scope, that it is
    /// made for, if any.
    final func seat(in store: InstanceStore, keeper: RegistrationOwner?) -> CellDirectory.Seat {
        if let keeper, keeper !== owner {
            let cells = keeper.makeCells()
            return cells.seat(for: self, in: store, isForeign: true) {
                _ = historyWord.add(Self.keptElsewhere)
                // Those of scopes that are open are known.
                if !keeper.isScope { owner.addKeeper(cells) }
                return store.makeCell(for: self, isIsolated: true)
            }
        }
        let own = ownCell ?? setCell(store.makeCell(for: self, isIsolated: owner.isIsolating))
        if own.store === store {
            // The scope may have ended after this registration was found.
            if owner.isScope, owner.makeCells().isClosed { own.empty(.scopeEnded) }
            return CellDirectory.Seat(cell: own, slot: slot)
        }
        return owner.makeCells().seat(for: self, in: store, isForeign: false) {
            store.makeCell(for: self, isIsolated: owner.isIsolating)
        }
    }

    private final func setCell(_ cell: InstanceCell) -> InstanceCell {
        let retained = Unmanaged.passRetained(cell)
        var found: UInt64 = 0
        if cellWord.replace(&found, by: retained.word) { return cell }
        retained.release()
        return ownCell ?? cell
    }

    /// The cell that stands in the registration. The word is set once and holds a reference, so the object lives as long
    /// as the registration. An alias has the cell of what it stands for.
    final var ownCell: InstanceCell? {
        Unmanaged<InstanceCell>.fromWord(cellWord.load())?.takeUnretainedValue()
    }

    /// Takes part in what its definition has, if it has not been asked for yet.
    private final func adoptDefinition() {
        guard ownCell == nil, !owner.isIsolating, let cache = plan.settings.scope as? ResolverScopeCache,
            let shared = cache.store.sharedCell(for: self)
        else { return }
        _ = setCell(shared)
    }

    /// The cells in which its own resolver keeps something for it.
    ///
    /// - Parameter includingShared: also that of its definition, if it still has the scope of one.
    final func cellsAtHome(includingShared: Bool) -> [InstanceCell] {
        if includingShared { adoptDefinition() }
        // The own cell comes first; without one, there are no others.
        guard !isAlias, let own = ownCell else { return [] }
        let shared = includingShared ? (plan.settings.scope as? ResolverScopeCache)?.store : nil
        return ([own] + (owner.cells?.cells(of: self) ?? [])).filter { !$0.isShared || $0.store === shared }
    }

    /// The cells in which isolating resolvers do, and scopes of contexts.
    private final var cellsOfKeepers: [InstanceCell] {
        isAlias || !hasCells ? [] : owner.keepers.flatMap { $0.cells(of: self) } + cellsOfScopes
    }

    /// The cells in which scopes of contexts do.
    final var cellsOfScopes: [InstanceCell] {
        isKeptElsewhere ? ScopeContext.shared.keepers(of: self).flatMap { $0.cells(of: self) } : []
    }

    /// The time to live of its instances was changed: it is counted from their next use.
    final func restartTimes() {
        invalidateFastSlots()
        let cells = cellsAtHome(includingShared: true) + cellsOfKeepers
        for cell in cells.flatMap(\.withBranches) { cell.restart() }
    }

    // MARK: The slot

    /// Hits go the long way again, to whoever keeps the instance.
    final func invalidateFastSlots() {
        ownCell?.invalidateFastSlots()
    }

    /// The same where the cell is somebody else's: for this registration alone.
    private final func invalidateSlot() {
        ownCell?.invalidate(slot)
    }

    /// For an alias: shares the cell of `source`, which keeps `instance`, and its hits with `face`, the form in which the
    /// alias hands it out. Only while hits of `source` are answered from its own slot.
    final func share(_ face: AnyObject, of instance: AnyObject, keptFor source: AnyResolverRegistration) {
        guard isUnconditional, let shared = source.ownCell, setCell(shared) === shared, !isReplaced else { return }
        // Asked again, as a scope may have registered the service meanwhile.
        shared.publish(face, of: instance, in: slot, beside: source.slot) { isUnconditional }
    }

    // MARK: The end

    final var isReplaced: Bool { historyWord.load() & Self.unlinked != 0 }

    /// Whether it is in its resolver and its instances are still kept by the scope that was asked for them, if that is known.
    ///
    /// Asked under the lock of the cell, in one order with a thread that unlinks it or changes its scope and then empties the
    /// cells: either that thread finds what is in this cell, or it is not current here.
    final func isCurrent(in asked: ObjectIdentifier?) -> Bool {
        if historyWord.add(0) & Self.unlinked != 0 { return false }
        return asked.map { withPlan { ObjectIdentifier($0.settings.scope) } == $0 } ?? true
    }

    /// Whether anything was ever to be kept for it, here or in an isolating resolver.
    final var hasCells: Bool { cellWord.load() != 0 || isKeptElsewhere }

    private final var isKeptElsewhere: Bool { historyWord.load() >= Self.keptElsewhere }

    private final var hasEnded: Bool { historyWord.load() & Self.ended != 0 }

    /// Its resolver has ended, and has let go of what was kept.
    final func end() {
        if isKeptElsewhere { for keeper in ScopeContext.shared.keepers(of: self) { keeper.remove(self) } }
        if hasCells { _ = historyWord.add(Self.ended) }
    }

    private static var unlinked: UInt64 { 1 }
    private static var ended: UInt64 { 2 }
    /// Added for each cell that an isolating resolver has made.
    private static var keptElsewhere: UInt64 { 4 }

    /// Others took their places, or none: their instances are released, the youngest first. The objects themselves
    /// stay until their resolver ends, because threads that found them a moment ago may still stand in them.
    ///
    /// - Parameters:
    ///   - includingShared: also what belongs to the definitions, and so to other resolvers.
    ///   - more: further cells to be emptied with them.
    /// - Returns: the release of those instances, which the caller runs.
    static func retire(
        _ registrations: [AnyResolverRegistration], includingShared: Bool, with more: [InstanceCell] = []
    ) -> InstanceRelease {
        for registration in registrations { _ = registration.historyWord.add(unlinked) }
        let cells = invalidate(registrations, includingShared: includingShared)
        return InstanceRelease(cells: cells + more, registrations: registrations, isEnd: true)
    }

    /// What is kept for them is no longer handed out.
    static func releaseInstances(of registrations: [AnyResolverRegistration], includingShared: Bool) {
        InstanceCell.empty(invalidate(registrations, includingShared: includingShared))
    }

    /// The cells in which something is kept for them. No slot answers for these any more.
    private static func invalidate(
        _ registrations: [AnyResolverRegistration], includingShared: Bool
    ) -> [InstanceCell] {
        // Most have not been asked for when they are changed.
        guard includingShared || registrations.contains(where: \.hasCells) else { return [] }
        let cells = registrations.flatMap {
            $0.cellsAtHome(includingShared: includingShared) + $0.cellsOfKeepers
        }
        for registration in registrations where registration.hasCells {
            // With the slots of its aliases, which are served from the same cell.
            registration.isAlias ? registration.invalidateSlot() : registration.invalidateFastSlots()
        }
        return cells
    }

    /// Tells the scope that nothing of this registration is needed any more, unless that was in the cells, which have been
    /// emptied.
    final func tellScope(_ plan: RegistrationPlan) {
        if plan.lifetime.isCustom { return plan.settings.scope.release(self) }
        if case .container = plan.lifetime, let cache = owner.usedCache, cache.lifetime.isCustom { cache.release(self) }
    }

    final func forgetCells() {
        owner.cells?.remove(self)
        if isKeptElsewhere {
            for keeper in owner.keepers + ScopeContext.shared.keepers(of: self) { keeper.remove(self) }
        }
    }
}
