import CResolverSupport

/// The resolution cycle of a task and its child tasks: what `ResolutionCycle` is for a thread.
///
/// Begins when an outermost asynchronous call has to wait for something, or a flight starts, and ends with it. Whatever
/// these tasks resolve meanwhile joins, synchronously or not, and shares its graph instances. Unstructured tasks do not
/// join: like a thread that a factory starts, they may outlive it, and whoever waits for their sake waits for himself.
@usableFromInline
final class TaskCycle: Sendable {
    private struct State {
        /// By what `ResolutionCycle` knows them by, in the form in which a strong grip keeps them.
        var instances: [UInt64: AnyObject] = [:]
        var order: [UInt64] = []
        var isOver = false
    }

    /// Stands for all tasks of a flight in the wait graph; nil where nobody can wait for what is made.
    let node: WaitNode?
    let hidden: HiddenScopes
    /// Its identity only.
    private let task = UInt(bitPattern: resolver_task_current())
    private let state = Guarded(State())

    init(node: WaitNode?, hidden: HiddenScopes) {
        self.node = node
        self.hidden = hidden
        resolver_task_cycles_add(1)
    }

    /// Whether there may be one that the running task takes part in: the question costs one load.
    @inlinable @inline(__always)
    static var areThereAny: Bool { resolver_task_cycles_load() != 0 }

    /// Whether the running task takes part.
    fileprivate var includesRunningTask: Bool {
        guard let running = resolver_task_current(), !state.withLock({ $0.isOver }) else { return false }
        return UInt(bitPattern: running) == task || resolver_task_is_child(running)
    }

    func instance(_ identity: UInt64) -> AnyObject? {
        state.withLock { $0.instances[identity] }
    }

    /// Keeps `object` until the cycle ends, unless another task was faster.
    ///
    /// - Returns: what is kept.
    func keep(_ object: AnyObject, identity: UInt64) -> AnyObject {
        state.withLock { state in
            if let faster = state.instances[identity] { return faster }
            if !state.isOver {
                state.instances[identity] = object
                state.order.append(identity)
            }
            return object
        }
    }

    /// Does not hand out the instance with this identity any more. Its place in the order stays.
    func forget(_ identity: UInt64) {
        state.discard { $0.instances.removeValue(forKey: identity) }
    }

    /// Releases its instances, the youngest first. Called once.
    func end() {
        resolver_task_cycles_add(-1)
        var (instances, order) = state.withLock { state in
            state.isOver = true
            defer {
                state.instances = [:]
                state.order = []
            }
            return (state.instances, state.order)
        }
        while let identity = order.popLast() { instances[identity] = nil }
    }
}

/// A step of the path that a task has gone: its cycle, and the registration whose asynchronous factory runs.
@usableFromInline
final class TaskFrame: Sendable {
    @TaskLocal private static var innermost: TaskFrame?

    @usableFromInline let cycle: TaskCycle
    private let outer: TaskFrame?
    private let registration: AnyResolverRegistration?
    private let hasArguments: Bool
    private let depth: Int

    /// No stack ends here; but something has to end a recursion that would go on for ever.
    private static let greatestDepth = 10_000

    private init(
        _ cycle: TaskCycle, outer: TaskFrame?, _ registration: AnyResolverRegistration?, hasArguments: Bool, depth: Int
    ) {
        self.cycle = cycle
        self.outer = outer
        self.registration = registration
        self.hasArguments = hasArguments
        self.depth = depth
    }

    /// Where the running task is, if it takes part in a cycle.
    @usableFromInline static var current: TaskFrame? {
        guard TaskCycle.areThereAny, let innermost, innermost.cycle.includesRunningTask else { return nil }
        return innermost
    }

    /// Runs `body` in the cycle that the task takes part in already, or in one of its own.
    nonisolated(nonsending) static func inCycle<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        if current != nil { return try await body() }
        return try await inCycle(of: nil, below: 0, hidingBelow: .min, body)
    }

    /// How many asynchronous factories are nested where the running task is.
    static var depth: Int { current?.depth ?? 0 }

    /// Runs `body` in a cycle of its own.
    ///
    /// - Parameters:
    ///   - node: that of the flight, if it is one.
    ///   - depth: where the task was that has started the flight.
    ///   - rank: scopes of contexts that rank lower are hidden.
    nonisolated(nonsending) static func inCycle<Result>(
        of node: WaitNode?, below depth: Int, hidingBelow rank: Int,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let cycle = TaskCycle(node: node, hidden: rank == .min ? .none : HiddenScopes(below: rank))
        defer { cycle.end() }
        return try await $innermost.withValue(
            TaskFrame(cycle, outer: nil, nil, hasArguments: false, depth: depth), operation: body)
    }

    /// Runs `factory`, which is that of `registration`.
    ///
    /// - Throws: `.circularDependency` if that factory is running already, both times without arguments; `.tooDeep`.
    nonisolated(nonsending) static func making<Result>(
        _ registration: AnyResolverRegistration, hasArguments: Bool,
        _ factory: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        guard let current else {
            return try await inCycle { try await making(registration, hasArguments: hasArguments, factory) }
        }
        let frame = TaskFrame(
            current.cycle, outer: current, registration, hasArguments: hasArguments, depth: current.depth + 1)
        if !hasArguments, current.isMaking(registration) {
            let subject = PathElement.registration(registration)
            throw ResolutionError.circle(MakingPath(current).elements(from: subject) + [subject])
        }
        if frame.depth > greatestDepth { throw ResolutionError.tooDeepInTask(frame.elements.map(\.hop)) }
        return try await $innermost.withValue(frame, operation: factory)
    }

    /// What is being made, the outermost first.
    var elements: [PathElement] {
        frames.reversed().compactMap { $0.registration.map(PathElement.registration) }
    }

    private var frames: [TaskFrame] {
        Array(sequence(first: self, next: \.outer))
    }

    /// Whether the asynchronous factory of `registration` is running, called without arguments.
    func isMaking(_ registration: AnyResolverRegistration) -> Bool {
        sequence(first: self, next: \.outer).contains { $0.registration === registration && !$0.hasArguments }
    }
}
