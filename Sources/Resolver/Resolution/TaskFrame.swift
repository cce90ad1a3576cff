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

    /// What a flight needs to know of where it was set off.
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
    ///   - creation: that of the flight, if it is one.
    ///   - rank: scopes of contexts that are shorter-lived are not seen in it.
    ///   - outer: where the task was that has started the flight.
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
