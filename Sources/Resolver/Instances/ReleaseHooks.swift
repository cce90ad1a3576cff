/// The hooks that run when an instance is released, in this order.
struct ReleaseHooks: Sendable {
    enum Hook: Sendable {
        case now(@Sendable (_ instance: AnyObject, ReleaseReason) -> Void)
        case awaited(@Sendable (_ instance: AnyObject, ReleaseReason) async -> Void)
    }

    /// How often the engine repeats a step that code of the user undoes each time, such as a hook that always creates another instance.
    static let mostRounds = 10

    var hooks: [Hook] = []

    var hasToBeAwaited: Bool { hooks.contains { if case .awaited = $0 { true } else { false } } }

    /// Runs the hooks. The first asynchronous hook, and all hooks after it, run in a separate task.
    func run(_ instance: AnyObject, _ reason: ReleaseReason) {
        for (index, hook) in hooks.enumerated() {
            switch hook {
            case .now(let run): run(instance, reason)
            case .awaited:
                let rest = ReleaseHooks(hooks: Array(hooks[index...]))
                // Only services that are Sendable have asynchronous hooks.
                let sent = UncheckedSendable(value: instance)
                TaskFrame.outside { _ = Task { await rest.runAndWait(sent, reason) } }
                return
            }
        }
    }

    /// Runs the hooks, each after the one before has returned.
    func runAndWait(_ instance: UncheckedSendable<AnyObject>, _ reason: ReleaseReason) async {
        for hook in hooks {
            switch hook {
            case .now(let run): run(instance.value, reason)
            case .awaited(let run): await run(instance.value, reason)
            }
        }
    }
}

/// The reason why an instance is released. Release hooks use it to commit in one case and roll back in all others.
///
///     register { Transaction() }
///         .onRelease { transaction, reason in
///             if case .returned = reason { transaction.commit() } else { transaction.rollBack() }
///         }
///
/// Later versions may add cases.
public enum ReleaseReason: Sendable {
    /// `withScope` has ended, and its body has returned.
    case returned
    /// `withScope` has ended, and its body has thrown this error.
    case threw(any Error)
    /// `withScope` has ended, and its body has thrown this error in a cancelled task, or because of a cancellation.
    case cancelled(any Error)
    /// `end()` or `endAndWait()` ended the scope without another reason.
    case ended
    /// The scope was cleared.
    case cleared
    /// Another scope of the kind replaced this one.
    case replaced
    /// The scope has expired.
    case expired
    /// The last reference to the handle of an open scope was released.
    case dropped
    /// The instance was released for a reason other than the end of its scope.
    ///
    /// It was reset, its service was registered again, its time to live is over, its resolver has ended, or its scope ended before the
    /// instance was finished.
    case released

    /// Creates the reason for a body that threw `error`.
    ///
    /// It is `cancelled` if the running task is cancelled or the error is a `CancellationError`, and `threw` otherwise.
    public init(_ error: any Error) {
        self = error is CancellationError || Task.isCancelled ? .cancelled(error) : .threw(error)
    }

    /// The error of `threw` and `cancelled`.
    public var error: (any Error)? {
        switch self {
        case .threw(let error), .cancelled(let error): error
        default: nil
        }
    }
}
