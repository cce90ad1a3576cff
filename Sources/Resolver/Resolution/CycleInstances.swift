/// The instances of one resolution cycle, by identity.
///
/// Most cycles have few, so a row of memory is searched. A directory is added once there are many. An entry stores the
/// instance as its factory returned it, an object or an existential; one that does not fit is boxed. Belongs to one thread.
struct CycleInstances {
    struct Entry {
        /// Zero once the instance was forgotten. No instance has the identity zero.
        var identity: UInt64
        var range: SharingRange
        /// Five words: the size of an existential of one protocol. Only objects are kept. As an object, existential or box,
        /// the first word is the only reference; zero once the instance was taken out.
        let storage: (UInt, UInt, UInt, UInt, UInt)
    }

    static var few: Int { 16 }

    var entries: UnsafeMutablePointer<Entry>
    var capacity: Int
    var count = 0
    /// The number of instances of ended cycles, which are being released further up the stack.
    private var ended = 0
    var directory: [UInt64: Int] = [:]

    init() {
        capacity = CycleInstances.few
        entries = .allocate(capacity: capacity)
    }

    func deallocate() { entries.deallocate() }

    /// Puts the instance of an entry, which belongs to one registration, into `memory`.
    ///
    /// - Returns: whether the memory has the service now.
    @inline(__always)
    func copy(
        _ entry: UnsafeMutablePointer<Entry>, of registration: AnyResolverRegistration, into memory: ServiceMemory
    ) -> Bool {
        let storage = CycleInstances.storage(in: entry)
        if registration.isDirect { return memory.putObject(storage.load(as: AnyObject.self)) }
        if !CycleInstances.fits(registration) {
            return registration.unbox(storage.load(as: AnyObject.self), into: memory)
        }
        memory.address.copyMemory(from: storage, byteCount: registration.size)
        _ = storage.load(as: Unmanaged<AnyObject>.self).retain()
        return true
    }

    /// Returns the instance of an entry in the form in which it is kept.
    func object(_ entry: UnsafeMutablePointer<Entry>, of registration: AnyResolverRegistration) -> AnyObject {
        let storage = CycleInstances.storage(in: entry)
        if registration.isDirect || !CycleInstances.fits(registration) { return storage.load(as: AnyObject.self) }
        return registration.box(ServiceMemory(storage))
    }

    /// Returns the entry with `identity` that a creation may share.
    ///
    /// - Parameter rank: the rank below which the creation hides scopes. Any rank will do for an unfinished object.
    @inline(__always)
    func entry(_ identity: UInt64, at rank: Int = .max) -> UnsafeMutablePointer<Entry>? {
        if count > CycleInstances.few {
            guard let index = CycleInstances.find(identity, in: directory) else { return nil }
            if entries[index].range.contains(rank) { return entries + index }
        }
        var index = 0
        while index < count {
            if entries[index].identity == identity, entries[index].range.contains(rank) { return entries + index }
            index += 1
        }
        return nil
    }

    /// Takes only the directory: a method would cost calls with few instances a copy of the whole structure.
    @inline(never)
    private static func find(_ identity: UInt64, in directory: [UInt64: Int]) -> Int? { directory[identity] }

    /// Adds a copy of the object in `memory`.
    @inline(__always)
    mutating func append(
        _ memory: ServiceMemory, of registration: AnyResolverRegistration, identity: UInt64, for range: SharingRange
    ) {
        if count >= CycleInstances.few { makeRoom(for: identity) }
        let entry = entries + count
        entry.pointee.identity = identity
        entry.pointee.range = range
        let storage = CycleInstances.storage(in: entry)
        if registration.isDirect {
            storage.storeBytes(of: Unmanaged.passRetained(memory.service() as AnyObject), as: Unmanaged<AnyObject>.self)
        } else if CycleInstances.fits(registration) {
            storage.copyMemory(from: memory.address, byteCount: registration.size)
            _ = storage.load(as: Unmanaged<AnyObject>.self).retain()
        } else {
            storage.storeBytes(of: Unmanaged.passRetained(registration.box(memory)), as: Unmanaged<AnyObject>.self)
        }
        count &+= 1
    }

    // MARK: Entries

    /// Whether an instance fits into its entry without a box.
    @inline(__always)
    private static func fits(_ registration: AnyResolverRegistration) -> Bool {
        registration.size <= 5 * MemoryLayout<UInt>.size && registration.alignment <= MemoryLayout<UInt>.alignment
    }

    @inline(__always)
    private static func storage(in entry: UnsafeMutablePointer<Entry>) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(entry) + MemoryLayout<Entry>.offset(of: \.storage).unsafelyUnwrapped
    }

    /// Whether this thread is completing the object with the number of an unfinished object.
    func completes(_ unfinished: UInt64) -> Bool { (0..<count).contains { entries[$0].range.unfinished == unfinished } }

    /// Narrows the ranges of instances at `indices` that depend on an unfinished object, which is finished now.
    func finish(_ unfinished: UInt64, with range: SharingRange, at indices: Range<Int>) {
        for index in indices { entries[index].range.finish(unfinished, with: range) }
    }

    // MARK: The end

    /// Takes the instance out of an entry that was forgotten. The caller releases it once this structure is consistent again.
    func take(at index: Int) -> Unmanaged<AnyObject>? {
        let storage = CycleInstances.storage(in: entries + index)
        defer { storage.storeBytes(of: nil, as: Unmanaged<AnyObject>?.self) }
        return storage.load(as: Unmanaged<AnyObject>?.self)
    }

    /// Makes `entry` skip the instance that a creation of `rank` may share. It is released with the others, or by the caller of `take`.
    mutating func forget(_ identity: UInt64, at rank: Int) {
        let isMany = count > CycleInstances.few
        if isMany, directory.removeValue(forKey: identity) == nil { return }
        for index in ended..<count where entries[index].identity == identity {
            if entries[index].range.contains(rank) {
                entries[index].identity = 0
            } else if isMany {
                directory[identity] = index
            }
        }
    }

    /// Ends the cycle. Its instances do not belong to cycles that begin while they are released.
    ///
    /// - Returns: the argument of `removeLast` for this cycle.
    mutating func end() -> Int {
        for index in ended..<count { entries[index].identity = 0 }
        if !directory.isEmpty { directory = [:] }
        return ended
    }

    /// Takes out the youngest instance, or returns nil after the last one of the cycle.
    ///
    /// The caller releases the instance once this structure is consistent again.
    mutating func removeLast(downTo first: Int) -> Unmanaged<AnyObject>? {
        while count > first {
            count -= 1
            ended = count
            if let instance = take(at: count) { return instance }
        }
        return nil
    }

    /// Ends the release of a cycle's instances.
    mutating func resume(_ first: Int) { ended = first }

    // MARK: Many instances

    @inline(never)
    mutating func makeRoom(for identity: UInt64) {
        if count == capacity { grow() }
        if count == CycleInstances.few {
            for index in 0..<count { directory[entries[index].identity] = index }
        }
        directory[identity] = count
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
        // Swift values, including those in the entries, may be moved bit by bit.
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}

extension ResolutionCycle {
    // MARK: The graph. An identity belongs to one registration: see AnyResolverRegistration.identity(through:).

    /// Puts the instance with `identity` into `memory`.
    ///
    /// - Returns: whether the cycle has one.
    @inline(__always)
    func instance(_ identity: UInt64, of registration: AnyResolverRegistration, into memory: ServiceMemory) -> Bool {
        guard state.pointee.graph.count != 0, let entry = sharedEntry(identity) else { return false }
        return state.pointee.graph.copy(entry, of: registration, into: memory)
    }

    /// Returns the instance with `identity`, packed.
    func object(_ identity: UInt64, of registration: AnyResolverRegistration) -> AnyObject? {
        sharedEntry(identity).map { state.pointee.graph.object($0, of: registration) }
    }

    /// Returns the entry with `identity` that the running creation may share. Its factories then depend on what the object depends on.
    @inline(__always)
    private func sharedEntry(_ identity: UInt64) -> UnsafeMutablePointer<CycleInstances.Entry>? {
        guard let entry = state.pointee.graph.entry(identity, at: state.pointee.hidden.greatestRank) else { return nil }
        range.narrow(to: entry.pointee.range)
        return entry
    }

    /// Returns the instance of a step of a path, packed. Another thread reads its unfinished instance here.
    func object(_ identity: UInt64, of step: ResolutionStep) -> AnyObject? {
        guard let registration = step.registration, let entry = state.pointee.graph.entry(identity) else { return nil }
        return state.pointee.graph.object(entry, of: registration)
    }

    /// The number of instances that joined the cycle.
    var instanceCount: Int { state.pointee.graph.count }

    func hasInstance(_ identity: UInt64) -> Bool { state.pointee.graph.entry(identity) != nil }

    /// Keeps a copy of the object in `memory` until the cycle ends.
    @inline(__always)
    func keep(
        _ memory: ServiceMemory, of registration: AnyResolverRegistration, identity: UInt64, for range: SharingRange
    ) {
        state.pointee.graph.append(memory, of: registration, identity: identity, for: range)
    }

    /// Stops handing out the instance with `identity`.
    func forget(_ identity: UInt64) { state.pointee.graph.forget(identity, at: state.pointee.hidden.greatestRank) }

    /// Releases the instances one by one. The `deinit` of an instance may resolve, which begins a cycle in this memory. That cycle
    /// releases only its own instances.
    @inline(never)
    func releaseGraph() {
        let first = state.pointee.graph.end()
        if state.pointee.graph.count == first { return }
        withoutPass {
            while let instance = state.pointee.graph.removeLast(downTo: first) { instance.release() }
        }
        state.pointee.graph.resume(first)
    }

    /// Releases objects one after the other, because nested releases of a long chain would overflow the stack. Returns when all
    /// are released, unless it is called during the release of a member of the chain.
    func releaseInTurn<Object: AnyObject>(_ objects: inout [Object]) {
        let first = state.pointee.inTurn.count
        // The first object is released first, with all that it held. No other reference may be left here.
        while let last = objects.popLast() { state.pointee.inTurn.append(last) }
        if state.pointee.isReleasingInTurn { return }
        state.pointee.isReleasingInTurn = true
        withoutPass {
            while state.pointee.inTurn.count > first, let next = state.pointee.inTurn.popLast() {
                withExtendedLifetime(next) {}
            }
        }
        state.pointee.isReleasingInTurn = false
    }

    /// Calls `body`, user code that a release runs, without the pass around it, and drops errors that it leaves. Objects that `body` releases
    /// are released before `body` goes on. If the stack is nearly exhausted, they join the chain of releases around `body` instead.
    @inline(__always)
    func inUserCode(_ body: () -> Void) {
        let isReleasing = state.pointee.isReleasingInTurn, pendingErrors = state.pointee.pendingErrors.count
        state.pointee.isReleasingInTurn = isReleasing && hasLittleStack
        // Only asynchronous calls pay for `withoutPass`.
        if isInPass { withoutPass(body) } else { body() }
        state.pointee.isReleasingInTurn = isReleasing
        dropPendingErrors(downTo: pendingErrors)
    }
}
