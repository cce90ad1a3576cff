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
    /// Called once, before the first `resolve` on any resolver or the first `register` on `main`. Other threads wait until it
    /// returns. Calls inside it find the services registered so far.
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
/// Other threads wait for it, as for an instance. Calls of the thread that runs it find the services registered so far. If
/// `registerAllServices` waits for a thread that waits for it, that is an error.
final class Bootstrap: Sendable {
    static let shared = Bootstrap()

    /// The cell in which one thread runs the registrations and others wait. It keeps nothing: `isDue` says whether they have run.
    private let cell = InstanceCell()
    /// The number of calls of `startOver`. Its lock also guards changes of `isDue`.
    private let starts = Guarded(0)

    /// Whether the registrations have to run before the next use.
    private var isDue: Bool { SlowPathReasons.isSet(SlowPathReasons.bootstrap) }

    /// Returns when the services are registered, or are being registered further up this thread's stack.
    func run() throws(ResolutionError) {
        let thread = ResolutionCycle.current
        if thread.isRegistering { return }
        while isDue {
            let access = try cell.enter(thread, subject: .bootstrap, isWanted: { isDue })
            // Another thread has run them.
            if case .retired = access { continue }
            guard case .create(let claim) = access else { return }
            let start = starts.withLock { $0 }
            // The first call may come from inside a request, but the registrations are for all callers.
            thread.isRegistering = true
            World.leave {
                thread.hiding(below: .max, for: nil) {
                    if let app = Resolver.self as Any as? any ResolverRegistering.Type { app.registerAllServices() }
                }
            }
            thread.isRegistering = false
            // If another thread has started over meanwhile, the registrations run again. Until then, calls go on waiting.
            starts.withLock { if $0 == start { SlowPathReasons.set(SlowPathReasons.bootstrap, false) } }
            cell.finish(claim, without: .failed)
        }
    }

    /// Returns the current `main` or `root` after the bootstrap has run, because it may replace both.
    func prepared(_ current: () -> Resolver) -> Resolver {
        while true {
            // An error here occurs again when the resolver is asked, and then names the requested service.
            let isError = isDue && (try? run()) == nil
            let resolver = current()
            // A reset may have replaced it since then.
            if isError || !isDue || ResolutionCycle.current.isRegistering { return resolver }
        }
    }

    /// Makes the bootstrap run again before the next use, except inside `registerAllServices`.
    ///
    /// - Parameter replace: replaces `main` and `root`, and calls no code of the user.
    func startOver(_ replace: () -> Void) {
        if ResolutionCycle.current.isRegistering { return replace() }
        starts.withLock { starts in
            starts += 1
            SlowPathReasons.set(SlowPathReasons.bootstrap, true)
            // The replacement comes last: a thread that finds the empty new resolvers must see that the bootstrap has to run.
            replace()
        }
    }
}

extension ResolutionCycle {
    /// Whether `registerAllServices` is running on the thread.
    var isRegistering: Bool {
        get { state.pointee.isRegistering }
        nonmutating set { state.pointee.isRegistering = newValue }
    }
}
