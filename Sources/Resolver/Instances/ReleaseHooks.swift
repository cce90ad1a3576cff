/// What is to be done with an instance that its keeper lets go of, in this order.
struct ReleaseHooks: Sendable {
    enum Hook: Sendable {
        case now(@Sendable (_ instance: AnyObject, ReleaseReason) -> Void)
        case awaited(@Sendable (_ instance: AnyObject, ReleaseReason) async -> Void)
    }

    var hooks: [Hook] = []

    var hasToBeAwaited: Bool {
        hooks.contains { if case .awaited = $0 { true } else { false } }
    }

    /// Runs the hooks; from the first on that has to be awaited, in a task of their own.
    func run(_ instance: AnyObject, _ reason: ReleaseReason) {
        for (index, hook) in hooks.enumerated() {
            switch hook {
            case .now(let run): run(instance, reason)
            case .awaited:
                let rest = ReleaseHooks(hooks: Array(hooks[index...]))
                // The instance belongs to asynchronous hooks, whose services are Sendable.
                let sent = UncheckedSendable(value: instance)
                Task { await rest.runAndWait(sent, reason) }
                return
            }
        }
    }

    /// Runs the hooks, each when the one before is done.
    func runAndWait(_ instance: UncheckedSendable<AnyObject>, _ reason: ReleaseReason) async {
        for hook in hooks {
            switch hook {
            case .now(let run): run(instance.value, reason)
            case .awaited(let run): await run(instance.value, reason)
            }
        }
    }
}

/// Why an instance is released, for release hooks that commit in one case and roll back in all others.
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
    /// `withScope` has ended, and its body has thrown this error in a task that was cancelled, or because of a cancellation.
    case cancelled(any Error)
    /// The scope was ended by `end()` or `endAndWait()`, which may also pass another reason.
    case ended
    /// The scope was cleared.
    case cleared
    /// Another scope of the kind has taken the place of this one.
    case replaced
    /// The scope has expired.
    case expired
    /// The last reference to the handle of an open scope has gone.
    case dropped
    /// The end of a scope is not what released it: the instance was reset, its service was registered again, its time to live is over, or its
    /// resolver has ended; or it was finished when its scope had ended already.
    case released

    /// The reason for a body that has thrown `error`: `cancelled` if the running task is cancelled or the error is a `CancellationError`,
    /// otherwise `threw`.
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
