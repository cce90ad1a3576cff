/// What all registrations have in common, whatever the type of their service: the key, the place in the source, and
/// where their instance is kept.
///
/// `@unchecked Sendable`: all properties are constants; the words they point to are atomic. What `home.lock` guards is
/// reached through `ResolverHome`.
public class AnyResolverRegistration: @unchecked Sendable {
    @usableFromInline final let serviceKey: ServiceKey
    /// The type the factory was written for. It differs from `serviceKey.type` when a runtime type was passed to `register`,
    /// and then nobody who asks by `serviceKey` may be given an instance.
    @usableFromInline final let service: ObjectIdentifier
    /// Whether an instance is an object of class `Service` itself; otherwise it is kept in an `InstanceBox`.
    @usableFromInline final let isDirect: Bool
    /// Answers hits while the keeper says so.
    @usableFromInline final let slot: InstanceSlot

    final let serviceType: Any.Type
    final let location: SourceLocation
    /// The resolver it was made for, as far as it outlives that resolver.
    @usableFromInline final let home: ResolverHome
    /// Never reused, unlike an address.
    @usableFromInline final let number = ProcessIdentity.next()

    /// Whether it stands for another registration and shares that one's cell.
    @usableFromInline final let isAlias: Bool
    /// The cell it is served from, retained; zero before anything was to be kept. Set once.
    private final let cellWord: AtomicWord
    /// The current plan, retained. The typed subclass reads and replaces it.
    @usableFromInline final let planWord: AtomicWord
    /// 1 once another registration has taken this one's place.
    private final let unlinkedWord: AtomicWord

    init(
        _ service: Any.Type, isDirect: Bool, isAlias: Bool, key: ServiceKey, location: SourceLocation,
        home: ResolverHome
    ) {
        self.serviceKey = key
        self.service = ObjectIdentifier(service)
        self.isDirect = isDirect
        self.serviceType = service
        self.location = location
        self.home = home
        self.isAlias = isAlias
        let words = AtomicWord.block(of: 4)
        self.slot = InstanceSlot(word: words)
        self.cellWord = words.next(1)
        self.planWord = words.next(2)
        self.unlinkedWord = words.next(3)
    }

    deinit {
        releaseInstances(keepingDefinition: true)
        Unmanaged<StoredCell>.fromWord(cellWord.load())?.release()
        slot.word.deallocate()
    }

    // MARK: The cell

    /// The registration's own cell, if it belongs to `store` or to nobody yet.
    final func ownCell(in store: InstanceStore) -> CreationCell? {
        let stored = storedCell ?? setCell(StoredCell(cell: store.makeCell(for: self), store: store))
        return stored.store === store ? stored.cell : nil
    }

    private final func setCell(_ stored: StoredCell) -> StoredCell {
        let retained = Unmanaged.passRetained(stored)
        var found: UInt64 = 0
        if cellWord.replace(&found, by: retained.word) { return stored }
        retained.release()
        return storedCell ?? stored
    }

    /// Lets this registration's slot answer hits with `face` while `cell`, if it is the own one, keeps `instance`.
    final func publish(_ face: AnyObject, of instance: AnyObject, keptIn cell: CreationCell) {
        guard storedCell?.cell === cell, !isUnlinked else { return }
        cell.publish(face, of: instance, in: slot, beside: nil)
    }

    /// Hits go the long way again, to whoever keeps the instance.
    final func withdrawSlots() {
        storedCell?.cell.withdrawSlots()
    }

    /// For an alias: shares the cell of `source`, which keeps `instance`, and its hits with `face`, the form in which the
    /// alias hands it out. Only while hits of `source` are answered from its own slot.
    final func share(_ face: AnyObject, of instance: AnyObject, keptFor source: AnyResolverRegistration) {
        guard let shared = source.storedCell, setCell(shared) === shared, !isUnlinked else { return }
        shared.cell.publish(face, of: instance, in: slot, beside: source.slot)
    }

    /// The word is set once and holds a reference, so the object lives as long as the registration.
    private final var storedCell: StoredCell? {
        Unmanaged<StoredCell>.fromWord(cellWord.load())?.takeUnretainedValue()
    }

    /// `store` keeps an instance for this registration although the registration's own cell is another store's.
    final func addGuestStore(_ store: InstanceStore) {
        home.addGuest(store, of: number)
    }

    // MARK: The end

    final var isUnlinked: Bool { unlinkedWord.load() != 0 }

    /// Another registration took this one's place: its instances are released now. The object itself stays until its
    /// resolver ends, because threads that found it a moment ago may still stand in it.
    final func unlink() {
        unlinkedWord.store(1)
        releaseInstances(keepingDefinition: false)
    }

    /// Also what a change of scope does: what the old scope kept is no longer handed out.
    final func releaseInstances(keepingDefinition: Bool) {
        if let stored = storedCell {
            if isAlias {
                stored.cell.withdraw(slot)
            } else if keepingDefinition, stored.store.identity == .definition {
                stored.cell.withdrawSlots()
            } else {
                stored.store.empty(stored.cell)
            }
        }
        for store in home.removeGuests(of: number) { store.emptyGuest(self) }
    }
}

/// A cell and the store it belongs to.
private final class StoredCell: Sendable {
    let cell: CreationCell
    let store: InstanceStore

    init(cell: CreationCell, store: InstanceStore) {
        self.cell = cell
        self.store = store
    }
}
