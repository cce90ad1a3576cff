import Foundation

/// A minimal container for comparisons, whose results on one thread are right by definition.
///
/// It is slow on purpose: one lock is held while user code runs, and every search visits everything.
public final class ReferenceSystem: SystemUnderTest, @unchecked Sendable {
    public let features: Set<Feature> = [
        .children, .isolation, .contexts, .arguments, .timeToLive, .hooks, .aliases, .properties, .resetsEverywhere,
    ]
    let lock = NSRecursiveLock()
    private var seconds = 0.0
    private(set) var decorator: (@Sendable (Any) -> Void)?
    /// The last number of a creation or context, counted in order.
    private var last = 0
    /// All owners of instances.
    private var owners: [WeakOwner] = []
    /// The instances of `.application`, by the source location of their `register` call.
    private var singletons: [ReferenceRegistration.Definition: ReferenceCell] = [:]

    typealias Step = (registration: ReferenceRegistration, hasArgument: Bool)
    /// The dependency path, the outermost step first.
    var path: [Step] = []
    /// The index at which the path of the innermost asynchronous creation begins. It has its own cycle.
    var flight = 0
    /// The index at which the path of the innermost synchronous call begins. Its unfinished instances leave with it.
    var call = 0
    /// Whether an asynchronous factory has run for the outermost call. The cycle is then that of its task.
    var isInTask = false
    /// The instances that asynchronous factories without arguments are creating, also where a reset has forgotten the creation.
    var creating: [ReferenceIdentity] = []
    /// The results of asynchronous factories for the innermost call.
    var awaited: [Any] = []
    /// An object of the cycle, the path's length when it leaves, which is nil if it leaves with its task, and how many factories of its
    /// service were running around the call that made it.
    ///
    /// Creations share it that hide the contexts below one of `ranks`.
    typealias Joined = (
        identity: ReferenceIdentity, instance: Any, end: Int?, level: Int, ranks: ClosedRange<Int>, unfinished: Int
    )
    /// The objects of the cycle, in the order in which they joined.
    var cycle: [Joined] = []
    /// The hidden contexts: those of a lower rank that began before the creation in progress.
    var hidden: [(rank: Int, since: Int)] = []
    /// The ranks of the creations that may share the object of the running factory: contexts that it uses must not be hidden there, and
    /// contexts that are hidden from it must be.
    var ranks = ReferenceSystem.allRanks
    static let allRanks = Int.min...Int.max
    /// The first unfinished object that the object of the running factory depends on: its ranks are not known yet. `Int.max` for none.
    var unfinished = Int.max

    /// Whether the innermost call may wait.
    var isAsyncCall = false

    /// The contexts that are current for the process.
    var slots: [ContextKind: ReferenceContext] = [:]
    /// The contexts that are current for the running code. The innermost closure is the last.
    var frames = [ReferenceFrame(bound: [])]
    /// The contexts of the code that awaits the running task, which the task must not see.
    var hiddenFromTask: [ReferenceContext] = []

    /// Whether a context has ended while an instance was made for it asynchronously. Its waiters then continue during the
    /// cancellation, in an undefined order.
    var hasCancelled = false

    public init() {}

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    var now: Double { seconds }

    func next() -> Int {
        last += 1
        return last
    }

    public func setTime(_ seconds: Double) { locked { self.seconds = seconds } }

    public func decorate(_ observer: (@Sendable (Any) -> Void)?) { locked { decorator = observer } }

    // MARK: Containers

    public func makeContainer() -> any ContainerUnderTest { ReferenceContainer(self, [], isIsolating: false) }

    public func makeContainer(before parent: any ContainerUnderTest) -> any ContainerUnderTest {
        ReferenceContainer(self, [parent], isIsolating: false)
    }

    public func makeContainer(isolating parent: any ContainerUnderTest) -> any ContainerUnderTest {
        ReferenceContainer(self, [parent], isIsolating: true)
    }

    // MARK: Kept instances

    func add(_ owner: ReferenceOwner) { owners.append(WeakOwner(owner: owner)) }

    private struct WeakOwner {
        weak var owner: ReferenceOwner?
    }

    /// All owners that keep an instance.
    var allOwners: [ReferenceOwner] {
        owners.removeAll { $0.owner == nil }
        return owners.compactMap(\.owner)
    }

    func singleton(_ definition: ReferenceRegistration.Definition) -> ReferenceCell {
        if let known = singletons[definition] { return known }
        let new = ReferenceCell()
        singletons[definition] = new
        return new
    }

    public func reset(_ lifetime: Lifetime) {
        locked {
            let owned = allOwners.filter { !$0.keepsAll }.flatMap { $0.cells(of: lifetime) }
            switch lifetime {
            case .application: ReferenceCell.empty(Array(singletons.values))
            case .cached, .shared, .custom: ReferenceCell.empty(owned)
            case .unique, .graph, .container, .context: break
            }
        }
    }

    public func resetAndWait(_ lifetime: Lifetime) async { reset(lifetime) }
}

/// The identity of an instance within a cycle.
enum ReferenceIdentity: Hashable {
    /// The instance of a registration for an owner.
    case registration(ObjectIdentifier, owner: ObjectIdentifier?)
    /// The instance of one argument.
    case cell(ObjectIdentifier)
}
