/// What the registrations of a resolver need of it without keeping it alive.
final class RegistrationOwner: Guarded<RegistrationOwner.State>, @unchecked Sendable {
    struct State {
        fileprivate var table: RegistrationTable?
        /// Made when it is first asked for: most resolvers never keep anything in it.
        fileprivate var cache: ResolverScope?
        /// The cells of a resolver that does not isolate, made with the first one.
        fileprivate var cells: CellDirectory?
        fileprivate var defaultScope: ResolverScope?
        fileprivate var clock: ResolverClock?
        /// The directories of isolating resolvers. Weak: they know the registrations of this owner.
        fileprivate var keepers = WeakTable<UInt64>()
    }

    /// Where the resolver was made.
    let location: SourceLocation
    /// Whether the resolver keeps all that is made through it to itself.
    let isIsolating: Bool
    /// Whether it is that of a scope of a context, not of a resolver that calls ask.
    let isScope: Bool
    /// Sets what is made through an isolating resolver apart within a resolution cycle; zero for others.
    let isolation: UInt64
    private let isolatedCells: CellDirectory?
    /// Where hits are looked for in these. (The directory is referred to weakly, so to retain it would take its time.)
    let isolatedRow: CellDirectory.Row?
    /// Weak: they hold the resolver.
    private let weakWorld: WeakReference?

    init(location: SourceLocation, isIsolating: Bool, isScope: Bool = false) {
        self.location = location
        self.isScope = isScope
        self.isIsolating = isIsolating
        // Far above the numbers of registrations, to which it is added. Sixteen million resolvers later one comes again.
        isolation = isIsolating ? ProcessWord.isolations.add(1) << 40 : 0
        let cells = isIsolating ? CellDirectory() : nil
        isolatedCells = cells
        isolatedRow = cells?.first
        weakWorld = isScope ? nil : World.current?.ofTest.map(WeakReference.init)
        super.init(State())
    }

    /// Runs `body` while no other thread replaces the plan of a registration.
    func modify(_ body: () -> Void) {
        withLock { _ in body() }
    }

    /// The number of the test in which it was made; 0 outside of tests.
    let test = World.testNumber

    /// What `.container` keeps instances in.
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

    /// What `.container` keeps instances in, if that was ever needed or assigned.
    var usedCache: ResolverScope? { withLock { $0.cache } }

    /// The cells that stand in no registration of this resolver, if there are any.
    var cells: CellDirectory? {
        isolatedCells ?? withLock { $0.cells }
    }

    /// Its cells, made if there are none.
    func makeCells() -> CellDirectory {
        if let isolatedCells { return isolatedCells }
        return withLock { state in
            if let cells = state.cells { return cells }
            let cells = CellDirectory()
            state.cells = cells
            return cells
        }
    }

    /// The scope of registrations that name none, if it is not the process's default.
    var defaultScope: ResolverScope? {
        get { withLock { $0.defaultScope } }
        set { replace(\.defaultScope, by: newValue) }
    }

    /// What times to live are measured with, if it is not the process's clock.
    var clock: ResolverClock? {
        get { withLock { $0.clock } }
        set { replace(\.clock, by: newValue) }
    }

    /// Those of the test in which it was made, while that runs.
    var world: World? { weakWorld?.object as? World }

    /// The registrations, as long as their resolver lives, which sets this to nil at its end: options that are stored somewhere
    /// keep no resolver alive.
    var table: RegistrationTable? {
        get { withLock { $0.table } }
        set { replace(\.table, by: newValue) }
    }

    // MARK: Isolating resolvers

    func addKeeper(_ keeper: CellDirectory) {
        let isFull = withLock { state in
            if !state.keepers.contains(keeper.number) { state.keepers.insert(keeper, for: keeper.number) }
            return state.keepers.isFull
        }
        if isFull { removeDead(from: \.keepers) }
    }

    /// Where isolating resolvers keep something for registrations of this one.
    var keepers: [CellDirectory] {
        withLock { $0.keepers.references }.compactMap { $0.object as? CellDirectory }
    }
}
