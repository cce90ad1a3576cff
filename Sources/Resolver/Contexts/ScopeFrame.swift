import CResolverSupport

/// The scopes of running code: one that is bound, those that were set in the frame, and those of the outer frame.
final class ScopeFrame: Guarded<[ScopeFrame.Execution: [ScopeHandle]]>, @unchecked Sendable {
    @TaskLocal static var current = ScopeFrame(nil, outer: nil)

    /// A task, or a thread outside of tasks. Its number is never reused; on systems before 2023, it is not reused while the task lives.
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

    static var isInChildTask: Bool { resolver_task_current().map(resolver_task_is_child) ?? false }

    /// The scope that `withScope` opened, or that a creation task binds.
    private let bound: ScopeHandle?
    private let outer: ScopeFrame?
    /// The task or thread that called `boundary`. Child tasks see the scopes that it sets.
    private let host: Execution?
    /// Whether the code of the frame has returned, so that its host sets nothing here any more. Guarded by the lock.
    private var isOver = false

    init(_ bound: ScopeHandle?, outer: ScopeFrame?, isInherited: Bool = false) {
        self.bound = bound
        self.outer = outer
        // Inside a boundary, child tasks also see the scopes that its task sets in further scopes.
        let outerHost = outer?.host
        host = isInherited || outerHost != nil && outerHost == .current ? .current : nil
        super.init([:])
    }

    /// Returns a frame for a creation task, which has the caller's scopes of `rank` or higher, and a list of the caller's other scopes.
    ///
    /// Scopes that were set belong to the calling task, so the new frame binds them. It also binds ended ones, because they take
    /// precedence over scopes of the process. Most calls have no scopes. Scopes that the factory sets belong to the new frame, so the end
    /// of the caller's frame does not end them.
    static func forCreation(hidingBelow rank: Int) -> (frame: ScopeFrame, hidden: [ScopeHandle]) {
        if areNoneSet, current.binds(from: rank) {
            // Nothing is set, so a frame that binds nothing is left out. A creation inside a creation lengthens no search.
            return (ScopeFrame(nil, outer: current.bound == nil ? current.outer : current), hiddenByCreation)
        }
        var kinds: [ScopeKind] = []
        // A creation inside a creation must not copy more with each level.
        let scopes = all.filter { scope in
            if kinds.contains(scope.kind) { return false }
            kinds.append(scope.kind)
            return true
        }
        let seen = scopes.reversed().filter { $0.kind.rank >= rank }
        return (
            seen.reduce(ScopeFrame(nil, outer: nil)) { ScopeFrame($1, outer: $0) },
            scopes.filter { $0.kind.rank < rank }
        )
    }

    /// The scopes of the caller that the running creation task must not see. They are found all the same, so that events and errors name
    /// them.
    private static var hiddenByCreation: [ScopeHandle] {
        TaskResolutionCycle.areThereAny ? TaskFrame.current?.cycle.hiddenScopes ?? [] : []
    }

    /// Whether only scopes of `rank` or a higher one are bound here and outside, and no task can set one for others.
    private func binds(from rank: Int) -> Bool {
        sequence(first: self, next: \.outer).allSatisfy { frame in
            frame.host == nil && (frame.bound.map { $0.kind.rank >= rank } ?? true)
        }
    }

    // MARK: Asking

    /// Returns the innermost scope of a kind that the running code has for itself, open or not.
    static func innermost(_ kind: ScopeKind) -> ScopeHandle? {
        areNoneSet ? innermostBound(kind)?.object : current.innermost(kind.number, for: .current)
    }

    /// Returns the scope of a kind that the caller of the running creation task has for itself, and that the task must not see.
    static func hiddenByCreation(_ kind: ScopeKind) -> ScopeHandle? { hiddenByCreation.first { $0.kind == kind } }

    /// Whether no task and no thread has set a scope. Another thread may set one at any time, for itself.
    @inline(__always)
    static var areNoneSet: Bool { ProcessWord.setScopes.load() == 0 }

    /// Returns the innermost bound scope of a kind, open or not. The frames of the running code hold it.
    @inline(__always)
    static func innermostBound(_ kind: ScopeKind) -> Unretained<ScopeHandle>? {
        var next = $current.bound
        while let frame = next {
            if let bound = frame.use({ $0.bound.map { Unretained($0) } }),
                bound.use({ $0.kind.number == kind.number })
            {
                return bound
            }
            next = frame.use { $0.outer.map { Unretained($0) } }
        }
        return nil
    }

    /// Returns the innermost scope of a kind, bound or set by `execution`.
    @inline(never)
    private func innermost(_ number: Int, for execution: Execution) -> ScopeHandle? {
        for frame in sequence(first: self, next: \.outer) {
            if let set = frame.handles(setBy: execution).last(where: { $0.kind.number == number }) { return set }
            if let bound = frame.bound, bound.kind.number == number { return bound }
        }
        return nil
    }

    /// All scopes of the running code, the innermost first. Process-bound scopes are included only where the code has its own.
    static var all: [ScopeHandle] {
        let me = Execution.current
        return sequence(first: current, next: \.outer).flatMap { frame in
            frame.handles(setBy: me).reversed() + (frame.bound.map { [$0] } ?? [])
        } + hiddenByCreation
    }

    private func handles(setBy me: Execution) -> [ScopeHandle] {
        withLock { set in
            if set.isEmpty { return [] }
            let inherited = host.flatMap { $0 == me ? nil : set[$0] } ?? []
            return inherited + (set[me] ?? [])
        }
    }

    /// Returns this frame without outer frames in which the running code, and tasks that it begins, can find nothing: those that `inner`
    /// hides, and those that bind nothing.
    ///
    /// Otherwise, if each task of a chain begins the next one inside its scope, the last task would hold the frames of all others.
    private func without(hiddenBy inner: ScopeHandle?) -> ScopeFrame? {
        // Most code runs in no frame.
        if bound == nil, outer == nil { return self }
        let me = Execution.current
        var left: [ScopeFrame] = [], next: ScopeFrame? = self
        // A loop, because a chain of tasks may be longer than the stack.
        while let frame = next, frame.bound != nil || frame.outer != nil, !frame.hasSet(for: me) {
            if let bound = frame.bound, bound.kind.number != inner?.kind.number { left.append(frame) }
            next = frame.outer
        }
        return left.reversed().reduce(next) { $1.outer === $0 ? $1 : ScopeFrame($1.bound, outer: $0) }
    }

    /// Whether `me` may find scopes that were set here, now or later.
    private func hasSet(for me: Execution) -> Bool {
        withLock { set in
            if let host, !isOver || set[host] != nil { return true }
            return set[me] != nil
        }
    }

    private static func entered(by handle: ScopeHandle?, in outer: ScopeFrame?, isInherited: Bool = false) -> ScopeFrame
    {
        ScopeFrame(handle, outer: outer?.without(hiddenBy: handle), isInherited: isInherited)
    }

    // MARK: Setting

    /// Returns the scope of a kind that the running code has set here last, if any.
    func lastSet(_ kind: ScopeKind) -> ScopeHandle? {
        let me = Execution.current
        return withLock { $0[me]?.last { $0.kind == kind } }
    }

    func push(_ handle: ScopeHandle) {
        let me = Execution.current
        ProcessWord.setScopes.add(1)
        withLock { $0[me, default: []].append(handle) }
        handle.callAtEnd { self.remove(handle, setBy: me) }
    }

    private func remove(_ handle: ScopeHandle, setBy execution: Execution) {
        ProcessWord.setScopes.subtract(1)
        discard { set in
            // Taken out of the dictionary, so that the array is changed in place. Most scopes are cleared before those set earlier.
            var handles = set.removeValue(forKey: execution) ?? []
            let removed = handles.lastIndex { $0 === handle }.map { handles.remove(at: $0) }
            if !handles.isEmpty { set[execution] = handles }
            return removed
        }
    }

    /// Ends every scope that was set here and not cleared, the youngest first.
    func end() {
        var left = withLock { set in
            isOver = true
            return set.isEmpty ? [] : set.values.flatMap { $0 }
        }
        if left.isEmpty { return }
        left.sortDescending { $0.number }
        for handle in left { handle.end() }
    }
}

// These functions return nothing: a generic result would need a specialization for each type, which costs more than the scope.

extension ScopeFrame {
    static func entering(_ handle: ScopeHandle?, in outer: ScopeFrame? = current, _ body: () -> Void) {
        let frame = entered(by: handle, in: outer)
        defer { frame.end() }
        $current.withValue(frame, operation: body)
    }

    nonisolated(nonsending) static func entering(
        _ handle: ScopeHandle?, in outer: ScopeFrame? = current, isInherited: Bool = false,
        _ body: nonisolated(nonsending) () async -> Void
    ) async {
        let frame = entered(by: handle, in: outer, isInherited: isInherited)
        defer { frame.end() }
        await $current.binding(frame, body)
    }
}

/// The innermost scope of a kind, and after its end the next one: an outer scope or a replacement is innermost at once.
///
/// Hooks, observers and clocks that always set another scope must not keep a loop from ending: it gets `mostRounds` replacements at
/// most. Outer scopes do not count, because there is an end of them.
struct InnermostScopes: Sequence, IteratorProtocol {
    private let kind: ScopeKind
    private var last: ScopeHandle?
    private var replacements = 0

    init(_ kind: ScopeKind) { self.kind = kind }

    mutating func next() -> ScopeHandle? {
        guard let next = ScopeContext.shared.innermost(kind), next !== last else { return nil }
        if let last, next.number > last.number { replacements += 1 }
        last = next
        return replacements > ReleaseHooks.mostRounds ? nil : next
    }
}
