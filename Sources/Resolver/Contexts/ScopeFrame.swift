import CResolverSupport

/// Where code runs, as far as scopes are concerned: inside which `withScope` or `boundary`, and what was set there.
final class ScopeFrame: Guarded<[ScopeFrame.Execution: [ScopeHandle]]>, @unchecked Sendable {
    @TaskLocal static var current = ScopeFrame(nil, outer: nil)

    /// A task, or a thread outside of tasks. Neither number is ever used again.
    struct Execution: Hashable, Sendable {
        private let number: UInt64
        private let isTask: Bool

        static var current: Execution {
            guard let task = resolver_task_current() else {
                return Execution(number: ResolutionCycle.current.number, isTask: false)
            }
            return Execution(number: resolver_task_number(task), isTask: true)
        }
    }

    static var isInChildTask: Bool {
        resolver_task_current().map(resolver_task_is_child) ?? false
    }

    /// What `withScope` has opened, or a flight has taken along.
    private let bound: ScopeHandle?
    private let outer: ScopeFrame?
    /// Who called `boundary`: child tasks see what was set there.
    private let host: Execution?
    /// How many scopes are set in the process. While there are none, no call asks which task runs.
    private static let setCount = AtomicWord(0)

    init(_ bound: ScopeHandle?, outer: ScopeFrame?, isInherited: Bool = false) {
        self.bound = bound
        self.outer = outer
        // Inside a boundary, what its task sets in a further scope is inherited as well.
        let outerHost = outer?.host
        host = isInherited || outerHost != nil && outerHost == .current ? .current : nil
        super.init([:])
    }

    /// One in which `handles` are bound, the last innermost, and nothing else.
    static func binding(_ handles: [ScopeHandle]) -> ScopeFrame {
        handles.reduce(ScopeFrame(nil, outer: nil)) { ScopeFrame($1, outer: $0) }
    }

    // MARK: Asking

    /// The innermost scope of a kind for the running code, be it open or not.
    @inline(__always)
    static func innermost(_ kind: ScopeKind) -> ScopeHandle? {
        let number = kind.number
        let me = setCount.load() > 0 ? Execution.current : nil
        var frame = current
        while true {
            if let me, let set = frame.handles(setBy: me).last(where: { $0.kind.number == number }) { return set }
            if let bound = frame.bound, bound.kind.number == number { return bound }
            guard let outer = frame.outer else { return nil }
            frame = outer
        }
    }

    /// All scopes of the running code, the innermost first. (Of those that are bound to the process, only where code
    /// has one of its own.)
    static var all: [ScopeHandle] {
        let me = Execution.current
        return sequence(first: current, next: \.outer).flatMap { frame in
            frame.handles(setBy: me).reversed() + (frame.bound.map { [$0] } ?? [])
        }
    }

    private func handles(setBy me: Execution) -> [ScopeHandle] {
        withLock { set in
            if set.isEmpty { return [] }
            let inherited = host.flatMap { $0 == me ? nil : set[$0] } ?? []
            return inherited + (set[me] ?? [])
        }
    }

    // MARK: Setting

    func push(_ handle: ScopeHandle) {
        let me = Execution.current
        _ = ScopeFrame.setCount.add(1)
        withLock { $0[me, default: []].append(handle) }
        handle.isSet { self.remove(handle, setBy: me) }
    }

    private func remove(_ handle: ScopeHandle, setBy execution: Execution) {
        _ = ScopeFrame.setCount.subtract(1)
        discard { set in
            let old = set.removeValue(forKey: execution) ?? []
            let rest = old.filter { $0 !== handle }
            if !rest.isEmpty { set[execution] = rest }
            return old
        }
    }

    /// Ends everything that was set here and not cleared, the youngest first.
    func end() {
        let left = withLock { $0.isEmpty ? [] : $0.values.flatMap { $0 } }
        if left.isEmpty { return }
        for handle in left.sortedDescending(by: { $0.number }) { handle.end() }
    }
}

// A result of a type that is not known here would cost more than the scope, so there is none.

extension ScopeFrame {
    static func entering(_ handle: ScopeHandle?, in outer: ScopeFrame? = current, _ body: () -> Void) {
        let frame = ScopeFrame(handle, outer: outer)
        defer { frame.end() }
        $current.withValue(frame, operation: body)
    }

    nonisolated(nonsending) static func entering(
        _ handle: ScopeHandle?, in outer: ScopeFrame? = current, isInherited: Bool = false,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        let frame = ScopeFrame(handle, outer: outer, isInherited: isInherited)
        defer { frame.end() }
        await $current.binding(frame, body)
    }
}
