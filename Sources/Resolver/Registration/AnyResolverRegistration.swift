/// What all registrations have in common, whatever the type of their service: the key, the place in the source, and
/// where their instance is kept.
///
/// `@unchecked Sendable`: all properties are constants; the words they point to are atomic.
public class AnyResolverRegistration: @unchecked Sendable {
    final let serviceKey: ServiceKey
    /// The type the factory was written for. It differs from `serviceKey.type` when a runtime type was passed to `register`,
    /// and then a call that asks by `serviceKey` must not be given an instance.
    final let service: ObjectIdentifier
    /// `service` as a word, if the registration is by that type, without a name and no alias; else zero.
    final let unnamedService: UInt
    /// Whether an instance is an object of class `Service` itself; otherwise it is kept in an `InstanceBox`.
    final let isDirect: Bool
    /// Whether it stands for another registration and shares that one's cell.
    final let isAlias: Bool
    /// The slot that serves hits of this registration without a lock, while the keeper allows it.
    final let slot: FastSlot
    /// The cell it is served from; none before anything was to be kept. Set once.
    final let cell: PublishedReference<InstanceCell>
    /// The plan of the moment. A plan keeps its predecessors.
    final let publishedPlan: PublishedReference<RegistrationPlan>
    /// What has become of it: see `isReplaced` and `hasCells`.
    final let historyWord: AtomicWord

    /// What these four point to, reached through them alone. In the middle of the object: what threads write here again and again must not
    /// slow down others that read the end of one object or the beginning of another.
    @exclusivity(unchecked) private final var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The bytes that an instance takes, and how it is aligned.
    final let (size, alignment): (Int, Int)
    final let serviceType: Any.Type
    final let location: SourceLocation
    /// The resolver it was made for, as far as it outlives that resolver.
    final let owner: RegistrationOwner
    /// Never reused, unlike an address.
    final let number = ProcessIdentity.next()

    init<Service>(
        _ service: Service.Type, isAlias: Bool, key: ServiceKey, location: SourceLocation, owner: RegistrationOwner,
        plan: RegistrationPlan
    ) {
        self.serviceKey = key
        self.service = ObjectIdentifier(service)
        let isUnnamed = key.type == ObjectIdentifier(service) && key.name == nil && !isAlias
        self.unnamedService = isUnnamed ? UInt(bitPattern: ObjectIdentifier(service)) : 0
        self.isDirect = service is AnyClass
        self.size = MemoryLayout<Service>.size
        self.alignment = MemoryLayout<Service>.alignment
        self.serviceType = service
        self.location = location
        self.owner = owner
        self.isAlias = isAlias
        let first = AtomicWord(at: &words.0)
        self.slot = FastSlot(word: first)
        self.cell = PublishedReference(at: first.next(1))
        self.publishedPlan = PublishedReference(at: first.next(2))
        self.historyWord = first.next(3)
        publishedPlan.fill(plan)
    }

    /// Makes a registration of the subclass that is asked, which knows the type of the service.
    required init(
        key: ServiceKey, isAlias: Bool, location: SourceLocation, owner: RegistrationOwner, plan: RegistrationPlan
    ) { fatalError() }

    deinit {
        // One after the other, as a long row of predecessors would not fit on the stack.
        var plan = publishedPlan.exchange(nil)
        while let last = plan {
            plan = last.previous
            last.previous = nil
        }
        // Most have nothing left when their resolver has ended.
        if hasCells, !hasEnded || ownCell?.isIdle == false {
            releaseInstances(includingShared: false)
            forgetCells()
        }
        cell.exchange(nil)
    }

    /// Whether it is the same, or stands in the place of the other.
    final func isSuccessor(of other: AnyResolverRegistration) -> Bool {
        self === other || serviceKey == other.serviceKey && service == other.service && owner === other.owner
    }

    final func isFound(by key: ServiceKey, as service: ObjectIdentifier) -> Bool {
        serviceKey == key && self.service == service
    }

    /// What sets an instance of this registration apart within a resolution cycle: from all others, and, made through an
    /// isolating resolver, from those that are made through others.
    @inline(__always)
    final func identity(through resolver: Resolver) -> UInt64 {
        number &+ resolver.isolation
    }

    /// The identity of an instance where the isolating resolver may come after the one that was asked.
    final func identity(through resolver: Resolver, keeper: Unretained<RegistrationOwner>?) -> UInt64 {
        number &+ (keeper?.use { $0.isolation } ?? resolver.isolation)
    }

    // MARK: What takes the type of the service. Every registration is a `ResolverRegistration` of one.

    /// A box for a copy of what is in the memory.
    func box(_ memory: ServiceMemory) -> AnyObject { fatalError() }

    /// Calls `body` with memory for an instance. See `withMemory`.
    func withMemoryOfType<Result>(_ body: (ServiceMemory) throws -> Result) rethrows -> Result { fatalError() }

    /// What is in the memory, as the object that it is.
    func object(_ memory: ServiceMemory) -> AnyObject { fatalError() }

    /// A copy of what is in the memory.
    func value(_ memory: ServiceMemory) -> Any { fatalError() }

    /// Puts what `object` keeps into the memory, and returns true.
    func unbox(_ object: AnyObject, into memory: ServiceMemory) -> Bool { fatalError() }

    /// Empties the memory.
    func empty(_ memory: ServiceMemory) { fatalError() }

    /// What the scope keeps, asking it.
    func existing(_ resolver: Resolver) -> Any? { fatalError() }

    /// Asks a scope of the user.
    func ask(
        _ scope: any ResolverScopeType, _ resolver: Resolver, _ args: Any?, into memory: ServiceMemory
    ) throws -> Bool { fatalError() }

    // MARK: What has become of it

    final var isReplaced: Bool { historyWord.load() & Self.unlinked != 0 }

    /// Whether it is in its resolver and its instances are still kept by the scope that was asked for them, if that is known.
    ///
    /// Asked under the lock of the cell, in one order with a thread that unlinks it or changes its scope and then empties the
    /// cells: either that thread finds what is in this cell, or it is not current here.
    final func isCurrent(in asked: ObjectIdentifier?) -> Bool {
        // Added to, and not only loaded: where the cell has just been made, the other thread may not see it, and takes no lock. Of two
        // changes of one word the later sees what the earlier one's thread has done.
        if historyWord.add(0) & Self.unlinked != 0 { return false }
        return asked.map { withPlan { ObjectIdentifier($0.scope) } == $0 } ?? true
    }

    /// Whether anything was ever to be kept for it, here or in an isolating resolver.
    final var hasCells: Bool { !cell.isEmpty || isKeptElsewhere }

    final var isKeptElsewhere: Bool { historyWord.load() >= Self.keptElsewhere }

    final var hasEnded: Bool { historyWord.load() & Self.ended != 0 }

    static var unlinked: UInt64 { 1 }
    static var ended: UInt64 { 2 }
    /// Added for each cell that an isolating resolver has made.
    static var keptElsewhere: UInt64 { 4 }
}
