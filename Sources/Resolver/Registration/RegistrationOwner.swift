/// The part of a resolver, or of a scope of a context, that its registrations use. It does not keep the resolver alive.
final class RegistrationOwner: Guarded<RegistrationOwner.State>, @unchecked Sendable {
    struct State {
        fileprivate var table: RegistrationTable?
        /// Created on first use, because most resolvers never keep an instance in it.
        fileprivate var cache: ResolverScope?
        /// The cells of a resolver that does not isolate. Created when a second store keeps an instance.
        fileprivate var cells: CellDirectory?
        fileprivate var defaultScope: ResolverScope?
        fileprivate var clock: ResolverClock?
        /// The directories of isolating resolvers, and scopes, by the numbers of their directories. Weak, because the directories refer to
        /// the registrations of this owner.
        fileprivate var instanceOwners = WeakTable<UInt64>()
        /// The number of added scopes that began after the registration whose instance they keep.
        fileprivate var laterScopes = 0
    }

    /// The source location where the resolver was created.
    let location: SourceLocation
    /// Whether the resolver keeps all instances that are created through it.
    let isIsolating: Bool
    /// The number of the scope's kind; nil for a resolver.
    let kindNumber: Int?
    /// Whether it belongs to a scope of a context, and not to a resolver.
    var isScope: Bool { kindNumber != nil }
    /// Whether it is a scope that has ended. Read without a lock, so the scope may end at any time.
    var hasScopeEnded: Bool { isScope && isolatedRow?.isClosed ?? false }
    /// Added to identities, to separate the instances of an isolating resolver within a resolution cycle; zero for other
    /// resolvers.
    let isolation: UInt64
    /// The directory of an isolating resolver or a scope.
    let isolatedCells: CellDirectory?
    /// The row of `isolatedCells` that hits search. Stored here, because it is slow to retain the directory, to which weak
    /// references exist.
    let isolatedRow: CellDirectory.Row?
    /// Weak, because the world holds the resolver.
    private let weakWorld: WeakReference?

    init(location: SourceLocation, isIsolating: Bool, kindNumber: Int? = nil) {
        self.location = location
        self.kindNumber = kindNumber
        self.isIsolating = isIsolating
        // Added to the numbers of registrations. The factor spreads the count over all bits, so that two sums are equal only by accident.
        isolation = isIsolating ? ProcessWord.isolations.add(1) &* 0x9E37_79B9_7F4A_7C15 : 0
        let cells = isIsolating ? CellDirectory(isolation: isolation) : nil
        isolatedCells = cells
        isolatedRow = cells?.first
        weakWorld = kindNumber != nil ? nil : World.current?.ofTest.map(WeakReference.init)
        super.init(State())
    }

    /// The number of the test that created the resolver or scope; 0 outside of tests.
    let test = World.testNumber

    /// The scope in which `.container` keeps instances.
    var cache: ResolverScope {
        get {
            withLock { state in
                if let cache = state.cache { return cache }
                let cache = ResolverScopeCache()
                state.cache = cache
                return cache
            }
        }
        set { replace(\.cache, by: newValue) }
    }

    /// The scope in which `.container` keeps instances, if it was ever used or assigned.
    var usedCache: ResolverScope? { withLock { $0.cache } }

    /// Returns the scope that keeps the instances of `scope`: for `.container`, the cache.
    func effectiveScope(of scope: any ResolverScopeType) -> any ResolverScopeType {
        scope is ResolverScopeContainer ? usedCache ?? scope : scope
    }

    /// The cells that are not stored in a registration of this resolver, if any.
    var cells: CellDirectory? { isolatedCells ?? withLock { $0.cells } }

    /// Returns the directory of its cells, which is created if there is none.
    func makeCells() -> CellDirectory {
        if let isolatedCells { return isolatedCells }
        return withLock { state in
            if let cells = state.cells { return cells }
            let cells = CellDirectory()
            state.cells = cells
            return cells
        }
    }

    /// The scope of registrations that set none, if it differs from the process's default.
    var defaultScope: ResolverScope? {
        get { withLock { $0.defaultScope } }
        set { replace(\.defaultScope, by: newValue) }
    }

    /// The clock of times to live, if it differs from the process's clock.
    var clock: ResolverClock? {
        get { withLock { $0.clock } }
        set { replace(\.clock, by: newValue) }
    }

    /// The world of the test that created the resolver, while the test runs.
    var world: World? { weakWorld?.object as? World }

    /// The registrations. The resolver sets this property to nil when it ends, so stored `ResolverOptions` keep no table alive.
    var table: RegistrationTable? {
        get { withLock { $0.table } }
        set { replace(\.table, by: newValue) }
    }

    // MARK: Others that keep instances of its registrations

    private static var mostLaterScopes: Int { 256 }

    /// Adds an isolating resolver or a scope that keeps instances of these registrations in its cells.
    ///
    /// - Parameter isLater: whether it is a scope that began after the registration.
    /// - Returns: false if there have been too many later scopes.
    @inline(never)
    func add(instanceOwner: RegistrationOwner, _ cells: CellDirectory, isLater: Bool) -> Bool {
        let (isKnown, isFull) = withLock { state in
            if state.instanceOwners.contains(cells.number) { return (true, false) }
            if isLater {
                if state.laterScopes == RegistrationOwner.mostLaterScopes { return (false, false) }
                state.laterScopes += 1
            }
            state.instanceOwners.insert(instanceOwner.isScope ? instanceOwner : cells, for: cells.number)
            return (true, state.instanceOwners.isFull)
        }
        if isFull { removeDead(from: \.instanceOwners) }
        return isKnown
    }

    /// The directories of isolating resolvers that keep instances for registrations of this one.
    var foreignDirectories: [CellDirectory] { alive(in: \.instanceOwners).compactMap { $0 as? CellDirectory } }

    /// The scopes that were added.
    var keepingScopes: [RegistrationOwner] { alive(in: \.instanceOwners).compactMap { $0 as? RegistrationOwner } }
}

/// The list of live resolvers. It holds parts of a resolver and not the resolver, which may be ending.
final class LiveResolvers: Sendable {
    static let shared = LiveResolvers()

    typealias Entry = (table: RegistrationTable, owner: RegistrationOwner)

    private let state = Guarded(SlabByTest<Entry>())

    /// All live resolvers, in no particular order.
    var all: [Entry] { state.withLock { $0.all() } }

    /// Calls `body` with each table, and releases the results of `body` outside the lock.
    ///
    /// `body` runs under the lock, so this function never gets the last reference to a table.
    func release(_ body: (RegistrationTable) -> FastSlots.Invalidated?) {
        for invalidated in state.withLock({ $0.all().compactMap { body($0.table) } }) { invalidated.release() }
    }

    /// Returns the resolvers that were created in a test. Retains no others meanwhile.
    func made(in test: World.Test) -> [Entry] { state.withLock { $0.all(in: test.number) } }

    /// - Returns: the index for `remove`.
    func add(_ table: RegistrationTable, _ owner: RegistrationOwner) -> Int {
        state.withLock { state in
            let index = state.reserve(in: owner.test)
            state.put((table, owner), at: index, in: owner.test)
            return index
        }
    }

    /// Removes the resolver of `owner`, which has ended. Its table is released outside the lock, because this may be the last reference
    /// to the table and to its instances.
    func remove(_ owner: RegistrationOwner, at index: Int) { state.discard { $0.remove(at: index, in: owner.test) } }
}

extension RegistrationOwner {
    /// The name of the resolver in messages. Writing a message must not settle `root`.
    var label: String {
        Messages.resolverLabel(
            isMain: Resolver.main.owner === self, isRoot: Resolver.unsettledRoot.owner === self, location: location)
    }
}
