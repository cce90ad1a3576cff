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
