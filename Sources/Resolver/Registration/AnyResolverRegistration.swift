/// A registration of a service of any type: its key, its source location, its plan and its cell.
///
/// `@unchecked Sendable`: all properties are constants, and the words they point to are atomic.
public class AnyResolverRegistration: @unchecked Sendable {
    final let serviceKey: ServiceKey
    /// The factory, unless the plan has another one.
    final let factory: ServiceFactory
    /// The type of the service as a word, if the registration is by its own type and is not an alias; otherwise zero.
    final let ownService: UInt
    /// Whether an instance is an object of class `Service` itself. Other instances are kept in an `InstanceBox`.
    final let isDirect: Bool
    /// Whether the registration is an alias, which shares the cell of the registration that it stands for.
    final let isAlias: Bool
    /// The slot that serves hits without a lock, while the scope allows it.
    final let slot: FastSlot
    /// The cell that keeps the instance. Set once, when an instance is first to be kept.
    final let cell: PublishedReference<InstanceCell>
    /// The current plan. A plan keeps its predecessors.
    final let publishedPlan: PublishedReference<RegistrationPlan>
    /// Flags of the registration's history: see `isReplaced` and `mayHaveInstances`.
    final let historyWord: AtomicWord

    /// The storage of the four words above, reached only through them.
    ///
    /// It lies in the middle of the object: frequent writes here must not slow down threads that read a neighboring object.
    @exclusivity(unchecked) private final var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The size and alignment of an instance, in bytes.
    final let (size, alignment): (Int, Int)
    final let location: SourceLocation
    /// The part of the registration's resolver that outlives the resolver.
    final let owner: RegistrationOwner
    /// A number that is never reused, unlike an address.
    final let number = ProcessIdentity.next()

    init<Service>(
        _ service: Service.Type, type: ObjectIdentifier, name: Resolver.Name?, location: SourceLocation,
        owner: RegistrationOwner, factory: ServiceFactory, plan: RegistrationPlan
    ) {
        let key = ServiceKey(type: type, service: ObjectIdentifier(service), name: name)
        isAlias = if case .alias = plan.lifetime { true } else { false }
        self.serviceKey = key
        self.factory = factory
        self.ownService = key.isOfOwnType && !isAlias ? UInt(bitPattern: type) : 0
        self.isDirect = TypeMetadata.isClass(service)
        self.size = MemoryLayout<Service>.size
        self.alignment = MemoryLayout<Service>.alignment
        self.location = location
        self.owner = owner
        let first = AtomicWord(at: &words.0)
        self.slot = FastSlot(word: first)
        self.cell = PublishedReference(at: first.next(1))
        self.publishedPlan = PublishedReference(at: first.next(2))
        self.historyWord = first.next(3)
        publishedPlan.fill(plan)
    }

    /// Creates a registration of the subclass, which knows the type of the service.
    required init(
        type: ObjectIdentifier, name: Resolver.Name?, location: SourceLocation, owner: RegistrationOwner,
        factory: ServiceFactory, plan: RegistrationPlan
    ) { fatalError() }

    deinit {
        // One after the other: the recursive release of a long chain of plans would overflow the stack.
        var plan = publishedPlan.exchange(nil)
        while let last = plan, let previous = last.previous {
            last.previous = nil
            plan = previous
        }
        // Most registrations keep nothing when their resolver has ended.
        if mayHaveInstances, !hasEnded || ownCell?.isIdle == false {
            releaseInstances(includingShared: false)
            forgetCells()
        }
        cell.exchange(nil)
    }

    /// The type of the service in the source.
    final var serviceType: Any.Type { TypeMetadata.type(of: serviceKey.service) }

    /// Whether this registration is `other` or has replaced `other`.
    final func isSuccessor(of other: AnyResolverRegistration) -> Bool {
        self === other || serviceKey == other.serviceKey && owner === other.owner
    }

    /// Returns the identity of an instance within a resolution cycle. It differs between registrations, and between isolating resolvers.
    ///
    /// - Parameter owner: the isolating resolver below `resolver` that keeps the instance, if any.
    @inline(__always)
    final func identity(through resolver: Resolver, ownedBy owner: Unretained<RegistrationOwner>? = nil) -> UInt64 {
        number &+ (owner?.use { $0.isolation } ?? resolver.isolation)
    }

    // MARK: Overridden by `ResolverRegistration`, which knows the type of the service

    /// Returns a box with a copy of the service in the memory.
    func box(_ memory: ServiceMemory) -> AnyObject { fatalError() }

    /// Calls `body` with memory for an instance. See `withMemory`.
    func withMemoryOfType<Result>(_ body: (ServiceMemory) throws -> Result) rethrows -> Result { fatalError() }

    final func object(_ memory: ServiceMemory) -> AnyObject { value(memory) as AnyObject }

    /// Returns a copy of the service in the memory.
    func value(_ memory: ServiceMemory) -> Any { fatalError() }

    /// Puts the service that `object` keeps into the memory, and returns true.
    func unbox(_ object: AnyObject, into memory: ServiceMemory) -> Bool { fatalError() }

    /// Empties the memory.
    func empty(_ memory: ServiceMemory) { fatalError() }

    /// Returns the instance that the scope keeps. Asks the scope.
    func existing(_ resolver: Resolver) -> Any? { fatalError() }

    /// Asks a custom scope for the service.
    func ask(
        _ scope: any ResolverScopeType, _ resolver: Resolver, _ args: Any?, into memory: ServiceMemory
    ) throws -> Bool { fatalError() }

    // MARK: History

    final var isReplaced: Bool { historyWord.load() & Self.unlinked != 0 }

    /// Whether the registration is in its resolver, and its scope is still `asked`, if `asked` is not nil.
    ///
    /// Called under the cell's lock. Another thread unlinks the registration, or changes its scope, before it empties the
    /// cells. Either that thread finds the instance in this cell, or this returns false.
    ///
    /// - Parameter change: a number that is added to the history.
    final func isCurrent(in asked: ObjectIdentifier?, noting change: UInt64 = 0) -> Bool {
        // A load would not suffice: the other thread may not see a new cell, and then takes no lock. Of two read-modify-writes of one
        // word, the thread of the later one sees everything that the other thread wrote before the earlier one.
        if historyWord.add(change) & Self.unlinked != 0 { return false }
        return asked.map { withPlan { ObjectIdentifier($0.scope) } == $0 } ?? true
    }

    /// Whether an instance was ever to be kept for the registration, here or in an isolating resolver or a scope.
    final var mayHaveInstances: Bool { !cell.isEmpty || isKeptElsewhere }

    final var isKeptElsewhere: Bool { historyWord.load() >= Self.keptElsewhere }

    final var hasEnded: Bool { historyWord.load() & Self.ended != 0 }

    /// Whether the registration was replaced or removed, or its resolver has ended.
    final var isGone: Bool { historyWord.load() & (Self.unlinked | Self.ended) != 0 }

    static var unlinked: UInt64 { 1 }
    static var ended: UInt64 { 2 }
    static var keptByLaterScope: UInt64 { 4 }
    /// Added for each entry that an isolating resolver or a scope begins.
    static var keptElsewhere: UInt64 { 8 }
}

/// Instances to release, and the registrations whose scopes are notified afterwards.
struct InstanceRelease: Sendable {
    var cells: [InstanceCell] = []
    var registrations: [AnyResolverRegistration] = []

    /// Releases the instances, the youngest first. Asynchronous hooks run in separate tasks.
    func run() {
        InstanceCell.empty(cells)
        finish()
    }

    /// Releases the instances, the youngest first, and awaits the hooks of each before it releases the next.
    nonisolated(nonsending) func runAndWait() async {
        await InstanceCell.emptyAndWait(cells)
        finish()
    }

    private func finish() {
        for registration in registrations {
            registration.forgetCellsIfGone()
            registration.reportScope(registration.plan)
        }
    }
}
