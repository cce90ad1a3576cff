extension Resolver {
    private struct Roots {
        var main: Resolver
        /// nil until `root` is first read or assigned. It then starts as the current `main`.
        var root: Resolver?
    }

    /// The initial `main` and `root` of the process.
    ///
    /// It is never released, so static functions can use it unretained until it is replaced.
    static let first = Resolver()

    private static let roots = Guarded(Roots(main: first, root: nil))

    /// The resolver on which static `register` registers.
    public static var main: Resolver {
        get { World.current?.main ?? roots.withLock { $0.main } }
        set {
            if let own = World.current, own.main != nil { return own.main = newValue }
            roots.replace(\.main, by: newValue)
        }
    }

    /// The resolver that static `resolve` and property wrappers use.
    ///
    /// It starts as `main`, and does not follow later assignments of `main`.
    public static var root: Resolver {
        get {
            if let own = World.current { return own.root }
            return roots.withLock { roots in
                if let root = roots.root { return root }
                roots.root = roots.main
                attend(to: roots.main)
                return roots.main
            }
        }
        set {
            if let own = World.current { return own.root = newValue }
            _ = replace(main: nil, root: newValue)
        }
    }

    /// The current root. Unlike a read of `root`, this settles nothing: it is `main` until code reads or assigns `root`.
    static var unsettledRoot: Resolver { World.current?.root ?? roots.withLock { $0.root ?? $0.main } }

    /// Replaces `main` and `root` by a new resolver, and resets the scopes `application`, `cached` and `shared`.
    ///
    /// `registerAllServices` runs again before the next use. Other resolvers, custom scopes, `defaultScope` and `decorate`
    /// stay. In a test with its own resolver, this function resets only that resolver. If such a test has assigned a resolver of the process
    /// to `main`, this function releases the instances of the test.
    public static func reset() {
        if let main = mainStartedOver() { return main.reset(.all) }
        ResolverScope.application.reset()
        ResolverScope.cached.reset()
        ResolverScope.shared.reset()
    }

    /// Resets as `reset()` does, and returns when the release hooks have run.
    nonisolated(nonsending) public static func resetAndWait() async {
        // `old` is retained until the end: a resolver that is released earlier does not await its hooks.
        var old = [main]
        if root !== old[0] { old.append(root) }
        if let main = mainStartedOver() {
            await main.resetAndWait(.all)
        } else {
            await ResolverScope.application.resetAndWait()
            await ResolverScope.cached.resetAndWait()
            ResolverScope.shared.reset()
        }
        for index in old.indices where isKnownUniquelyReferenced(&old[index]) { await old[index].resetAndWait(.all) }
    }

    /// In a test, returns the test's resolver, which becomes `root`; nil if the test has assigned a resolver of the process. Outside of
    /// tests, replaces `main` and `root`, and returns nil.
    private static func mainStartedOver() -> Resolver? {
        if let own = World.current, let main = own.main {
            own.root = main
            return main.owner.test == 0 ? nil : main
        }
        let fresh = Resolver()
        var old: Roots?
        Bootstrap.shared.startOver { old = replace(main: fresh, root: fresh) }
        // Released outside of all locks.
        withExtendedLifetime(old) {}
        return nil
    }

    /// Makes static functions look for a task's own root from now on, and calls `announce`.
    static func lookForRoots(_ announce: () -> Void) {
        roots.withLock { _ in
            // The bit is set first, because a thread may enter as soon as it sees the announcement.
            SlowPathReasons.set(SlowPathReasons.rootReplaced, true)
            announce()
        }
    }

    /// Makes static functions look for their root if it is not `first`, or if a task ever had its own.
    ///
    /// Called under the lock, so that a thread with an outdated view cannot clear the bit afterwards.
    private static func attend(to root: Resolver) {
        // The fast path reads the address from here: a lazy constant would be checked at each call.
        ProcessWord.firstResolver.store(Unretained(first).word)
        SlowPathReasons.set(SlowPathReasons.rootReplaced, root !== first || World.wereThereAny)
    }

    /// Replaces `root`, and `main` if there is a new one, and returns the old ones, which the caller releases.
    private static func replace(main: Resolver?, root: Resolver) -> Roots {
        roots.withLock { roots in
            let old = roots
            if let main { roots.main = main }
            roots.root = root
            attend(to: root)
            return old
        }
    }
}

// MARK: The app's registrations

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
