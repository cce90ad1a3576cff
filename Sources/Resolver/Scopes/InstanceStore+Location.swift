extension InstanceStore {
    /// The location of one call's instance. It is passed on and never copied, because each copy would retain all that it refers to.
    struct CachedLocation: ~Copyable, Sendable {
        /// The cell of the registration. The instances of a registration that keeps one for each argument are in its branches.
        let rootCell: InstanceCell
        /// The slot that serves hits; nil if none does.
        let slot: FastSlot?
        /// Whether a reset of the scope finds the instance in the store. In a test, a reset finds it in the test's resolvers.
        let isReachedByResets: Bool
        /// The plan of the registration, which keeps it alive.
        private let plan: Unretained<RegistrationPlan>
        let isAsync: Bool
        let timer: ExpiryTimer?
        /// The identity of the instance in a resolution cycle.
        private let identity: UInt64
        let key: ArgumentKey?

        init(
            _ registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments,
            ownedBy owner: Unretained<RegistrationOwner>?, in store: InstanceStore
        ) throws {
            // Hashing the arguments runs code of the user, which may change the registration.
            key = registration.isUnconditional ? nil : try registration.argumentKey(args)
            plan = registration.planOfTheMoment
            (isAsync, timer) = plan.use { plan in
                let time = plan.isUnconditional ? nil : plan.timeToLive
                return (plan.isAsync, time.map { ExpiryTimer($0, of: owner?.object ?? registration.owner) })
            }
            identity = registration.identity(through: resolver, ownedBy: owner)
            let location = registration.cellLocation(in: store, ownedBy: owner)
            (rootCell, slot) = (location.cell, location.slot)
            isReachedByResets = !rootCell.isIsolated && registration.owner.test == 0
        }

        var releaseHooks: ReleaseHooks { plan.use { $0.releaseHooks } }

        func identity(in cell: InstanceCell) -> UInt64 { isBranch ? cell.number : identity }

        var isBranch: Bool { key != nil }
        /// Whether nothing is kept here any more.
        var isClosed: Bool { rootCell.isRetired }
        /// The cell of the instance. Read again after a branch was retired, because that branch has been removed by then.
        var cell: InstanceCell { key.map(rootCell.branch) ?? rootCell }

        /// Removes a retired branch.
        func remove(_ branch: InstanceCell) { if let key { rootCell.remove(branch, for: key) } }
    }

    /// A location for a task, which may use it after the call has returned. It holds the registration, which keeps the plan alive.
    final class HeldLocation: Sendable {
        let location: CachedLocation
        let registration: AnyResolverRegistration

        init(_ location: consuming CachedLocation, of registration: AnyResolverRegistration) {
            self.location = location
            self.registration = registration
        }
    }
}

/// The identity of a singleton: a `register` call in the source.
struct SingletonKey: Hashable {
    let key: ServiceKey
    /// The type of the factory's service. A type known at run time may be registered by several factories.
    let service: ObjectIdentifier
    let location: SourceLocation
    /// The number of the test in which the resolver was created. A test does not share its singletons.
    let test: UInt64

    init(_ registration: AnyResolverRegistration) {
        key = registration.serviceKey
        service = registration.service
        location = registration.location
        test = registration.owner.test
    }
}
