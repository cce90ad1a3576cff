import Foundation

/// A container in the fewest words: what is right when there is one thread, for others to be compared with.
///
/// It is slow on purpose. There is one lock, and it is held while code of the user runs; every search goes through everything.
public final class ReferenceSystem: SystemUnderTest, @unchecked Sendable {
    public let features: Set<Feature> = [
        .children, .isolation, .contexts, .arguments, .timeToLive, .hooks, .aliases, .properties, .resetsEverywhere,
    ]
    let lock = NSRecursiveLock()
    private var seconds = 0.0
    private(set) var decorator: (@Sendable (Any) -> Void)?
    /// Numbers what is made and begun, in its order.
    private var last = 0
    /// All owners of instances that there are.
    private var owners: [WeakOwner] = []
    /// What `.application` keeps, for each `register` call in the source.
    private var singletons: [ReferenceRegistration.Definition: ReferenceCell] = [:]

    typealias Step = (registration: ReferenceRegistration, hasArgument: Bool)
    /// What is being made, the outermost first.
    var path: [Step] = []
    /// Where the path of the innermost flight begins: it has a cycle of its own.
    var flight = 0
    /// Where the path of the innermost synchronous call begins: what is made unfinished in it goes with it.
    var call = 0
    /// Whether an asynchronous factory has run for the outermost call: then the cycle is that of its task.
    var isInTask = false
    /// What asynchronous factories have made for the innermost call.
    var awaited: [Any] = []
    /// An object of the cycle, and how long the path is when it leaves; nil if it leaves with its task.
    typealias Joined = (identity: ReferenceIdentity, instance: Any, end: Int?)
    /// The objects of the cycle, in the order in which they joined it.
    var cycle: [Joined] = []
    /// Contexts of a lower rank that began before are not seen by what is being made.
    var hidden: [(rank: Int, since: Int)] = []

    /// Whether the innermost call may wait.
    var isAsyncCall = false

    /// The contexts that are current for the process.
    var slots: [ContextKind: ReferenceContext] = [:]
    /// Those that are current for the running code; the innermost closure is the last.
    var frames = [ReferenceFrame(bound: [])]

    /// Whether a context has ended while something was made for it asynchronously. Then those who wait for it go on while it is
    /// being cancelled, and there is no order of what they do.
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

    // MARK: What is kept

    func add(_ owner: ReferenceOwner) { owners.append(WeakOwner(owner: owner)) }

    private struct WeakOwner {
        weak var owner: ReferenceOwner?
    }

    /// All that keep something.
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

/// Sets an instance apart from others in a cycle.
enum ReferenceIdentity: Hashable {
    /// That of a registration, as an owner has it.
    case registration(ObjectIdentifier, owner: ObjectIdentifier?)
    /// That of one argument.
    case cell(ObjectIdentifier)
}
