import CResolverSupport

/// The resolution cycle of a task and its child tasks: what `ResolutionCycle` is for a thread.
///
/// Begins when an outermost asynchronous call has to wait for something, or a flight starts, and ends with it. Whatever
/// these tasks resolve meanwhile joins, synchronously or not, and shares its graph instances. Unstructured tasks do not
/// join: like a thread that a factory starts, they may outlive it, and one that waits for their sake waits for itself.
final class TaskResolutionCycle: Guarded<TaskResolutionCycle.State>, @unchecked Sendable {
    struct State {
        /// By what `ResolutionCycle` knows them by, in the form in which they are kept strongly.
        fileprivate var instances: [UInt64: AnyObject] = [:]
        fileprivate var order: [UInt64] = []
        fileprivate var isOver = false
    }

    /// Stands for all tasks of a flight in the wait graph; nil where no call can wait for what is made.
    let node: WaitNode?
    /// Its number, and those of the cycles around it: of the one in which a flight was set off, and so on.
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
