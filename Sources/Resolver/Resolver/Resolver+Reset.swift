extension Resolver {
    /// What `reset(_:)` lets go of.
    public struct ResetOptions: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The instances that scopes keep for this resolver, except singletons. The registrations stay.
        public static let scopes = ResetOptions(rawValue: 1)
        /// The registrations, and with them the instances that were kept for them, except singletons.
        public static let registrations = ResetOptions(rawValue: 2)
        /// Both.
        public static let all: ResetOptions = [.scopes, .registrations]
    }

    /// Lets go of what this resolver's registrations have kept, of the registrations, or of both.
    ///
    /// When it returns, the instances are released, the youngest first; what was handed out lives on with its holders.
    /// Other resolvers are not touched, also not the children; only what isolating resolvers have kept for a registration
    /// goes with it. Nor are singletons, which belong to no resolver: reset `ResolverScope.application`, or that scope
    /// here. An isolating resolver lets go of all it keeps, singletons too.
    ///
    /// Hooks that have to be awaited run in tasks of their own; `resetAndWait(_:)` waits for them.
    public func reset(_ options: ResetOptions) {
        release(options).run()
    }

    /// Resets as `reset(_:)` does, and returns when the release hooks have run, one after the other.
    nonisolated(nonsending) public func resetAndWait(_ options: ResetOptions) async {
        await release(options).runAndWait()
    }

    private func release(_ options: ResetOptions) -> InstanceRelease {
        if options.contains(.registrations) {
            let foreign = options.contains(.scopes) ? foreignCells.map(\.cell) : []
            return AnyResolverRegistration.retire(table.removeAll(), includingShared: false, with: foreign)
        }
        return options.contains(.scopes) ? release(includingShared: false) : InstanceRelease()
    }

    /// Lets go of what one scope has kept for this resolver's registrations, in the same way.
    ///
    /// What the scope keeps for other resolvers stays: use `reset()` of the scope for all of them. A singleton goes, if
    /// it is the scope of one: also for other resolvers that have run the same `register` call.
    public func reset(scope: ResolverScope) {
        release(scope).run()
    }

    /// Lets go of what one scope has kept here, for a scope that conforms to the protocol without deriving from
    /// `ResolverScope`.
    public func reset(scope: any ResolverScopeType) {
        release(scope).run()
    }

    /// Resets as `reset(scope:)` does, and returns when the release hooks have run, one after the other.
    nonisolated(nonsending) public func resetAndWait(scope: ResolverScope) async {
        await release(scope).runAndWait()
    }

    /// Resets as `reset(scope:)` does, and returns when the release hooks have run, one after the other.
    nonisolated(nonsending) public func resetAndWait(scope: any ResolverScopeType) async {
        await release(scope).runAndWait()
    }

    /// Lets go of what is kept for one service that is registered here, in whatever scope, a singleton too. An isolating resolver lets go of
    /// what it keeps for the service, wherever that is registered.
    public func reset<Service>(_ type: Service.Type, name: Name? = nil) {
        release(ServiceKey(type, name), as: ObjectIdentifier(type)).run()
    }

    /// Resets as `reset(_:name:)` does, and returns when the release hooks have run, one after the other.
    nonisolated(nonsending) public func resetAndWait<Service>(_ type: Service.Type, name: Name? = nil) async {
        await release(ServiceKey(type, name), as: ObjectIdentifier(type)).runAndWait()
    }

    /// Removes the registration of a service from this resolver, and releases what was kept for it, a singleton too.
    ///
    /// Registrations of children are found from then on. What `.implements` has registered for it stays, and finds nothing.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func unregister<Service>(_ type: Service.Type, name: Name? = nil) -> Bool {
        prepareIfMain()
        let service = ObjectIdentifier(type)
        guard let old = table.remove(ServiceKey(type, name), where: { $0.service == service }) else { return false }
        AnyResolverRegistration.retire([old], includingShared: true).run()
        return true
    }

    private func release(_ key: ServiceKey, as service: ObjectIdentifier) -> InstanceRelease {
        var meant: [AnyResolverRegistration] = []
        var next = find(key, as: service)?.object
        // An alias keeps nothing itself.
        while let registration = next, !meant.contains(where: { $0 === registration }) {
            meant.append(registration)
            next = (registration.scope as? AliasScope).flatMap { find($0.source, as: $0.service)?.object }
        }
        return release(includingShared: true) { registration in meant.contains { $0 === registration } }
    }

    private func release(_ scope: any ResolverScopeType) -> InstanceRelease {
        // `.container` keeps in the cache, so the cache stands for it.
        let isCache = owner.cache === scope
        return release(includingShared: true) { [owner] registration in
            let kept = registration.scope
            return kept === scope || isCache && registration.owner === owner && kept is ResolverScopeContainer
        }
    }

    /// Lets go of the instances of this resolver's registrations whose time to live is over, the youngest first.
    ///
    /// Otherwise they stay until they are asked for again, or until a reset.
    public func purgeExpired() {
        var timed: [(order: UInt64, cell: InstanceCell, timer: ExpiryTimer)] = []
        var all: [InstanceCell] = []
        func add(_ cells: [InstanceCell], of registration: AnyResolverRegistration) {
            guard let time = registration.plan.timeToLive else { return }
            let timer = ExpiryTimer(time, keeper: owner)
            all += cells
            timed += cells.flatMap(\.withBranches).map { ($0.order, $0, timer) }
        }
        for registration in table.all where registration.plan.timeToLive != nil {
            var cells: [InstanceCell] = []
            registration.addCells(includingShared: true, to: &cells)
            add(cells, of: registration)
        }
        for kept in foreignCells { if let registration = kept.registration { add([kept.cell], of: registration) } }
        timed.sortDescending { $0.order }
        for (_, cell, timer) in timed { cell.emptyIfOver(timer) }
        for cell in all where !cell.isIsolated { cell.store?.forget(cell) }
    }

    /// What is kept for those of this resolver's registrations that are meant.
    func release(
        includingShared: Bool, where isMeant: ((AnyResolverRegistration) -> Bool)? = nil
    ) -> InstanceRelease {
        // Without a cell there is nothing but what belongs to the definition.
        let all = includingShared ? table.all : table.all { $0.mayBeKept }
        var release = InstanceRelease(registrations: isMeant.map { all.filter($0) } ?? all)
        for registration in release.registrations {
            registration.addCells(includingShared: includingShared, to: &release.cells)
        }
        // Of others, it keeps what is made through it to itself.
        for kept in foreignCells where kept.registration.map({ isMeant?($0) ?? true }) ?? false {
            release.cells.append(kept.cell)
        }
        return release
    }

    /// The cells of its own registrations.
    var ownCells: [InstanceCell] { table.ownCells }

    /// The cells in which resolvers of a test keep something.
    static func cells(in test: World.Test) -> [InstanceCell] {
        LiveResolvers.shared.made(in: test).flatMap { table, owner in
            table.all.flatMap { $0.cellsAtHome(includingShared: true) } + (owner.cells?.foreign.map(\.cell) ?? [])
        }
    }

    private var foreignCells: [CellDirectory.Kept] { owner.cells?.foreign ?? [] }
}

extension RegistrationTable {
    fileprivate var ownCells: [InstanceCell] { all.flatMap { $0.cellsAtHome(includingShared: false) } }
}
