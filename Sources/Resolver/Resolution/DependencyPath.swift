/// The path of a thread or task: the steps of its tasks, then those of the running thread.
///
/// Other threads read it while its owner waits.
struct DependencyPath: Sendable {
    private let task: TaskFrame?
    /// nil for the path of a task alone.
    let thread: ResolutionCycle?

    init(_ task: TaskFrame?, on thread: ResolutionCycle? = nil) {
        self.task = task
        self.thread = thread
    }

    /// The nodes that wait when the owner waits: its thread, and the creation task that it works for.
    var nodes: [WaitNode] { [thread?.node, task?.cycle.node].compactMap { $0 } }

    var elements: [ResolutionStep] { (task?.elements ?? []) + (thread?.elements ?? []) }

    /// Returns the part of the path that begins at `subject`.
    func elements(from subject: ResolutionStep) -> [ResolutionStep] {
        let elements = elements
        // The bootstrap is on no path, because it is not part of a service.
        if case .bootstrap = subject { return [subject] + elements }
        return elements.lastIndex { $0.isSame(as: subject) }.map { Array(elements[$0...]) } ?? [subject]
    }

    /// Returns the error for a request of `subject`, which is on the path already.
    func dependencyCycle(closedBy subject: ResolutionStep) -> ResolutionError {
        .dependencyCycle(elements(from: subject) + [subject])
    }
}

/// A step of a path: a registration, property or child scope whose instance is being created, or the bootstrap.
enum ResolutionStep: Sendable {
    case registration(AnyResolverRegistration)
    /// A lazily resolved property of this type.
    case property(Any.Type, in: InstanceCell)
    /// A child scope of this type.
    case child(Any.Type, in: InstanceCell)
    /// `registerAllServices`, which threads wait for as for an instance.
    case bootstrap

    var registration: AnyResolverRegistration? {
        if case .registration(let registration) = self { registration } else { nil }
    }

    /// Whether both steps have the same registration, property or child.
    func isSame(as other: ResolutionStep) -> Bool {
        switch (self, other) {
        case (.registration(let one), .registration(let other)): one === other
        case (.property(_, let one), .property(_, let other)), (.child(_, let one), .child(_, let other)): one === other
        default: false
        }
    }

    @inline(never)
    var hop: ResolutionError.Hop {
        let service: String
        switch self {
        case .registration(let registration): return registration.hop
        case .property(let type, _): service = Messages.lazyProperty(of: TypeName.qualified(type))
        case .child(let type, _): service = Messages.childScope(of: TypeName.qualified(type))
        case .bootstrap: service = Messages.bootstrap
        }
        return ResolutionError.Hop(service: service, name: nil, location: nil)
    }
}

extension ResolutionCycle {
    /// Whether the factory or a completion of `registration` is on the path.
    func isMaking(_ registration: AnyResolverRegistration) -> Bool { level(of: registration) > 0 }

    /// Returns how many factories and completions of `registration` are on the path.
    func level(of registration: AnyResolverRegistration) -> Int {
        guard state.pointee.seen & 1 &<< registration.number != 0 else { return 0 }
        return (0..<state.pointee.depth).count { state.pointee.frames[$0].registration.refers(to: registration) }
    }
}

extension TaskResolutionCycle {
    /// The number of a cycle, and those of the cycles in which the creation tasks around it were started. Cycles share the outer ones.
    final class CycleNumbers: Sendable {
        let outermost: UInt64
        private let number: UInt64
        private let outer: CycleNumbers?

        init(_ number: UInt64, in outer: CycleNumbers?) {
            (self.number, self.outer, outermost) = (number, outer, outer?.outermost ?? number)
        }

        func contains(_ number: UInt64) -> Bool {
            sequence(first: self, next: \.outer).contains { $0.number == number }
        }
    }
}
