/// A type that registers an app's services before the first use of the container. Adopt it on `Resolver`:
///
///     extension Resolver: ResolverRegistering {
///         public static func registerAllServices() {
///             register { NetworkClient() as API }
///         }
///     }
///
/// Outside of the package, Swift requires `@retroactive ResolverRegistering`, because both types belong to this module. That
/// is safe: an app has one such extension.
///
/// In a module whose default isolation is the main actor, write `nonisolated extension Resolver: ResolverRegistering`.
/// Services are resolved from every thread, so the compiler requires it.
public protocol ResolverRegistering: SendableMetatype {
    /// Registers the app's services.
    ///
    /// Called once, before the first `resolve` on any resolver or the first `register` on `main`. Other threads wait for it.
    /// Calls that it makes itself see the services registered so far.
    static func registerAllServices()
}

/// A type with a `resolver` that provides its services; by default `Resolver.root`, read at each use.
public protocol Resolving {
    /// The resolver that provides the services.
    var resolver: Resolver { get }
}

extension Resolving {
    /// The current `Resolver.root`.
    public var resolver: Resolver { Resolver.root }
}

/// Runs the app's `registerAllServices` once, before the first use of the container.
///
/// Other threads wait for it, as for an instance. The thread that runs it sees the services registered so far. A wait that
/// could never end, because `registerAllServices` waits for a thread that waits for it, is an error.
final class Bootstrap: Sendable {
    static let shared = Bootstrap()

    private final class Done: Sendable {}

    /// The cell of the bootstrap, which each `startOver` replaces. If it keeps an instance, the bootstrap is done.
    private let cell = Guarded(InstanceCell())

    /// Returns when the services are registered, or are being registered further up this thread's stack.
    func run() throws(ResolutionError) {
        let thread = ResolutionCycle.current
        if thread.isRegistering { return }
        while SlowPathReasons.isSet(SlowPathReasons.bootstrap) {
            let cell = cell.withLock { $0 }
            let access = try cell.enter(thread, subject: .bootstrap)
            // `startOver` has replaced the cell.
            if case .retired = access { continue }
            guard case .create(let maker) = access else { return }
            // The first call may come from inside a request, but the registrations are for all callers.
            thread.isRegistering = true
            World.leave {
                thread.hiding(below: .max, for: nil) {
                    if let app = Resolver.self as Any as? any ResolverRegistering.Type { app.registerAllServices() }
                }
            }
            thread.isRegistering = false
            // If `startOver` replaced the cell meanwhile, the bootstrap runs again. Otherwise calls skip it from now on.
            guard cell.finish(maker, with: Done(), strength: .strong) else { continue }
            self.cell.withLock { if $0 === cell { SlowPathReasons.set(SlowPathReasons.bootstrap, false) } }
        }
    }

    /// Returns the current `main` or `root` after the bootstrap has run, because it may replace both.
    func prepared(_ current: () -> Resolver) -> Resolver {
        while true {
            // An error here occurs again when the resolver is asked, and then names the requested service.
            let isError = SlowPathReasons.isSet(SlowPathReasons.bootstrap) && (try? run()) == nil
            let resolver = current()
            // A reset may have replaced it since then.
            if isError || !SlowPathReasons.isSet(SlowPathReasons.bootstrap) || ResolutionCycle.current.isRegistering {
                return resolver
            }
        }
    }

    /// Makes the bootstrap run again before the next use, except inside `registerAllServices`.
    ///
    /// - Parameter replace: replaces `main` and `root`, and calls nothing of the user's.
    func startOver(_ replace: () -> Void) {
        if ResolutionCycle.current.isRegistering { return replace() }
        let old = cell.withLock { cell in
            defer { cell = InstanceCell() }
            // A thread that has read the cell before does not begin beside the next run.
            cell.retire()
            SlowPathReasons.set(SlowPathReasons.bootstrap, true)
            // Last: a thread that finds the new resolvers finds them empty, and must see that the bootstrap has to run.
            replace()
            return cell
        }
        old.empty()
    }
}

extension ResolutionCycle {
    /// Whether `registerAllServices` is running on the thread.
    var isRegistering: Bool {
        get { state.pointee.isRegistering }
        nonmutating set { state.pointee.isRegistering = newValue }
    }
}
