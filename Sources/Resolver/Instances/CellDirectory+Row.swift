extension CellDirectory {
    /// Entries side by side, found by open addressing: a mask and the address of the next row, then the entries, each as wide
    /// as a cache line.
    ///
    /// `@unchecked Sendable`: the words that are written while others read are atomic.
    struct Row: @unchecked Sendable {
        private let words: AtomicWord

        /// - Parameter capacity: a power of two.
        init(capacity: Int) {
            words = .row(of: Entry.width * (capacity + 1))
            words.constant = UInt64(capacity - 1)
        }

        private init(words: AtomicWord) {
            self.words = words
        }

        func deallocate() {
            words.deallocate()
        }

        var next: Row? {
            AtomicWord(address: words.next(1).load()).map(Row.init(words:))
        }

        /// Of the first row: whether the directory is closed. Read without a lock, so it may become so at any time.
        var isClosed: Bool { words.next(2).load() != 0 }

        func close() { words.next(2).store(1) }

        /// How many entries it takes; a search ends at one that is free.
        var limit: Int { Int(words.constant + 1) * 3 / 4 }

        /// Another row, twice as long, to be searched after this one.
        func append() -> Row {
            let next = Row(capacity: Int(2 * (words.constant + 1)))
            words.next(1).store(next.words.number)
            return next
        }

        /// Looks in this row and in all that come after it.
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
            var index = start(registration)
            while true {
                let entry = entry(at: index)
                let found = entry.registrationNumber
                if found == 0 { return nil }
                if found == registration, entry.storeNumber == store { return entry }
                index = (index + 1) & words.constant
            }
        }

        func add(_ registration: UInt64, _ store: UInt64) -> Entry {
            var index = start(registration)
            while entry(at: index).registrationNumber != 0 { index = (index + 1) & words.constant }
            let entry = entry(at: index)
            entry.begin(registration, store)
            return entry
        }

        /// Calls `body` with each used entry.
        @inline(__always)
        func forEach(_ body: (Entry) -> Void) {
            for index in 0...words.constant {
                let entry = entry(at: index)
                if entry.registrationNumber != 0 { body(entry) }
            }
        }

        /// Calls `body` with each entry of one registration: they lie where a search for it goes.
        @inline(__always)
        func forEach(of registration: UInt64, _ body: (Entry) -> Void) {
            var index = start(registration)
            while true {
                let entry = entry(at: index)
                let found = entry.registrationNumber
                if found == 0 { return }
                if found == registration { body(entry) }
                index = (index + 1) & words.constant
            }
        }

        private func start(_ registration: UInt64) -> UInt64 {
            (registration &* 0x9E37_79B9_7F4A_7C15) >> 32 & words.constant
        }

        private func entry(at index: UInt64) -> Entry {
            Entry(words: words.next(Entry.width * Int(index + 1)))
        }
    }

    /// A registration's number, a store's number, their cell, the registration if it is retained, and the slot.
    struct Entry {
        static let width = 8

        fileprivate let words: AtomicWord

        fileprivate init(words: AtomicWord) {
            self.words = words
        }

        var registrationNumber: UInt64 { words.load() }
        fileprivate var storeNumber: UInt64 { words.next(1).load() }
        var slot: FastSlot { FastSlot(word: words.next(4)) }

        /// The registration's number comes last, so a thread that sees it sees the store's.
        fileprivate func begin(_ registration: UInt64, _ store: UInt64) {
            words.next(1).store(store)
            words.store(registration)
        }

        // MARK: Under the lock

        /// Whether nothing will ever be kept here again: it belongs to a scope that is gone. Only where no hits are answered,
        /// for registrations of the resolver itself, so that no thread can still be on its way to the slot.
        var isFree: Bool { registration == nil && cell?.store?.hasEnded ?? false }

        /// Takes another store in place of one that is gone.
        func restart(_ store: UInt64) {
            words.next(1).store(store)
        }

        var cell: InstanceCell? { cellReference.current?.object }
        var registration: AnyResolverRegistration? { registrationReference.current?.object }

        private var cellReference: PublishedReference<InstanceCell> {
            PublishedReference(at: words.next(2))
        }
        private var registrationReference: PublishedReference<AnyResolverRegistration> {
            PublishedReference(at: words.next(3))
        }

        func put(_ cell: InstanceCell, _ registration: AnyResolverRegistration?) {
            cellReference.fill(cell)
            if let registration { registrationReference.fill(registration) }
        }

        /// To be released outside the lock.
        func takeOut() -> Kept? {
            let registration = registrationReference.exchange(nil)
            return cellReference.exchange(nil).map { Kept(cell: $0, registration: registration) }
        }
    }
}
