import CResolverSupport

/// Where code runs, as far as scopes are concerned: inside which `withScope` or `boundary`, and what was set there.
final class ScopeFrame: Sendable {
    @TaskLocal static var current = ScopeFrame([], outer: nil)

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
    private let bound: [ScopeHandle]
    private let outer: ScopeFrame?
    /// Who called `boundary`: child tasks see what was set there.
    private let host: Execution?
    private let set = Guarded<[Execution: [ScopeHandle]]>([:])

    init(_ bound: [ScopeHandle], outer: ScopeFrame?, host: Execution? = nil) {
        self.bound = bound
        self.outer = outer
        self.host = host
    }

    // MARK: Asking

    /// The innermost scope of a kind for the running code, be it open or not.
    static func innermost(_ kind: ScopeKind) -> ScopeHandle? {
        innermost { handles in handles.last { $0.kind == kind } }
    }

    /// All scopes of the running code, the innermost first. (Of those that are bound to the process, only where code
    /// has one of its own.)
    static var all: [ScopeHandle] {
        var all: [ScopeHandle] = []
        let _: Never? = innermost { handles in
            all += handles.reversed()
            return nil
        }
        return all
    }

    private static func innermost<Found>(_ body: ([ScopeHandle]) -> Found?) -> Found? {
        let me = Execution.current
        for frame in sequence(first: current, next: \.outer) {
            if let found = body(frame.handles(setBy: me)) ?? body(frame.bound) { return found }
        }
        return nil
    }

    private func handles(setBy me: Execution) -> [ScopeHandle] {
        set.withLock { set in
            if set.isEmpty { return [] }
            let inherited = host.flatMap { $0 == me ? nil : set[$0] } ?? []
            return inherited + (set[me] ?? [])
        }
    }

    // MARK: Setting

    func push(_ handle: ScopeHandle) {
        let me = Execution.current
        handle.isSet { self.remove(handle, setBy: me) }
        set.withLock { $0[me, default: []].append(handle) }
    }

    private func remove(_ handle: ScopeHandle, setBy execution: Execution) {
        set.discard { set in
            let old = set.removeValue(forKey: execution) ?? []
            let rest = old.filter { $0 !== handle }
            if !rest.isEmpty { set[execution] = rest }
            return old
        }
    }

    /// Ends everything that was set here and not cleared, the youngest first.
    func end() {
        let left = set.withLock { $0.values.flatMap { $0 } }
        for handle in left.sorted(by: { $0.number > $1.number }) { handle.end() }
    }
}

extension ScopeFrame {
    static func entering<Result, Failure: Error>(
        _ handles: [ScopeHandle], _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let frame = ScopeFrame(handles, outer: current)
        defer { frame.end() }
        // `withValue` does not throw what its body does by type.
        let result = $current.withValue(frame) { Swift.Result(catching: body) }
        return try result.get()
    }

    nonisolated(nonsending) static func entering<Result, Failure: Error>(
        _ handles: [ScopeHandle], isInherited: Bool = false,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let frame = ScopeFrame(handles, outer: current, host: isInherited ? .current : nil)
        defer { frame.end() }
        let result: Swift.Result<Result, Failure> = await $current.withValue(frame) {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
