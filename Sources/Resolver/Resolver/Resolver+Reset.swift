extension Resolver {
    /// The parts of a resolver that `reset(_:)` clears.
    public struct ResetOptions: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The instances that scopes keep for this resolver, except singletons. The registrations stay.
        public static let scopes = ResetOptions(rawValue: 1)
        /// The registrations, and the instances kept for them, except singletons.
        public static let registrations = ResetOptions(rawValue: 2)
        /// The instances and the registrations.
        public static let all: ResetOptions = [.scopes, .registrations]
    }

    /// Releases the instances kept for this resolver's registrations, removes the registrations, or does both.
    ///
    /// The instances are released before the call returns, the youngest first; other references to them stay valid. Other
    /// resolvers, including children, keep their own instances. Instances that isolating resolvers keep for a removed
    /// registration are released. Singletons belong to no resolver: reset `ResolverScope.application`, or pass that scope to
    /// `reset(scope:)`. An isolating resolver releases all that it keeps, including singletons.
    ///
    /// Asynchronous release hooks run in separate tasks; `resetAndWait(_:)` awaits them.
    public func reset(_ options: ResetOptions) { release(options).run() }

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

    /// Releases the instances that one scope keeps for this resolver's registrations.
    ///
    /// Instances that the scope keeps for other resolvers stay; `reset()` of the scope releases all. If `scope` is the scope of
    /// a singleton, the singleton is released, also for other resolvers that ran the same `register` call. An isolating resolver releases
    /// what it keeps for the registrations of other resolvers too.
    public func reset(scope: ResolverScope) { release(scope).run() }

    /// Releases the instances that one scope keeps for this resolver's registrations. The scope need not derive from `ResolverScope`.
    public func reset(scope: any ResolverScopeType) { release(scope).run() }

    /// Resets as `reset(scope:)` does, and returns when the release hooks have run, one after the other.
    nonisolated(nonsending) public func resetAndWait(scope: ResolverScope) async { await release(scope).runAndWait() }

    /// Resets as `reset(scope:)` does, and returns when the release hooks have run, one after the other.
    nonisolated(nonsending) public func resetAndWait(scope: any ResolverScopeType) async {
        await release(scope).runAndWait()
    }

    /// Releases the instances kept for one service that is registered here, in any scope, including a singleton.
    ///
    /// An isolating resolver releases the instances that it keeps for the service, wherever the service is registered.
    public func reset<Service>(_ type: Service.Type, name: Name? = nil) { release(ServiceKey(type, name)).run() }

    /// Resets as `reset(_:name:)` does, and returns when the release hooks have run, one after the other.
    nonisolated(nonsending) public func resetAndWait<Service>(_ type: Service.Type, name: Name? = nil) async {
        await release(ServiceKey(type, name)).runAndWait()
    }

    /// Removes the registration of a service from this resolver, and releases its instances, including a singleton.
    ///
    /// From then on, calls find a registration of a child, if there is one. Aliases that `.implements` added stay, and find no service.
    ///
    /// - Returns: whether a registration was removed.
    @discardableResult
    public func unregister<Service>(_ type: Service.Type, name: Name? = nil) -> Bool {
        prepareIfMain()
        guard let old = table.remove(ServiceKey(type, name)) else { return false }
        AnyResolverRegistration.retire([old], includingShared: true).run()
        return true
    }

    private func release(_ key: ServiceKey) -> InstanceRelease {
        var meant: [AnyResolverRegistration] = []
        var next = find(key)?.object
        // An alias keeps nothing itself.
        while let registration = next, !meant.contains(where: { $0 === registration }) {
            meant.append(registration)
            next = (registration.scope as? AliasScope).flatMap { find($0.source)?.object }
        }
        let own = meant.filter { $0.owner === owner && !$0.isReplaced }
        return release(own, includingShared: true) { registration in meant.contains { $0 === registration } }
    }

    private func release(_ scope: any ResolverScopeType) -> InstanceRelease {
        // `.container` keeps instances in the cache of the registration's resolver, so a reset of that cache includes it.
        var release = release(includingShared: true) {
            let kept = $0.scope
            return kept === scope || kept is ResolverScopeContainer && $0.owner.cache === scope
        }
        // The instances of services that a user's scope has passed on to this scope. The user's scope is not notified.
        let passedOn = self.release(includingShared: true) {
            $0.keepingLifetime($0.plan).isCustom && $0.scope !== scope
        } cellWhere: {
            $0.isKept(by: scope, in: $1)
        }
        release.cells += passedOn.cells
        return release
    }

    /// Releases the instances of this resolver's registrations whose time to live is over, the youngest first.
    ///
    /// Without this call, expired instances stay until the next request or reset.
    public func purgeExpired() {
        var over: [(order: UInt64, cell: InstanceCell, timer: ExpiryTimer)] = []
        var all: [InstanceCell] = []
        // A scope measures the time of its instances by its own clock.
        @inline(never) func add(
            _ cells: [InstanceCell], of registration: AnyResolverRegistration, ownedBy instanceOwner: RegistrationOwner
        ) {
            guard let time = registration.plan.timeToLive else { return }
            let timer = ExpiryTimer(time, of: instanceOwner), moment = timer.moment
            all += cells
            over += cells.flatMap(\.withBranches).filter { $0.isOver(at: moment) }.map { ($0.order, $0, timer) }
        }
        for registration in table.all where registration.plan.timeToLive != nil {
            add(registration.cellsOfOwnResolver(includingShared: true), of: registration, ownedBy: owner)
            for scope in registration.keepingScopes {
                if let cells = scope.cells?.cells(of: registration) { add(cells, of: registration, ownedBy: scope) }
            }
        }
        for kept in foreignCells {
            if let registration = kept.registration { add([kept.cell], of: registration, ownedBy: owner) }
        }
        over.sortDescending { $0.order }
        for (_, cell, timer) in over { cell.emptyIfOver(timer) }
        for cell in all {
            cell.prune()
            cell.store?.forget(cell)
        }
    }

    /// Returns the release of the instances of registrations that `isMeant` accepts. `isMeant` is called under the table's lock.
    ///
    /// - Parameter isCellMeant: whether to release the instance in a cell of such a registration; nil for all.
    func release(
        includingShared: Bool, where isMeant: (AnyResolverRegistration) -> Bool = { _ in true },
        cellWhere isCellMeant: ((AnyResolverRegistration, InstanceCell) -> Bool)? = nil
    ) -> InstanceRelease {
        // A registration without a cell can only have the shared instance of its definition.
        let own = table.all { (includingShared || $0.mayBeKept) && isMeant($0) }
        return release(own, includingShared: includingShared, isMeant, isCellMeant)
    }

    /// Returns the release of the instances of `own`, registrations of this resolver, and of others that `isMeant` accepts.
    private func release(
        _ own: [AnyResolverRegistration], includingShared: Bool, _ isMeant: (AnyResolverRegistration) -> Bool,
        _ isCellMeant: ((AnyResolverRegistration, InstanceCell) -> Bool)? = nil
    ) -> InstanceRelease {
        var release = InstanceRelease(registrations: own)
        for registration in own {
            let count = release.cells.count
            registration.addCells(includingShared: includingShared, isEverywhere: false, to: &release.cells)
            if let isCellMeant {
                let meant = release.cells[count...].filter { isCellMeant(registration, $0) }
                release.cells.replaceSubrange(count..., with: meant)
            }
        }
        // The instances that an isolating resolver keeps for registrations of others.
        for kept in foreignCells {
            guard let registration = kept.registration, isMeant(registration) else { continue }
            if isCellMeant?(registration, kept.cell) ?? true { release.cells.append(kept.cell) }
        }
        return release
    }

    /// Unlinks all registrations. See `AnyResolverRegistration.unlink`. Creations of replaced ones may still run.
    func unlinkAll(_ cells: inout [InstanceCell], elsewhere: inout [InstanceCell]) {
        for registration in table.all { registration.unlink(&cells, elsewhere: &elsewhere) }
        for registration in table.replaced { registration.unlink(&cells, elsewhere: &elsewhere) }
    }

    /// Returns the cells in which resolvers of a test keep instances.
    static func cells(in test: World.Test) -> [InstanceCell] {
        LiveResolvers.shared.made(in: test).flatMap { table, owner in
            table.ownCells + (owner.cells?.foreign.map(\.cell) ?? [])
        } + test.sharedCells
    }

    private var foreignCells: [CellDirectory.Kept] { owner.cells?.foreign ?? [] }
}

extension RegistrationTable {
    /// The cells of a resolver's own registrations.
    var ownCells: [InstanceCell] { all.flatMap { $0.cellsOfOwnResolver(includingShared: false) } }
}
