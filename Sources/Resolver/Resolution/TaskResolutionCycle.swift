import CResolverSupport

/// The resolution cycle of a task and its child tasks: what `ResolutionCycle` is for a thread.
///
/// Begins when an outermost asynchronous call has to wait for something, or a creation task starts, and ends with it. Whatever
/// these tasks resolve meanwhile joins, synchronously or not, and shares its graph instances. Unstructured tasks do not
/// join: like a thread that a factory starts, they may outlive it, and one that waits for their sake waits for itself.
final class TaskResolutionCycle: Guarded<TaskResolutionCycle.State>, @unchecked Sendable {
    struct State {
        /// By what `ResolutionCycle` knows them by, in the form in which they are kept strongly.
        fileprivate var instances: [UInt64: AnyObject] = [:]
        fileprivate var order: [UInt64] = []
        fileprivate var isOver = false
    }

    /// Stands for all tasks of a creation task in the wait graph; nil where no call can wait for what is made.
    let node: WaitNode?
    /// Its number, and those of the cycles around it: of the one in which a creation task was set off, and so on.
    let makers: [UInt64]
    let hidden: CaptiveDependencyGuard
    /// Its identity only.
    private let task = UInt(bitPattern: resolver_task_current())

    init(node: WaitNode?, hidingBelow rank: Int, for consumer: AnyResolverRegistration?, in outer: TaskFrame.Position) {
        self.node = node
        let number = ProcessIdentity.next()
        makers = [number] + outer.makers
        hidden = CaptiveDependencyGuard(below: rank, in: outer.hidden, by: number, for: consumer)
        super.init(State())
        ProcessWord.taskCycles.add(1)
    }

    /// Whether there may be one that the running task takes part in: the question costs one load.
    @inline(__always)
    static var areThereAny: Bool { ProcessWord.taskCycles.load() != 0 }

    /// Whether the running task takes part.
    var includesRunningTask: Bool {
        guard let running = resolver_task_current(), !withLock({ $0.isOver }) else { return false }
        return UInt(bitPattern: running) == task || resolver_task_is_child(running)
    }

    func instance(_ identity: UInt64) -> AnyObject? {
        withLock { $0.instances[identity] }
    }

    /// Keeps `object` until the cycle ends, unless another task was faster.
    ///
    /// - Returns: what is kept.
    func keep(_ object: AnyObject, identity: UInt64) -> AnyObject {
        withLock { state in
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
        discard { $0.instances.removeValue(forKey: identity) }
    }

    /// Releases its instances, the youngest first. Called once.
    func end() {
        ProcessWord.taskCycles.subtract(1)
        var (instances, order) = withLock { state in
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
final class TaskFrame: Sendable {
    @TaskLocal private static var innermost: TaskFrame?

    let cycle: TaskResolutionCycle
    private let outer: TaskFrame?
    let registration: AnyResolverRegistration?
    private let hasArguments: Bool
    private let depth: Int

    /// No stack ends here; but something has to end a recursion that would go on for ever.
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
    }

    /// Where the running task is, if it takes part in a cycle.
    static var current: TaskFrame? {
        guard TaskResolutionCycle.areThereAny, let innermost, innermost.cycle.includesRunningTask else { return nil }
        return innermost
    }

    /// Runs `body` in the cycle that the task takes part in already, or in one of its own.
    nonisolated(nonsending) static func inCycle(
        _ body: nonisolated(nonsending) () async throws -> PackedService
    ) async throws -> PackedService {
        if current != nil { return try await body() }
        return try await inCycle(of: nil, in: Position(nil), body)
    }

    /// What a creation task needs to know of where it was set off.
    struct Position: Sendable {
        /// How many asynchronous factories are nested there.
        let depth: Int
        /// What is hidden there.
        let hidden: CaptiveDependencyGuard
        let makers: [UInt64]

        fileprivate init(_ frame: TaskFrame?) {
            depth = frame?.depth ?? 0
            hidden = frame?.cycle.hidden ?? .none
            makers = frame?.cycle.makers ?? []
        }
    }

    /// Where the running task is.
    static var position: Position { Position(current) }

    /// Runs `body` in a cycle of its own.
    ///
    /// - Parameters:
    ///   - creation: that of the creation task, if it is one.
    ///   - rank: scopes of contexts that are shorter-lived are not seen in it.
    ///   - outer: where the task was that has started the creation task.
    nonisolated(nonsending) static func inCycle(
        of creation: Creation?, hidingBelow rank: Int = .min, in outer: Position,
        _ body: nonisolated(nonsending) () async throws -> PackedService
    ) async throws -> PackedService {
        let cycle = TaskResolutionCycle(
            node: creation?.owner, hidingBelow: rank, for: creation?.subject.registration, in: outer)
        defer { cycle.end() }
        return try await TaskFrame(cycle, outer: nil, nil, hasArguments: false, depth: outer.depth).enter(body)
    }

    nonisolated(nonsending) private func enter(
        _ body: nonisolated(nonsending) () async throws -> PackedService
    ) async throws -> PackedService {
        var result: Result<PackedService, any Error>?
        await TaskFrame.$innermost.binding(self) {
            do { result = .success(try await body()) } catch { result = .failure(error) }
        }
        return try result!.get()
    }

    /// Runs `factory`, which is that of `registration`.
    ///
    /// - Throws: `.circularDependency` if that factory is running already, both times without arguments; `.tooDeep`.
    nonisolated(nonsending) static func making(
        _ registration: AnyResolverRegistration, hasArguments: Bool,
        _ factory: nonisolated(nonsending) () async throws -> PackedService
    ) async throws -> PackedService {
        guard let current else {
            return try await inCycle { try await making(registration, hasArguments: hasArguments, factory) }
        }
        let frame = TaskFrame(
            current.cycle, outer: current, registration, hasArguments: hasArguments, depth: current.depth + 1)
        if !hasArguments, let ring = current.elements(fromMaking: registration) {
            throw ResolutionError.circle(ring + [.registration(registration)])
        }
        if frame.depth > greatestDepth { throw ResolutionError.tooDeepInTask(frame.elements.map(\.hop)) }
        return try await frame.enter(factory)
    }

    /// What is being made, the outermost first.
    var elements: [ResolutionStep] { TaskFrame.elements(of: frames[...]) }

    /// What is being made from the asynchronous factory of `registration` on, if that runs, called without arguments.
    func elements(fromMaking registration: AnyResolverRegistration) -> [ResolutionStep]? {
        let frames = frames
        return frames.lastIndex { $0.registration === registration && !$0.hasArguments }
            .map { TaskFrame.elements(of: frames[$0...]) }
    }

    private static func elements(of frames: ArraySlice<TaskFrame>) -> [ResolutionStep] {
        frames.compactMap { $0.registration.map(ResolutionStep.registration) }
    }

    /// The outermost first.
    private var frames: [TaskFrame] {
        Array(sequence(first: self, next: \.outer)).reversed()
    }
}
