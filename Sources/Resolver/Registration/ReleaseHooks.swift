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
