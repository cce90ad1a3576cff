extension InstanceStore {
    /// The place of one call's instance. It is passed on and never copied, because each copy would retain all that it refers to.
    struct Place: ~Copyable, Sendable {
        let seat: CellDirectory.Seat
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
            keeper: Unretained<RegistrationOwner>?, in store: InstanceStore
        ) throws {
            let keeper = keeper ?? resolver.keeper(of: registration.owner)
            // Hashing the arguments runs code of the user, which may change the registration.
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
        /// The cell of the instance. Read again after a branch was retired, because that branch has been removed by then.
        var cell: InstanceCell { key.map(seat.cell.branch) ?? seat.cell }

        /// Removes a retired branch.
        func remove(_ branch: InstanceCell) { if let key { seat.cell.remove(branch, for: key) } }
    }

    /// A place for a task, which may use it after the call has returned. It holds the registration, which keeps the plan alive.
    final class HeldPlace: Sendable {
        let place: Place
        let registration: AnyResolverRegistration

        init(_ place: consuming Place, of registration: AnyResolverRegistration) {
            self.place = place
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
