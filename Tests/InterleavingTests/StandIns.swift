// What cells and the wait graph know of the rest of the library, as little of it as they need.

/// A thread of a scenario, as the wait graph sees it.
struct ResolutionCycle: @unchecked Sendable {
    let node = WaitNode()
    /// What it makes, the outermost first.
    let making = Notes<[ResolutionStep]>([])

    static let current = ResolutionCycle()

    var waiting: [WaitNode] { [node] }
    var makingPath: DependencyPath { DependencyPath(thread: self) }

    func withoutPass(_ body: () -> Void) { body() }
    func hasInstance(_ identity: UInt64) -> Bool { false }
}

/// A value that the threads of a scenario touch between their steps: only one of them runs at a time.
final class Notes<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

struct ResolutionStep: Sendable {
    let hop: String
}

enum ResolutionError: Error {
    case circle([ResolutionStep])
    case scopeEnded(ResolutionStep)
    case requiresAsync(String, isKept: Bool)

    func led(by hops: [String]) -> ResolutionError { self }
}

struct DependencyPath: Sendable {
    var thread: ResolutionCycle?

    init(thread: ResolutionCycle) { self.thread = thread }
    init(_ task: TaskFrame?) {}

    var elements: [ResolutionStep] { thread?.making.value ?? [] }

    func elements(from subject: ResolutionStep) -> [ResolutionStep] {
        elements.lastIndex { $0.hop == subject.hop }.map { Array(elements[$0...]) } ?? [subject]
    }
}

/// No scenario has tasks.
struct TaskFrame: Sendable {
    static let current: TaskFrame? = nil
    let cycle: ResolutionCycle
}

final class Flight: Sendable {
    func cancel() {}
    nonisolated(nonsending) func wait() async throws {}
}

/// No scenario has times.
struct ExpiryTimer: Sendable {
    let moment: Moment
}

struct Moment: Sendable {
    struct TimeToLive: Sendable {
        enum Start { case lastUse, creation }
        let nanoseconds: Int64
        let start: Start
    }

    let now: Int64
    let timeToLive: TimeToLive
}

final class InstanceStore: Sendable {
    func forget(_ cell: InstanceCell) {}
}

struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value
}
