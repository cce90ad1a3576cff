extension InstanceStore {
    /// Where the instance for one call is kept. Handed on and never copied: each copy would retain all that it refers to.
    struct Place: ~Copyable, Sendable {
        let seat: CellDirectory.Seat
        /// Whether a reset of the scope lets go of what is kept here. In a test it goes the way of its resolvers.
        let isReachedByResets: Bool
        /// The registration keeps it alive.
        private let plan: Unretained<RegistrationPlan>
        let isAsync: Bool
        let timer: ExpiryTimer?
        /// The identity of the instance in a resolution cycle.
        private let identity: UInt64
        let key: ArgumentKey?

        init(
            _ registration: AnyResolverRegistration, _ resolver: Resolver, _ args: PassedArguments,
            keeper: Unretained<RegistrationOwner>?, in store: InstanceStore
        ) throws {
            let keeper = keeper ?? resolver.keeper(of: registration.owner)
            // Hashing the arguments is code of the user, which may change the registration.
            key = registration.isUnconditional ? nil : try registration.argumentKey(args)
            plan = registration.planOfTheMoment
            (isAsync, timer) = plan.use { plan in
                let time = plan.isUnconditional ? nil : plan.timeToLive
                return (plan.isAsync, time.map { ExpiryTimer($0, keeper: keeper?.object ?? registration.owner) })
            }
            identity = registration.identity(through: resolver, keeper: keeper)
            seat = registration.seat(in: store, keeper: keeper)
            isReachedByResets = !seat.cell.isIsolated && registration.owner.test == 0
        }

        var releaseHooks: ReleaseHooks { plan.use { $0.releaseHooks } }

        func identity(in cell: InstanceCell) -> UInt64 { isBranch ? cell.number : identity }

        var isBranch: Bool { key != nil }
        /// Whether nothing is kept here any more.
        var isClosed: Bool { seat.cell.isRetired }
        /// Asked for again when a branch is retired: it is taken off by then.
        var cell: InstanceCell { key.map(seat.cell.branch) ?? seat.cell }

        /// Takes a retired branch off.
        func remove(_ branch: InstanceCell) { if let key { seat.cell.remove(branch, for: key) } }
    }

    /// A place for a task, which may go on with it after the call; with the registration, which keeps its plan alive.
    final class HeldPlace: Sendable {
        let place: Place
        let registration: AnyResolverRegistration

        init(_ place: consuming Place, of registration: AnyResolverRegistration) {
            self.place = place
            self.registration = registration
        }
    }
}

/// A `register` call as it stands in the source: what a singleton belongs to.
struct SingletonKey: Hashable {
    let key: ServiceKey
    /// A runtime type may be registered by several factories.
    let service: ObjectIdentifier
    let location: SourceLocation
    /// The test in which its resolver was made: a singleton does not leave it.
    let test: UInt64

    init(_ registration: AnyResolverRegistration) {
        key = registration.serviceKey
        service = registration.service
        location = registration.location
        test = registration.owner.test
    }
}
