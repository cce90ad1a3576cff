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

/// Something that is under construction and that a path can lead through.
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

    /// Whether the same thing is made.
    func isSame(as other: ResolutionStep) -> Bool {
        switch (self, other) {
        case (.registration(let one), .registration(let other)): one === other
        case (.property(_, let one), .property(_, let other)), (.child(_, let one), .child(_, let other)): one === other
        default: false
        }
    }

    var hop: ResolutionError.Hop {
        switch self {
        case .registration(let registration):
            ResolutionError.Hop(
                service: TypeName.qualified(registration.serviceType), name: registration.serviceKey.name?.rawValue,
                location: registration.location)
        case .property(let type, _):
            ResolutionError.Hop(service: Messages.lazyProperty(of: TypeName.qualified(type)), name: nil, location: nil)
        case .child(let type, _):
            ResolutionError.Hop(service: Messages.childScope(of: TypeName.qualified(type)), name: nil, location: nil)
        case .bootstrap:
            ResolutionError.Hop(service: Messages.bootstrap, name: nil, location: nil)
        }
    }
}
