import CResolverSupport

/// The resolution cycle of a thread: the path of registrations whose factories run, and the instances that they share.
///
/// A cycle begins when an outermost call creates an instance, and ends when that call returns. A hit in the slot of a registration never
/// touches the cycle. All services that a factory resolves on its thread join: through its resolver, static functions, and property
/// wrappers.
///
/// The memory belongs to one thread. It is allocated when the thread first needs it, and freed when the thread ends.
/// Other threads read the path while the owner sleeps in the wait graph, which orders the two.
struct ResolutionCycle: @unchecked Sendable {
    struct Frame {
        let registration: Unretained<AnyResolverRegistration>
        let hasArguments: Bool
        /// `State.seen` before this frame.
        let seen: UInt64

        @inline(__always)
        init(_ registration: AnyResolverRegistration, _ hasArguments: Bool, _ seen: UInt64) {
            self.registration = Unretained(registration)
            self.hasArguments = hasArguments
            self.seen = seen
        }
    }

    struct State {
        var frames = UnsafeMutablePointer<Frame>.allocate(capacity: 32)
        var capacity = 32
        var depth = 0
        /// A bit for each registration on the path, by its number. A registration whose bit is not set is not on the path, so
        /// no search is needed.
        var seen: UInt64 = 0
        /// The steps without a registration, and the depth of each.
        var steps: [(depth: Int, element: ResolutionStep)] = []
        var graph = CycleInstances()
        /// Errors that pass through functions that cannot throw, the innermost last. See `holdingErrors`.
        var pendingErrors: [PendingError] = []
        var hasPendingErrors = false
        /// The number of scopes being asked. Each returns to the engine, which looks for a pending error.
        var asking = 0
        var asked = Asked()
        /// The reason of the last nil result, for the call that reports it.
        var lastNilResult: NilResult?
        /// The error of the call that has just failed, until its call site is known.
        var failure: (any Error)?
        /// Factories are refused when the stack pointer is below this address.
        let stackLimit: UInt
        /// Above this address, less than a quarter of the stack is used.
        let ampleStackLimit: UInt
        let isOnMainThread: Bool
        /// See `Bootstrap`.
        var isRegistering = false
        let node: WaitNode
        /// A number that is never reused, unlike the number of a thread.
        let number: UInt64
        var hidden = CaptiveDependencyGuard.none
        /// The creations that may share the object of the running factory.
        var range = SharingRange()
        /// See `releaseInTurn`.
        var inTurn: [AnyObject] = []
        var isReleasingInTurn = false
        /// The number of the registration or store whose release a scope is told of, or 0, and the stores that the scope has asked since.
        var told: (number: UInt64, stores: [UInt64]) = (0, [])
        /// A bit for each type of event whose observers are running. Events of this type that they cause are not reported.
        var reporting: UInt8 = 0
        /// The number of factories that have run while there was an observer.
        var made: UInt64 = 0
        /// The current pass of an asynchronous call.
        var pass: AsyncPass?

        init() {
            var lowest: UInt = 0
            var size: UInt = 0
            resolver_stack_extent(&lowest, &size)
            // Enough for a factory that resolves nothing, and for the runtime, which takes up to 30 KiB where it meets a
            // generic type for the first time.
            stackLimit = size == 0 ? 0 : lowest + min(128 << 10, max(44 << 10, size / 3))
            ampleStackLimit = size == 0 ? .max : lowest + size / 4 * 3
            isOnMainThread = resolver_is_main_thread()
            node = WaitNode()
            number = ProcessIdentity.next()
        }

        /// Creates the state of another cycle on the thread of `outer`, which goes on when that cycle has ended.
        init(inside outer: State) {
            (stackLimit, ampleStackLimit) = (outer.stackLimit, outer.ampleStackLimit)
            isOnMainThread = outer.isOnMainThread
            (node, number) = (outer.node, outer.number)
            isRegistering = outer.isRegistering
        }

        /// Whether a factory, a scope, an observer or `registerAllServices` is running.
        var isBusy: Bool { depth > 0 || !steps.isEmpty || asking > 0 || pass != nil || reporting != 0 || isRegistering }

        func deallocate() {
            frames.deallocate()
            graph.deallocate()
        }
    }

    let state: UnsafeMutablePointer<State>

    @inline(__always)
    init(state: UnsafeMutablePointer<State>) { self.state = state }

    /// The cycle of the running thread.
    @inline(__always)
    static var current: ResolutionCycle {
        if let memory = resolver_thread_cycle_get() {
            return ResolutionCycle(state: memory.assumingMemoryBound(to: State.self))
        }
        return make()
    }

    @inline(never)
    static func make() -> ResolutionCycle {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State())
        let cycle = ResolutionCycle(state: state)
        resolver_thread_cycle_set(state) { memory in
            guard let state = memory?.assumingMemoryBound(to: State.self) else { return }
            state.pointee.deallocate()
            state.deinitialize(count: 1)
            state.deallocate()
        }
        return cycle
    }

    var node: WaitNode { state.pointee.node }
    var number: UInt64 { state.pointee.number }
    var isOnMainThread: Bool { state.pointee.isOnMainThread }
    /// Whether an outermost call is in progress.
    @inline(__always) var isOpen: Bool { state.pointee.depth > 0 }

    /// Whether a task may begin on this thread at once: no code that the engine has called is running here, little of the stack is used,
    /// and the task keeps neither an actor nor a task executor busy.
    var canStartTaskAtOnce: Bool {
        // Not `#isolation`: Swift 6.3 stays on an actor and passes none where it converts a function that runs on its caller's actor to
        // one that leaves it.
        !state.pointee.isBusy && resolver_stack_address() > state.pointee.ampleStackLimit
            && resolver_is_on_default_executor()
    }

    // MARK: The path

    /// Enters the factory of `registration`, which the caller keeps alive until `leave`.
    ///
    /// - Returns: an error if it cannot: `.circularDependency` if the factory is running already, both times without arguments;
    ///   `.tooDeep` if the stack would not suffice. (Not thrown: where this is inlined, a typed throw beside an untyped one makes
    ///   Swift 6.3 generate code that it then rejects.)
    @inline(__always)
    func enter(_ registration: AnyResolverRegistration, hasArguments: Bool) -> ResolutionError? {
        let depth = state.pointee.depth
        let seen = state.pointee.seen
        let bit = 1 &<< registration.number
        if seen & bit != 0, !hasArguments, let error = dependencyCycle(closedBy: registration, depth) { return error }
        if hasLittleStack { return stackEnds(before: registration) }
        if depth == state.pointee.capacity { grow() }
        (state.pointee.frames + depth).initialize(to: Frame(registration, hasArguments, seen))
        state.pointee.depth = depth &+ 1
        state.pointee.seen = seen | bit
        return nil
    }

    /// Leaves the factory. The outermost call ends the cycle and releases its instances, the youngest first.
    @inline(__always)
    func leave() {
        let depth = state.pointee.depth &- 1
        state.pointee.depth = depth
        state.pointee.seen = state.pointee.frames[depth].seen
        if depth == 0, state.pointee.graph.count > 0 { releaseGraph() }
    }

    /// Returns the error if `registration` is on the path already. An alias creates nothing, so its source detects a dependency cycle.
    @inline(never)
    func dependencyCycle(closedBy registration: AnyResolverRegistration, _ depth: Int) -> ResolutionError? {
        if registration.isAlias { return nil }
        let frames = state.pointee.frames
        var index = depth - 1
        while index >= 0 {
            if frames[index].registration.refers(to: registration), !frames[index].hasArguments {
                let before = index + state.pointee.steps.count { $0.depth <= index }
                return .dependencyCycle(elements.dropFirst(before) + [.registration(registration)])
            }
            index -= 1
        }
        return nil
    }

    @inline(never)
    func grow() {
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: 2 * state.pointee.capacity)
        larger.moveInitialize(from: state.pointee.frames, count: state.pointee.depth)
        state.pointee.frames.deallocate()
        state.pointee.frames = larger
        state.pointee.capacity *= 2
    }

    /// Whether the stack would not suffice for another factory.
    @inline(__always)
    var hasLittleStack: Bool { resolver_stack_address() < state.pointee.stackLimit }

    /// - Throws: `.tooDeep` if the stack would not suffice.
    func requireStack(for registration: AnyResolverRegistration) throws {
        if hasLittleStack { throw stackEnds(before: registration) }
    }

    @inline(never)
    func stackEnds(before registration: AnyResolverRegistration) -> ResolutionError {
        // The path is only copied here: little stack is left, and the functions that format names need much.
        let path = elements + [.registration(registration)], task = TaskFrame.current
        return .tooDeep { (DependencyPath(task).elements + path).map(\.hop) }
    }

    /// The path, the outermost step first.
    func path() -> [ResolutionError.Hop] { makingPath.elements.map(\.hop) }

    /// The path of this thread and of the task it runs, for other threads to read while this one waits.
    var makingPath: DependencyPath { DependencyPath(TaskFrame.current, on: self) }

    /// The steps of this thread alone. Those without a registration are in the order of their depths.
    var elements: [ResolutionStep] {
        var elements: [ResolutionStep] = [], others = state.pointee.steps[...]
        for depth in 0...state.pointee.depth {
            while others.first?.depth == depth { elements.append(others.removeFirst().element) }
            if depth == state.pointee.depth { break }
            elements.append(.registration(state.pointee.frames[depth].registration.object))
        }
        return elements
    }

    /// Calls `body`, which creates an instance without a registration.
    func making<Result>(_ element: ResolutionStep, _ body: () -> Result) -> Result {
        state.pointee.steps.append((state.pointee.depth, element))
        defer { state.pointee.steps.removeLast() }
        return body()
    }

    /// Calls `body`, which tells a scope that the instances of a registration or a store were released.
    func telling(_ number: UInt64, _ body: () -> Void) {
        let outer = state.pointee.told
        state.pointee.told = (number, [])
        defer { state.pointee.told = outer }
        withoutPass(body)
    }

    /// Returns whether a scope is told of the release of a registration's or a store's instances, and now asks `store` for the first time
    /// to release them. If so, `store` has only instances that were created since that release.
    func takeTold(_ number: UInt64, in store: InstanceStore) -> Bool {
        let isTold = state.pointee.told.number == number && !state.pointee.told.stores.contains(store.number)
        if isTold { state.pointee.told.stores.append(store.number) }
        return isTold
    }

    // MARK: Contexts

    /// Calls `body`, which creates `consumer` for a scope of a rank, and hides shorter-lived contexts: see `CaptiveDependencyGuard`.
    @inline(__always)
    func hiding<Result>(
        below rank: Int, for consumer: AnyResolverRegistration?, _ body: () throws -> Result
    ) rethrows -> Result {
        var other = CaptiveDependencyGuard(below: rank, in: state.pointee.hidden, by: number, for: consumer)
        swap(&state.pointee.hidden, &other)
        // A kept instance holds nothing of the scopes that are hidden from it, so its consumers do not depend on them.
        let range = beginSharing()
        defer {
            swap(&state.pointee.hidden, &other)
            let inner = self.range
            self.range = range
            self.range.dependOnUnfinished(of: inner)
        }
        return try body()
    }

    /// Whether no scope is hidden, and no asynchronous call is running.
    @inline(__always)
    var hidesNone: Bool { state.pointee.hidden.areNone && !TaskResolutionCycle.areThereAny }

    /// Returns the step from which `scope` is hidden; nil if the scope is visible.
    func consumer(hiding scope: ScopeHandle) -> ResolutionStep? {
        state.pointee.hidden.consumer(hiding: scope) ?? TaskFrame.current?.cycle.hidden.consumer(hiding: scope)
    }
}
