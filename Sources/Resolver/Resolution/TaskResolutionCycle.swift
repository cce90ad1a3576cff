import CResolverSupport

/// The resolution cycle of a task and its child tasks, as `ResolutionCycle` is that of a thread.
///
/// It begins when an outermost asynchronous call has to wait, or a creation task starts, and ends with that call or task. All services that
/// these tasks resolve in between join the cycle and share its graph instances. Unstructured tasks do not join: like a thread that a
/// factory starts, they may outlive it. If a factory awaits an unstructured task that waits for the factory, both wait for ever.
final class TaskResolutionCycle: Guarded<TaskResolutionCycle.State>, @unchecked Sendable {
    struct State {
        var instances = TaskInstances()
        /// The scopes that the frame of a creation leaves out: see `ScopeFrame.forCreation`. The end of the cycle releases these scopes and
        /// the caller, because tasks that outlive the cycle hold the cycle.
        fileprivate var hiddenScopes: [ScopeHandle] = []
        fileprivate var caller: TaskFrame?
        fileprivate var isOver = false
    }

    /// Stands for all tasks of a creation task, and those that it awaits, in the wait graph; nil where no call can wait for the instance.
    let node: WaitNode?
    /// The identity of the instance that a creation task creates without arguments; 0 for other cycles.
    private let identity: UInt64
    let cycleNumbers: CycleNumbers
    let hidden: CaptiveDependencyGuard
    /// The number of the outermost creation task around this cycle, if any. That task does not see scopes of the process that others begin
    /// later.
    fileprivate let firstCreation: UInt64?
    /// Compared only, never used as a task.
    private let task = UInt(bitPattern: resolver_task_current())

    /// - Parameter caller: the frame whose call has started the creation task, or awaits the task of this cycle.
    fileprivate init(
        of creation: Creation?, hasArguments: Bool, hidingBelow rank: Int, from caller: TaskFrame?,
        hiding hiddenScopes: [ScopeHandle]
    ) {
        node = creation?.node ?? caller?.cycle.node
        identity = hasArguments ? 0 : creation?.identity ?? 0
        let number = ProcessIdentity.next(), outer = caller?.cycle
        cycleNumbers = CycleNumbers(number, in: outer?.cycleNumbers)
        firstCreation = outer?.firstCreation ?? creation.map { _ in number }
        hidden = CaptiveDependencyGuard(
            below: rank, in: outer?.hidden ?? .none, by: number, for: creation?.subject.registration)
        super.init(State(hiddenScopes: hiddenScopes, caller: caller))
        ProcessWord.taskCycles.add(1)
    }

    /// Creates the cycle of code that runs inside `cycle` and is no part of it.
    fileprivate init(apartFrom cycle: TaskResolutionCycle) {
        (node, cycleNumbers) = (cycle.node, cycle.cycleNumbers)
        (identity, firstCreation, hidden) = (0, nil, .none)
        super.init(State(hiddenScopes: cycle.hiddenScopes))
        ProcessWord.taskCycles.add(1)
    }

    /// This cycle, and those around it. A cycle that has ended is the last one.
    private var enclosing: some Sequence<TaskResolutionCycle> {
        sequence(first: self) { cycle in cycle.withLock { $0.caller }?.cycle }
    }

    /// Returns the node of a creation task that runs around this cycle, and creates an instance without arguments.
    func node(creating identity: UInt64) -> WaitNode? { enclosing.first { $0.identity == identity }?.node }

    /// Whether any task cycle exists in the process. Costs one load.
    @inline(__always)
    static var areThereAny: Bool { ProcessWord.taskCycles.load() != 0 }

    /// Whether the running task is part of this cycle.
    var includesRunningTask: Bool {
        guard let running = resolver_task_current(), !withLock({ $0.isOver }) else { return false }
        return UInt(bitPattern: running) == task || resolver_task_is_child(running)
    }

    var hiddenScopes: [ScopeHandle] { withLock { $0.hiddenScopes } }

    /// Whether a scope began before the creation, or in it.
    fileprivate func sees(_ scope: ScopeHandle) -> Bool {
        guard let firstCreation, scope.number > firstCreation else { return true }
        return cycleNumbers.outermost == scope.cycleNumbers?.outermost
    }

    /// Keeps `object` until the cycle ends, unless another task was faster.
    ///
    /// - Returns: the instance of the faster task, if there is one.
    func keep(
        _ object: AnyObject, identity: UInt64, at level: Int, for rank: Int, by cycle: ResolutionCycle
    ) -> TaskInstances.Instance? {
        withLock { $0.isOver ? nil : $0.instances.keep(object, identity: identity, at: level, for: rank, by: cycle) }
    }

    /// Releases the instances, the youngest first. Called once.
    func end() {
        ProcessWord.taskCycles.subtract(1)
        var old = withLock { state in
            defer { state = State(isOver: true) }
            return state
        }
        old.instances.release()
    }
}

/// A step of a task's path: the cycle, and the registration whose asynchronous factory runs.
///
/// `@unchecked Sendable`: all properties are constant until `deinit`.
final class TaskFrame: @unchecked Sendable {
    @TaskLocal private static var innermost: TaskFrame?

    let cycle: TaskResolutionCycle
    @exclusivity(unchecked) private var outer: TaskFrame?
    let registration: AnyResolverRegistration?
    private let hasArguments: Bool
    private let depth: Int
    /// The number of running factories of the registration, with this one.
    private let level: Int
    /// The innermost frame around this one whose factory, of the same registration, was called without arguments.
    @exclusivity(unchecked) private var outerWithoutArguments: TaskFrame?

    /// The greatest number of nested factories. A recursion of tasks uses no stack, so only this limit ends an endless one.
    private static let greatestDepth = 10_000

    private init(
        _ cycle: TaskResolutionCycle, outer: TaskFrame?, _ registration: AnyResolverRegistration?, hasArguments: Bool,
        depth: Int
    ) {
        self.cycle = cycle
        self.outer = outer
        self.registration = registration
        self.hasArguments = hasArguments
        self.depth = depth
        let same = registration.flatMap { outer?.nearest(of: $0) }
        level = (same?.level ?? 0) + 1
        outerWithoutArguments = same?.nearestWithoutArguments
    }

    deinit {
        // One after the other: a task that outlives a deep recursion holds all its frames.
        outerWithoutArguments = nil
        var last = outer.take()
        while isKnownUniquelyReferenced(&last) { last = last?.outer.take() }
    }

    /// The current frame, if the running task is part of a cycle.
    static var current: TaskFrame? {
        guard TaskResolutionCycle.areThereAny, let innermost, innermost.cycle.includesRunningTask else { return nil }
        return innermost
    }

    /// Whether the running task sees a scope of the process.
    static func sees(_ scope: ScopeHandle) -> Bool { current?.cycle.sees(scope) ?? true }

    /// Runs `body` in the task's current cycle, or in a new one.
    nonisolated(nonsending) static func inCycle(
        _ body: nonisolated(nonsending) () async throws -> PackedService
    ) async throws -> PackedService {
        if current != nil { return try await body() }
        return try await withCycle { try await $0.enter(body) }
    }

    /// Calls `body` with the first frame of a new cycle, for `body` to enter.
    ///
    /// - Parameters:
    ///   - creation: the creation of a creation task, if there is one.
    ///   - hasArguments: whether the creation has arguments.
    ///   - rank: contexts that live shorter than this rank are hidden.
    ///   - caller: the frame of the task that has started the creation task, or that awaits this one.
    ///   - isAwaited: whether the caller awaits this task, so that its factories run around `body`.
    ///   - scopes: the scopes of the caller that are hidden.
    @inline(never)
    nonisolated(nonsending) static func withCycle(
        of creation: Creation? = nil, hasArguments: Bool = false, hidingBelow rank: Int = .min,
        from caller: TaskFrame? = nil, isAwaited: Bool = false, hiding scopes: [ScopeHandle] = [],
        _ body: nonisolated(nonsending) (TaskFrame) async throws -> PackedService
    ) async throws -> PackedService {
        let cycle = TaskResolutionCycle(
            of: creation, hasArguments: hasArguments, hidingBelow: rank, from: caller, hiding: scopes)
        defer { cycle.end() }
        let outer = isAwaited ? caller : nil
        return try await body(TaskFrame(cycle, outer: outer, nil, hasArguments: false, depth: caller?.depth ?? 0))
    }

    /// Runs `body` in a task that is not cancelled with the running task, which awaits it.
    ///
    /// The factories of the running task are running around `body`, and in a creation task, a wait of `body` is a wait of that task. So
    /// a dependency cycle through it is detected.
    nonisolated(nonsending) static func uncancelled(_ body: @escaping @Sendable () async -> Void) async {
        let caller = current
        await Task {
            guard let caller else { return await body() }
            _ = try? await withCycle(from: caller, isAwaited: true) { frame in
                try await frame.enter {
                    await body()
                    return PackedService(value: nil)
                }
            }
        }.value
    }

    /// Calls `body`, which is no part of the running task's cycle.
    static func apart(_ body: () -> Void) {
        guard let current else { return body() }
        let cycle = TaskResolutionCycle(apartFrom: current.cycle)
        $innermost.withValue(TaskFrame(cycle, outer: nil, nil, hasArguments: false, depth: 0), operation: body)
        cycle.end()
    }

    /// Calls `body`, whose tasks join no cycle, and neither do their child tasks.
    static func outside(_ body: () -> Void) {
        TaskResolutionCycle.areThereAny ? $innermost.withValue(nil, operation: body) : body()
    }

    nonisolated(nonsending) func enter(
        _ body: nonisolated(nonsending) () async throws -> PackedService
    ) async throws -> PackedService {
        var result: Result<PackedService, any Error>?
        await TaskFrame.$innermost.binding(self) {
            do { result = .success(try await body()) } catch { result = .failure(error) }
        }
        return try result!.get()
    }

    /// Runs `factory`, the factory of `registration`.
    ///
    /// - Parameter outer: the frame around it; nil begins a cycle.
    /// - Throws: `.circularDependency` if that factory is running already, both times without arguments; `.tooDeep`.
    nonisolated(nonsending) static func making(
        _ registration: AnyResolverRegistration, hasArguments: Bool, in outer: TaskFrame?,
        _ factory: nonisolated(nonsending) () async throws -> PackedService
    ) async throws -> PackedService {
        guard let outer else {
            return try await withCycle {
                try await making(registration, hasArguments: hasArguments, in: $0, factory)
            }
        }
        let frame = TaskFrame(
            outer.cycle, outer: outer, registration, hasArguments: hasArguments, depth: outer.depth + 1)
        if !hasArguments, let first = frame.outerWithoutArguments {
            throw ResolutionError.dependencyCycle(frame.elements(from: first))
        }
        if frame.depth > greatestDepth { throw ResolutionError.tooDeepInTask(frame.elements.map(\.hop)) }
        // An immediate task uses the stack of the code that starts it.
        try ResolutionCycle.current.requireStack(for: registration)
        return try await frame.enter(factory)
    }

    /// The steps of the path, the outermost first.
    var elements: [ResolutionStep] { elements(from: nil) }

    /// Returns the steps from the running factory of `registration` on, if it was called without arguments.
    func elements(fromMaking registration: AnyResolverRegistration) -> [ResolutionStep]? {
        nearest(of: registration)?.nearestWithoutArguments.map(elements(from:))
    }

    /// Returns the steps from `first` on, the outermost first; all steps for nil.
    private func elements(from first: TaskFrame?) -> [ResolutionStep] {
        var steps: [ResolutionStep] = []
        for frame in sequence(first: self, next: { $0 === first ? nil : $0.outer }) {
            if let registration = frame.registration { steps.append(.registration(registration)) }
        }
        return steps.reversed()
    }

    /// Returns how many factories of `registration` are running.
    func level(of registration: AnyResolverRegistration) -> Int { nearest(of: registration)?.level ?? 0 }

    /// Returns the innermost frame of a running factory of `registration`. For a service that resolves itself, the search is short.
    private func nearest(of registration: AnyResolverRegistration) -> TaskFrame? {
        var frame: TaskFrame? = self
        while let found = frame, found.registration !== registration { frame = found.outer }
        return frame
    }

    private var nearestWithoutArguments: TaskFrame? { hasArguments ? outerWithoutArguments : self }
}
