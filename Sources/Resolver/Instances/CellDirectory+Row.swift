extension CellDirectory {
    /// A row of entries with open addressing, in memory that never moves.
    ///
    /// The header has the mask, the address of the next row, and in the first row whether the directory is closed. Header and entries
    /// are as wide as a cache line.
    ///
    /// A search begins at an index that the registration's number determines. From there, `forEach(of:)` finds the entries of the
    /// registration for all stores; in practice there is one. If there are `mostNear` of them, the numbers of registration and store
    /// determine where the search for a further entry begins. Many stores, such as a cache for each tenant, thus cause no long chain.
    ///
    /// `@unchecked Sendable`: words that are written while other threads read are accessed atomically.
    struct Row: @unchecked Sendable {
        private static let mostNear = 8

        private let words: AtomicWord

        /// - Parameter capacity: a power of two.
        init(capacity: Int) {
            words = .row(of: Entry.width * (capacity + 1))
            words.constant = UInt64(capacity - 1)
        }

        private init(words: AtomicWord) { self.words = words }

        func deallocate() { words.deallocate() }

        var next: Row? { AtomicWord(address: words.next(1).load()).map(Row.init(words:)) }

        /// Whether the directory is closed, for its first row. Read without a lock, so another thread may close it at any time.
        var isClosed: Bool { words.next(2).load() != 0 }

        func close() { words.next(2).store(1) }

        /// The number of entries that the row takes. It is less than the capacity, because a search ends at a free entry.
        var limit: Int { Int(words.constant + 1) * 3 / 4 }

        /// Appends a row of twice the size, which is searched after this one.
        func append() -> Row {
            let next = Row(capacity: Int(2 * (words.constant + 1)))
            words.next(1).store(next.words.number)
            return next
        }

        /// Returns an entry of this row or the rows after it.
        @inline(__always)
        func search(_ registration: UInt64, _ store: UInt64) -> Entry? {
            var row = self
            while true {
                if let found = row.find(registration, store) { return found }
                guard let next = row.next else { return nil }
                row = next
            }
        }

        @inline(__always)
        private func find(_ registration: UInt64, _ store: UInt64) -> Entry? {
            var index = start(registration), passed = 0
            while true {
                let entry = entry(at: index)
                let found = entry.registrationNumber
                if found == 0 { return nil }
                if found == registration {
                    if entry.storeNumber == store { return entry }
                    passed += 1
                    if passed == Row.mostNear { return findFar(registration, store) { $0.storeNumber == store } }
                }
                index = (index + 1) & words.constant
            }
        }

        @inline(never)
        private func findFar(_ registration: UInt64, _ store: UInt64, where isMeant: (Entry) -> Bool) -> Entry? {
            var index = farStart(registration, store)
            while true {
                let entry = entry(at: index)
                let found = entry.registrationNumber
                if found == 0 { return nil }
                if found == registration, isMeant(entry) { return entry }
                index = (index + 1) & words.constant
            }
        }

        func add(_ registration: UInt64, _ store: UInt64) -> Entry {
            let near = forEachNear(of: registration) { _ in }
            var index = near < Row.mostNear ? start(registration) : farStart(registration, store)
            while entry(at: index).registrationNumber != 0 { index = (index + 1) & words.constant }
            let entry = entry(at: index)
            entry.begin(registration, store)
            return entry
        }

        /// Returns an entry whose store has ended, where a search for the registration in `store` passes it.
        func ended(_ registration: UInt64, _ store: UInt64) -> Entry? {
            var ended: Entry?
            let near = forEachNear(of: registration) { if ended == nil, $0.hasEnded { ended = $0 } }
            return near < Row.mostNear ? ended : ended ?? findFar(registration, store, where: \.hasEnded)
        }

        /// Calls `body` with each used entry.
        @inline(__always)
        func forEach(_ body: (Entry) -> Void) {
            for index in 0...words.constant {
                let entry = entry(at: index)
                if entry.registrationNumber != 0 { body(entry) }
            }
        }

        /// Calls `body` with each entry of a registration.
        func forEach(of registration: UInt64, _ body: (Entry) -> Void) {
            let near = forEachNear(of: registration) { _ in }
            if near == Row.mostNear {
                forEach { if $0.registrationNumber == registration { body($0) } }
            } else {
                forEachNear(of: registration, body)
            }
        }

        /// Calls `body` with the near entries of a registration, and returns their number.
        @discardableResult @inline(__always)
        private func forEachNear(of registration: UInt64, _ body: (Entry) -> Void) -> Int {
            var index = start(registration), near = 0
            while near < Row.mostNear {
                let entry = entry(at: index)
                let found = entry.registrationNumber
                if found == 0 { break }
                if found == registration {
                    near += 1
                    body(entry)
                }
                index = (index + 1) & words.constant
            }
            return near
        }

        private func start(_ registration: UInt64) -> UInt64 {
            (registration &* 0x9E37_79B9_7F4A_7C15) >> 32 & words.constant
        }

        private func farStart(_ registration: UInt64, _ store: UInt64) -> UInt64 {
            start(registration ^ store &* 0xD1B5_4A32_D192_ED03)
        }

        private func entry(at index: UInt64) -> Entry { Entry(words: words.next(Entry.width * Int(index + 1))) }
    }

    /// An entry: the numbers of registration and store, the cell, the registration if it is retained, and the slot.
    ///
    /// The last three words are for an instance without a cell: see `InlineClaim`.
    struct Entry {
        static let width = 8

        fileprivate let words: AtomicWord

        var registrationNumber: UInt64 { words.load() }
        fileprivate var storeNumber: UInt64 { words.next(1).load() }
        var slot: FastSlot { FastSlot(word: words.next(4)) }

        /// Stores the registration's number last. A thread that reads it with acquire order also sees the store's number.
        fileprivate func begin(_ registration: UInt64, _ store: UInt64) {
            words.next(1).store(store)
            words.store(registration)
        }

        // MARK: Under the lock

        /// Whether the store has ended, so that the entry can be reused. Its cell has left the slot.
        var hasEnded: Bool { cell?.store?.hasEnded ?? false }

        /// Replaces the store, which has ended, with another one.
        func restart(_ store: UInt64) { words.next(1).store(store) }

        var cell: InstanceCell? { cellReference.current?.object }
        var registration: AnyResolverRegistration? { registrationReference.current?.object }

        private var cellReference: PublishedReference<InstanceCell> { PublishedReference(at: words.next(2)) }
        private var registrationReference: PublishedReference<AnyResolverRegistration> {
            PublishedReference(at: words.next(3))
        }

        func put(_ cell: InstanceCell, _ registration: AnyResolverRegistration?) {
            cellReference.fill(cell)
            if let registration { registrationReference.fill(registration) }
        }

        /// Removes the cell and the registration. The caller releases them outside the lock.
        func takeOut() -> Kept? {
            guard let cell = cellReference.exchange(nil) else { return nil }
            return Kept(cell: cell, registration: registrationReference.exchange(nil))
        }

        // MARK: An instance without a cell, under the lock

        /// The address of the instance's store, which never ends; zero if the entry keeps no instance itself.
        private var storeWord: AtomicWord { words.next(5) }
        /// The number of the creation, or the order of the instance that `slot` holds.
        private var numberWord: AtomicWord { words.next(6) }
        /// The node of the thread that creates the instance; zero once the instance is kept.
        private var nodeWord: AtomicWord { words.next(7) }

        /// Whether the entry has a cell, keeps an instance itself, or is about to.
        var isUsed: Bool { storeWord.load() != 0 || !cellReference.isEmpty }

        /// Whether the entry keeps an instance without a cell.
        var keepsInstance: Bool { storeWord.load() != 0 && nodeWord.load() == 0 }

        func isBeingFilled(_ number: UInt64) -> Bool { numberWord.load() == number && nodeWord.load() != 0 }

        func beginFilling(
            _ number: UInt64, by node: Unretained<WaitNode>, _ registration: AnyResolverRegistration,
            _ store: InstanceStore
        ) {
            registrationReference.fill(registration)
            storeWord.store(Unretained(store).word)
            numberWord.store(number)
            nodeWord.store(node.word)
        }

        /// Keeps the object in the slot.
        ///
        /// - Returns: false if a slot cannot hold it.
        func keep(_ object: AnyObject) -> Bool {
            guard slot.publish(object) else { return false }
            numberWord.store(ProcessIdentity.next())
            nodeWord.store(0)
            return true
        }

        /// Ends the state in which the entry keeps an instance itself. The slot still holds the instance.
        ///
        /// - Returns: the store, the number, and the node of the thread that creates the instance.
        func endInline() -> (store: Unretained<InstanceStore>, number: UInt64, node: Unretained<WaitNode>?)? {
            guard let store = Unretained<InstanceStore>(word: storeWord.load()) else { return nil }
            defer {
                storeWord.store(0)
                nodeWord.store(0)
            }
            return (store, numberWord.load(), Unretained(word: nodeWord.load()))
        }

        /// Removes the instance that the entry keeps itself, or forgets its creation.
        func takeInstance() -> Removed? {
            guard let (_, order, node) = endInline() else { return nil }
            let registration = registrationReference.exchange(nil)
            guard node == nil, let object = slot.invalidate()?.takeObject() else {
                return Removed(registration: registration)
            }
            return Removed(instance: CachedInstance(object, order: order), registration: registration)
        }
    }
}
