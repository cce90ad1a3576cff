// Stand-ins for the rest of the library, with the minimum that the rooms need.

/// A value that threads of a scenario access between their steps: only one of them runs at a time.
final class Notes<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

/// The steps of one thread of a scenario.
func steps<World>(_ steps: (@Sendable (World) -> Void)...) -> @Sendable (World) -> Void {
    { world in for step in steps { step(world) } }
}

/// A thread or a task of a scenario in the wait graph.
struct ResolutionCycle: @unchecked Sendable {
    let node = WaitNode()
    /// The services that it creates, the outermost first.
    let making = Notes<[ResolutionStep]>([])
    /// The objects whose property blocks run, by their identities.
    let objects = Notes<[UInt64: AnyObject]>([:])

    static let current = ResolutionCycle()

    /// The creation task that the thread works for.
    var creation: WaitNode?

    var makingPath: DependencyPath { DependencyPath(thread: self) }

    var hasLittleStack: Bool { false }

    func withoutPass<Result>(_ body: () -> Result) -> Result { body() }
    func inUserCode(_ body: () -> Void) { body() }
    func releaseInTurn<Object: AnyObject>(_ objects: inout [Object]) {}
    func hasInstance(_ identity: UInt64) -> Bool { objects.value[identity] != nil }
    func object(_ identity: UInt64, of _: ResolutionStep) -> AnyObject? { objects.value[identity] }
}

struct ResolutionStep: Sendable {
    let hop: String

    static func registration(_ registration: AnyResolverRegistration) -> ResolutionStep {
        ResolutionStep(hop: "\(registration.number)")
    }
}

enum ResolutionError: Error {
    case dependencyCycle([ResolutionStep])
    case scopeEnded(ResolutionStep)
    case requiresAsync(String)

    func led(by hops: [String]) -> ResolutionError { self }
}

struct DependencyPath: Sendable {
    /// nil for the path of a task.
    var thread: ResolutionCycle?
    private let cycle: ResolutionCycle?

    init(thread: ResolutionCycle) { (self.thread, cycle) = (thread, thread) }
    init(_ task: TaskFrame?) { cycle = task?.cycle }

    var nodes: [WaitNode] { [cycle?.node, thread?.creation].compactMap { $0 } }
    var elements: [ResolutionStep] { cycle?.making.value ?? [] }

    func elements(from subject: ResolutionStep) -> [ResolutionStep] {
        elements.lastIndex { $0.hop == subject.hop }.map { Array(elements[$0...]) } ?? [subject]
    }
}

/// The resolution cycle shared by the tasks of one creation task.
struct TaskFrame: Sendable {
    @TaskLocal static var current: TaskFrame?
    let cycle: ResolutionCycle

    nonisolated(nonsending) static func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
        await Task { await body() }.value
    }

    static func outside(_ body: () -> Void) { $current.withValue(nil, operation: body) }
}

/// The creation task: in a scenario, one of its threads.
final class CreationTask: Sendable {
    private let end = TaskLatch()

    func finish() { end.open() }
    func cancel() { end.open() }
    nonisolated(nonsending) func waitForEnd() async throws { try await end.wait() }
}

extension InstanceCell {
    /// Begins the creation in a new cell.
    func begin(
        _ step: ResolutionStep, in cycle: ResolutionCycle, identity: UInt64 = 0, task: CreationTask? = nil
    ) -> Claim {
        let turn = turn(of: cycle.node, subject: step, identity: identity, task: task)
        guard case .create(let claim) = turn else { fatalError("the cell is not new") }
        return claim
    }
}

extension CellDirectory {
    /// Returns the cell of a registration, which it adds if there is none.
    func cell(of registration: AnyResolverRegistration, in store: InstanceStore) -> Location {
        location(for: registration, in: store, isForeign: true)
            ?? add(InstanceCell(), for: registration, in: store, isForeign: true)
    }

    /// Performs a hit: finds the slot without a lock.
    func hit(_ registration: AnyResolverRegistration, in store: InstanceStore) -> AnyObject? {
        first.search(registration.number, store.number)?.slot.take()?.takeRetainedValue()
    }

    /// Ends the scope of the directory: runs the hooks of its instances, the youngest first, and releases each one.
    func end() {
        var closed = close()
        InstanceCell.end(closed.cells, &closed.instances)
    }
}

extension InstanceCell {
    /// Ends the scope of the cell.
    func end() {
        var ended: [CellDirectory.Removed] = []
        InstanceCell.end([self], &ended)
    }

    fileprivate static func end(_ cells: [InstanceCell], _ ended: inout [CellDirectory.Removed]) {
        close(cells, into: &ended)
        for index in ended.indices.reversed() {
            ended[index].instance.runHooks(.ended)
            ended[index].instance.release()
        }
    }
}

/// A time to live with a clock that the threads of a scenario advance.
struct ExpiryTimer: Sendable {
    let clock: Notes<Int64>

    var moment: Moment { Moment(now: clock.value, timeToLive: Moment.TimeToLive(nanoseconds: 10, start: .creation)) }
}

struct Moment: Sendable {
    struct TimeToLive: Sendable {
        enum Start { case lastUse, creation }
        let nanoseconds: Int64, start: Start
    }

    let now: Int64, timeToLive: TimeToLive
}

final class InstanceStore: Sendable {
    let number = ProcessIdentity.next()
    var hasEnded: Bool { false }

    func forget(_ cell: InstanceCell) {}
}

@usableFromInline final class AnyResolverRegistration: Sendable {
    let serviceKey: ServiceKey
    let number = ProcessIdentity.next(), owner = RegistrationOwner()
    let isReplaced = false
    /// The word that a thread reads next after it has found the registration.
    let payload = Payload()

    /// The number of living registrations in the group.
    private let alive: Notes<Int>

    init(_ key: ServiceKey, _ alive: Notes<Int> = Notes(0)) {
        (serviceKey, self.alive) = (key, alive)
        alive.value += 1
    }

    var ownService: UInt { UInt(bitPattern: serviceKey.type) }

    /// Not zero if scopes are asked first.
    private let scopeWord = AtomicWord(0)

    /// Created before any scenario, so it is not part of a scenario's memory.
    static let vacant = AnyResolverRegistration(ServiceKey(Never.self, nil))

    deinit {
        scopeWord.deallocate()
        alive.value -= 1
    }

    var asksScopesFirst: Bool { scopeWord.load() != 0 }

    func checkScopeOverrides() -> FastSlots.Invalidated? {
        _ = scopeWord.exchange(1)
        return nil
    }

    static func retire(_ registrations: [AnyResolverRegistration], includingShared: Bool) -> InstanceRelease {
        InstanceRelease()
    }
}

struct RegistrationOwner: Sendable { let isScope = false }

struct InstanceRelease { func run() {} }

/// The services that scopes have registered.
enum ScopeOverrides {
    /// nil if the scenario has no scopes.
    nonisolated(unsafe) static var keys: Guarded<Set<ServiceKey>>?

    static func contains(_ key: ServiceKey) -> Bool { keys?.withLock { $0.contains(key) } ?? false }
    static func insert(_ key: ServiceKey) { keys?.withLock { _ = $0.insert(key) } }
}

/// The namespace of names.
public enum Resolver {}

struct UncheckedSendable<Value>: @unchecked Sendable { let value: Value }

extension String {
    @usableFromInline var smallWords: (UInt64, UInt64)? { nil }
    func isStored(as other: String) -> Bool { self == other }
}
