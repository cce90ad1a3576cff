/// What a thread or a task has under construction: the tasks' part of the way, then that of the thread that runs.
///
/// Others read it while its owner waits.
struct DependencyPath: Sendable {
    private let task: TaskFrame?
    let thread: ResolutionCycle?

    /// That of the running task alone.
    init(_ task: TaskFrame?) {
        self.task = task
        thread = nil
    }

    /// That of the running thread, in whatever task it runs.
    init(_ thread: ResolutionCycle, in task: TaskFrame?) {
        self.task = task
        self.thread = thread
    }

    var elements: [ResolutionStep] {
        (task?.elements ?? []) + (thread?.elements ?? [])
    }

    /// The part that begins at `subject`.
    func elements(from subject: ResolutionStep) -> [ResolutionStep] {
        DependencyPath.part(of: elements, from: subject)
    }

    /// The error that what is being made asks for `subject`, which is on the way.
    func circle(closedBy subject: ResolutionStep) -> ResolutionError {
        DependencyPath.circle(of: elements, closedBy: subject)
    }

    static func circle(of elements: [ResolutionStep], closedBy subject: ResolutionStep) -> ResolutionError {
        .circle(part(of: elements, from: subject) + [subject])
    }

    private static func part(of elements: [ResolutionStep], from subject: ResolutionStep) -> [ResolutionStep] {
        // The bootstrap is on no path, as it is no part of a service.
        if case .bootstrap = subject { return [subject] + elements }
        return elements.lastIndex { $0.isSame(as: subject) }.map { Array(elements[$0...]) } ?? [subject]
    }
}

/// The part of a path that belongs to a thread.
struct ThreadPath: Sendable {
    let registrations: [AnyResolverRegistration]
    /// What has no registration, and before how many registrations it comes.
    let places: [(depth: Int, element: ResolutionStep)]

    var elements: [ResolutionStep] {
        var elements: [ResolutionStep] = []
        for depth in 0...registrations.count {
            for place in places where place.depth == depth { elements.append(place.element) }
            if depth < registrations.count { elements.append(.registration(registrations[depth])) }
        }
        return elements
    }
}
