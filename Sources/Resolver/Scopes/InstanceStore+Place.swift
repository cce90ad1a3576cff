extension InstanceStore {
    /// Where the instance for one call is kept.
    struct Place: Sendable {
        let seat: CellDirectory.Seat
        /// Whether a reset of the scope lets go of what is kept here. In a test it goes the way of its resolvers.
        let isReachedByResets: Bool
        let plan: RegistrationPlan
        let timer: ExpiryTimer?
        /// That of the registration in a cycle.
        private let identity: UInt64
        let key: ArgumentKey?

        init(
            _ registration: AnyResolverRegistration, _ resolver: Resolver, _ args: Any?, keeper: RegistrationOwner?,
            in store: InstanceStore
        ) throws {
            let keeper = keeper ?? resolver.keeper(of: registration.owner)
            // Hashing the arguments is code of the user, which may change the registration.
            key = registration.isUnconditional ? nil : try registration.argumentKey(args)
            plan = registration.plan
            timer =
                plan.isUnconditional
                ? nil : plan.settings.timeToLive.map { ExpiryTimer($0, keeper: keeper ?? registration.owner) }
            identity = registration.identity(through: resolver, keeper: keeper)
            seat = registration.seat(in: store, keeper: keeper)
            isReachedByResets = !seat.cell.isIsolated && registration.owner.test == 0
        }

        func identity(in cell: InstanceCell) -> UInt64 { isBranch ? cell.number : identity }

        var isBranch: Bool { key != nil }
        /// Whether nothing is kept here any more.
        var isClosed: Bool { seat.cell.isRetired }
        /// Asked for again after a reset, which takes branches off.
        var cell: InstanceCell { key.map(seat.cell.branch) ?? seat.cell }
    }
}
