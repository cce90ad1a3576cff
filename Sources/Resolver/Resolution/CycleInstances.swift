/// The instances that belong to one resolution cycle, by the identity of what they were made for.
///
/// Few in most cycles, so a row of memory is searched; a directory is kept beside it only once there are many. An instance
/// lies in its entry as what its factory made, an object or an existential; only what does not fit is boxed. Belongs to
/// one thread.
@usableFromInline
struct CycleInstances {
    @usableFromInline
    struct Entry {
        /// Zero once the instance was forgotten: nothing has that identity.
        @usableFromInline var identity: UInt64
        /// Five words: the size of an existential of one protocol. Only objects are kept, and whether as themselves, as
        /// existentials or boxed, the first word is the reference, and the only one.
        @usableFromInline let room: (UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0)

        @inlinable @inline(__always)
        init(_ identity: UInt64) {
            self.identity = identity
        }
    }

    @inlinable static var few: Int { 16 }

    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    /// How many belong to cycles that have ended, and are being released further up the stack.
    private var ended = 0
    @usableFromInline var directory: [UInt64: Int] = [:]

    init() {
        capacity = CycleInstances.few
        entries = .allocate(capacity: capacity)
    }

    func deallocate() {
        entries.deallocate()
    }

    /// The instance with an identity, which belongs to one registration and so proves the type of what lies in the entry.
    @inlinable @inline(__always)
    func find<Service>(_ identity: UInt64) -> Service? {
        if count > CycleInstances.few { return findInDirectory(identity).map { read(entries + $0) } }
        var index = 0
        while index < count {
            if entries[index].identity == identity { return read(entries + index) }
            index += 1
        }
        return nil
    }

    func contains(_ identity: UInt64) -> Bool {
        if count > CycleInstances.few { return findInDirectory(identity) != nil }
        return (0..<count).contains { entries[$0].identity == identity }
    }

    @usableFromInline @inline(never)
    func findInDirectory(_ identity: UInt64) -> Int? {
        directory[identity]
    }

    @inlinable @inline(__always)
    mutating func append<Service>(_ service: Service, identity: UInt64) {
        if count >= CycleInstances.few { makeRoom(for: identity) }
        let entry = entries + count
        entry.initialize(to: Entry(identity))
        if CycleInstances.fits(Service.self) {
            CycleInstances.room(in: entry).initializeMemory(as: Service.self, repeating: service, count: 1)
        } else {
            CycleInstances.room(in: entry)
                .initializeMemory(as: InstanceBox<Service>.self, repeating: InstanceBox(service), count: 1)
        }
        count += 1
    }

    // MARK: What lies in an entry

    @inlinable @inline(__always)
    static func fits<Service>(_ type: Service.Type) -> Bool {
        MemoryLayout<Service>.size <= 5 * MemoryLayout<UInt>.size
            && MemoryLayout<Service>.alignment <= MemoryLayout<UInt>.alignment
    }

    @inlinable @inline(__always)
    static func room(in entry: UnsafeMutablePointer<Entry>) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(entry) + MemoryLayout<Entry>.offset(of: \.room).unsafelyUnwrapped
    }

    @inlinable @inline(__always)
    func read<Service>(_ entry: UnsafeMutablePointer<Entry>) -> Service {
        let room = CycleInstances.room(in: entry)
        if CycleInstances.fits(Service.self) { return room.assumingMemoryBound(to: Service.self).pointee }
        return room.assumingMemoryBound(to: InstanceBox<Service>.self).pointee.service
    }

    // MARK: The end

    /// From now on `find` does not answer it; it is released with the others.
    mutating func forget(_ identity: UInt64) {
        if count > CycleInstances.few {
            if let index = directory.removeValue(forKey: identity) { entries[index].identity = 0 }
        } else {
            for index in ended..<count where entries[index].identity == identity { entries[index].identity = 0 }
        }
    }

    /// The cycle has ended: what is still to be released belongs to no cycle that begins meanwhile.
    ///
    /// - Returns: what `removeLast` takes, for all that belongs to this cycle.
    mutating func end() -> Int {
        for index in ended..<count { entries[index].identity = 0 }
        if !directory.isEmpty { directory = [:] }
        return ended
    }

    /// Takes out the youngest, for the caller to release when this structure is consistent again; nil after the last one of
    /// the cycle that has ended.
    mutating func removeLast(downTo first: Int) -> Unmanaged<AnyObject>? {
        if count > first { count -= 1 } else { return nil }
        ended = count
        return CycleInstances.room(in: entries + count).load(as: Unmanaged<AnyObject>.self)
    }

    /// All of it has been released.
    mutating func resume(_ first: Int) {
        ended = first
    }

    // MARK: More than a few

    @usableFromInline @inline(never)
    mutating func makeRoom(for identity: UInt64) {
        if count == capacity { grow() }
        if count == CycleInstances.few {
            for index in 0..<count { directory[entries[index].identity] = index }
        }
        directory[identity] = count
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
        // Swift values may be moved bit by bit, also those that lie in the entries.
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}
