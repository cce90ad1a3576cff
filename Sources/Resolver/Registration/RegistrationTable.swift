/// A registration that is not retained. It lives as long as its resolver, which the caller holds.
@usableFromInline typealias FoundRegistration = Unretained<AnyResolverRegistration>

/// The registrations of one resolver, found without a lock or a retain.
///
/// Open addressing in a row of words: a mask, then pairs of (hash, registration). A pair's hash is written before its
/// registration is published, so a reader that sees a registration sees its hash. Pairs are never removed. A replacement
/// stores the new registration's address in the pair, a removal the address of `vacant`, which no key finds. When the row
/// fills up, a larger copy is published; when all registrations are removed, an empty row.
///
/// Readers may use an old row or a replaced registration at any time, so both stay until the table ends. The rows double in
/// size, so all old rows together are no larger than the current one, unless registrations are removed. A reader holds the
/// table's resolver.
///
/// `@unchecked Sendable`: the words that are written while others read are atomic.
final class RegistrationTable: Guarded<RegistrationTable.State>, @unchecked Sendable {
    let row: AtomicWord

    struct State {
        /// The number of taken pairs, including vacant ones.
        fileprivate var count = 0
        fileprivate var rows: [Row] = []
        fileprivate var replaced: [AnyResolverRegistration] = []
    }

    /// The row of an empty table: one pair that is never written. All tables share it, and it is never freed.
    private static let emptyRow: AtomicWord = .block(of: 3)

    init() {
        row = AtomicWord(UInt64(UInt(bitPattern: RegistrationTable.emptyRow.address)))
        super.init(State())
    }

    deinit {
        current.forEach { Unmanaged.passUnretained($0.object).release() }
        withLock { for row in $0.rows { row.deallocate() } }
        row.deallocate()
    }

    /// Returns the registration for a service by its own type and without a name. It may be an alias, or `vacant`.
    ///
    /// No other key has the hash of such a key, but the pair of a removed registration still has it.
    @inline(__always)
    static func findUnnamed(_ type: ObjectIdentifier, in row: AtomicWord) -> FoundRegistration? {
        search(row, ServiceKey(type: type, service: type, name: nil).hash) { _ in true }
    }

    /// Returns the registration of a service by its own type and by a name that is stored as `name` is, unless it is an alias.
    ///
    /// Calls nothing, unlike a comparison of strings.
    @inline(__always)
    func findNamed(_ service: ObjectIdentifier, _ name: Resolver.Name) -> FoundRegistration? {
        RegistrationTable.search(row, ServiceKey(type: service, service: service, name: name).hash) { registration in
            registration.ownService == UInt(bitPattern: service)
                // No key of its own type without a name has the hash of a key with one.
                && registration.serviceKey.name.unsafelyUnwrapped.rawValue.isStored(as: name.rawValue)
        }
    }

    /// Returns the registration for `key`, or nil. It lives as long as the table.
    @inline(__always)
    func find(_ key: ServiceKey) -> FoundRegistration? {
        RegistrationTable.search(row, key.hash) { $0.serviceKey == key }
    }

    @inline(__always)
    private static func search(
        _ row: AtomicWord, _ hash: UInt64, _ isMeant: (AnyResolverRegistration) -> Bool
    ) -> FoundRegistration? {
        let words = UnsafeMutablePointer<UInt64>(bitPattern: UInt(row.load())).unsafelyUnwrapped
        let mask = words[0]
        var index = hash & mask
        while true {
            let pair = words + Int(truncatingIfNeeded: 1 &+ 2 &* index)
            guard let registration = FoundRegistration(word: AtomicWord(at: pair + 1).load()) else { return nil }
            if pair[0] == hash, registration.use(isMeant) { return registration }
            index = (index &+ 1) & mask
        }
    }

    /// Adds a registration, and retires the one that it replaces.
    ///
    /// The new registration is published before the old one releases its instances. A thread that has found the old one, and
    /// may not create an instance there any more, finds the new one when it looks again.
    ///
    /// - Parameter isReplacing: whether to replace a registration with the same key.
    /// - Returns: whether the registration was added.
    @discardableResult
    func put(_ registration: AnyResolverRegistration, isReplacing: Bool = true) -> Bool {
        let (isAdded, old) = insert(registration, isReplacing)
        guard isAdded else { return false }
        if registration.owner.isScope { ScopeOverrides.insert(registration.serviceKey) }
        if let old { AnyResolverRegistration.retire([old], includingShared: true).run() }
        return true
    }

    /// Removes the registration for `key`, if `isMeant` accepts it. The caller retires it.
    func remove(
        _ key: ServiceKey, where isMeant: (AnyResolverRegistration) -> Bool = { _ in true }
    ) -> AnyResolverRegistration? {
        withLock { state in
            let pair = current.pair(for: key)
            guard let old = pair.registration, isMeant(old) else { return nil }
            state.replaced.append(old)
            pair.publish(Unretained(AnyResolverRegistration.vacant), key.hash)
            Unmanaged.passUnretained(old).release()
            return old
        }
    }

    /// Removes all registrations. The caller retires them.
    func removeAll() -> [AnyResolverRegistration] {
        withLock { state in
            let removed = registrations(state.count) { _ in true }
            // The references move from the row to `replaced`. The row itself stays, because other threads may read it.
            state.replaced += removed
            for registration in removed { Unmanaged.passUnretained(registration).release() }
            row.store(UInt64(UInt(bitPattern: RegistrationTable.emptyRow.address)))
            state.count = 0
            return removed
        }
    }

    /// Publishes `registration`, unless an old one with its key stays. Returns the old one.
    private func insert(
        _ registration: AnyResolverRegistration, _ isReplacing: Bool
    ) -> (isAdded: Bool, old: AnyResolverRegistration?) {
        withLock { state in
            // The check comes before the publication, because calls must find a scope's own registration first. It runs under the
            // lock, which `ScopeOverrides.insert` takes too: either that finds the registration, or this finds the key.
            if !registration.owner.isScope, ScopeOverrides.contains(registration.serviceKey) {
                _ = registration.checkScopeOverrides()
            }
            let pair = freePair(for: registration.serviceKey, &state)
            let old = pair.registration
            if let old, !isReplacing { return (false, old) }
            if let old { state.replaced.append(old) } else if pair.found == nil { state.count += 1 }
            _ = Unmanaged.passRetained(registration)
            pair.publish(Unretained(registration), registration.serviceKey.hash)
            // `replaced` now has the reference that the pair held.
            if let old { Unmanaged.passUnretained(old).release() }
            return (true, old)
        }
    }

    /// Returns the registration for `key`, after waiting for insertions in progress.
    func registration(for key: ServiceKey) -> AnyResolverRegistration? { withLock { _ in find(key)?.object } }

    /// All current registrations, in no particular order.
    var all: [AnyResolverRegistration] { all { _ in true } }

    /// Returns all current registrations that `isMeant` accepts. Calls `isMeant` under the lock.
    @inline(never)
    func all(where isMeant: (AnyResolverRegistration) -> Bool) -> [AnyResolverRegistration] {
        withLock { registrations($0.count, where: isMeant) }
    }

    /// The registrations that were replaced or removed.
    var replaced: [AnyResolverRegistration] { withLock { $0.replaced } }

    @inline(__always)
    private func registrations(
        _ count: Int, where isMeant: (AnyResolverRegistration) -> Bool
    ) -> [AnyResolverRegistration] {
        var found: [AnyResolverRegistration] = []
        current.forEach { registration in
            guard registration.use(isMeant) else { return }
            if found.isEmpty { found.reserveCapacity(count) }
            found.append(registration.object)
        }
        return found
    }

    private var current: Row { Row(words: UnsafeMutablePointer(bitPattern: UInt(row.load())).unsafelyUnwrapped) }

    // MARK: Under the lock

    /// Returns the pair for `key`, or the free pair where it belongs. Grows the row if it would be more than half full.
    private func freePair(for key: ServiceKey, _ state: inout State) -> Pair {
        var current = current
        if 2 * UInt64(state.count + 1) > current.mask + 1 {
            let larger = Row(capacity: max(8, 2 * (current.mask + 1)))
            state.count = 0
            for index in 0...current.mask {
                let pair = current.pair(at: index)
                guard let registration = pair.found, !pair.isVacant else { continue }
                // All keys differ, so the hash alone selects the pair, and no registration is read.
                larger.pair(for: pair.words[0]) { _ in false }.publish(registration, pair.words[0])
                state.count += 1
            }
            state.rows.append(larger)
            row.store(UInt64(UInt(bitPattern: larger.words)))
            current = larger
        }
        return current.pair(for: key)
    }

    fileprivate struct Row {
        let words: UnsafeMutablePointer<UInt64>
        var mask: UInt64 { words[0] }

        init(words: UnsafeMutablePointer<UInt64>) { self.words = words }

        init(capacity: UInt64) {
            words = AtomicWord.block(of: Int(1 + 2 * capacity)).address
            words[0] = capacity - 1
        }

        func deallocate() { AtomicWord(at: words).deallocateBlock() }

        @inline(__always)
        func forEach(_ body: (FoundRegistration) -> Void) {
            for index in 0...mask {
                let pair = pair(at: index)
                if let registration = pair.found, !pair.isVacant { body(registration) }
            }
        }

        func pair(at index: UInt64) -> Pair { Pair(words: words + Int(1 + 2 * index)) }

        func pair(for key: ServiceKey) -> Pair { pair(for: key.hash) { $0.serviceKey == key } }

        /// Returns the pair that `isMeant` accepts; otherwise a vacant one with the hash, or the first free one.
        @inline(__always)
        func pair(for hash: UInt64, _ isMeant: (AnyResolverRegistration) -> Bool) -> Pair {
            var index = hash & mask
            var vacant: Pair?
            while let registration = pair(at: index).found {
                let pair = pair(at: index)
                if pair.words[0] == hash {
                    if registration.use(isMeant) { return pair }
                    if pair.isVacant { vacant = vacant ?? pair }
                }
                index = (index + 1) & mask
            }
            return vacant ?? pair(at: index)
        }
    }

    fileprivate struct Pair {
        let words: UnsafeMutablePointer<UInt64>

        var found: FoundRegistration? { FoundRegistration(word: AtomicWord(at: words + 1).load()) }

        /// Whether its registration was removed.
        var isVacant: Bool { found?.word == Unretained(AnyResolverRegistration.vacant).word }

        var registration: AnyResolverRegistration? { isVacant ? nil : found?.object }

        func publish(_ registration: FoundRegistration, _ hash: UInt64) {
            if AtomicWord(at: words + 1).load() == 0 { words[0] = hash }
            AtomicWord(at: words + 1).store(registration.word)
        }
    }
}
