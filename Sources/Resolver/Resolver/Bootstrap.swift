/// Adopt it on `Resolver` to have your registrations made before the first use:
///
///     extension Resolver: ResolverRegistering {
///         public static func registerAllServices() {
///             register { NetworkClient() as API }
///         }
///     }
///
/// Outside of the package Swift asks for `@retroactive ResolverRegistering`, as both the class and the protocol are this
/// module's; that is fine, there is one such extension in an app.
///
/// In a module whose default isolation is the main actor, write `nonisolated extension Resolver: ResolverRegistering`:
/// services are resolved from every thread, and the compiler asks for it.
public protocol ResolverRegistering: SendableMetatype {
    /// Called once, before the first `resolve` on any resolver or the first `register` on `main`. Other threads wait for
    /// it; what it resolves itself sees what is registered so far.
    static func registerAllServices()
}

/// Has a `resolver` to take services from; by default `Resolver.root`, read anew each time.
public protocol Resolving {
    /// Where to resolve from.
    var resolver: Resolver { get }
}

extension Resolving {
    /// `Resolver.root` of the moment.
    public var resolver: Resolver { Resolver.root }
}

/// Runs the app's `registerAllServices` once, before the first use of the container.
///
/// Threads that come while it runs wait for it, as for an instance; the thread that runs it sees what is registered so
/// far. A wait that could never end (its body waits for a thread that waits for it) is an error.
final class Bootstrap: Sendable {
    static let shared = Bootstrap()

    private final class Done: Sendable {}

    /// A new cell for each time: what is kept in it is the fact that it was done.
    private let cell = Guarded(InstanceCell())

    /// Returns when the registrations are there, or being made further up this thread's stack.
    func run() throws(ResolutionError) {
        while SlowPathReasons.isSet(SlowPathReasons.bootstrap) {
            let cell = cell.withLock { $0 }
            guard case .create(let maker) = try cell.enter(ResolutionCycle.current, subject: .bootstrap) else {
                return
            }
            // It may run for the first call inside a request: what it registers is for all.
            World.leave {
                ResolutionCycle.current.hiding(below: .max, for: nil) {
                    if let app = Resolver.self as Any as? any ResolverRegistering.Type { app.registerAllServices() }
                }
            }
            // What startOver replaced while it ran is run again.
            if cell.finish(maker, with: Done(), strength: .strong) { settle(cell) }
        }
    }

    /// Whether it is running further up this thread's stack.
    func isRunning(on cycle: ResolutionCycle) -> Bool {
        SlowPathReasons.isSet(SlowPathReasons.bootstrap) && cell.withLock { $0 }.isBeingFilled(by: cycle.node)
    }

    /// No call need ask any more, unless everything starts over already.
    private func settle(_ done: InstanceCell) {
        cell.withLock { if $0 === done { SlowPathReasons.set(SlowPathReasons.bootstrap, false) } }
    }

    /// Has it run again before the next use. Inside `registerAllServices` itself: no, it is running.
    func startOver() {
        let node = ResolutionCycle.current.node
        let old: InstanceCell? = cell.withLock { cell in
            if cell.isBeingFilled(by: node) { return nil }
            defer { cell = InstanceCell() }
            SlowPathReasons.set(SlowPathReasons.bootstrap, true)
            return cell
        }
        old?.empty()
    }
}
