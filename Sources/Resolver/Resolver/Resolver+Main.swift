extension Resolver {
    private struct Places {
        var main: Resolver
        /// nil until `root` is first read or assigned: it starts as what `main` is then.
        var root: Resolver?
    }

    /// What the process starts with, as `main` and as `root`. It lives as long as the process, so that static functions
    /// can use it without retaining it, as long as it has not been replaced.
    static let first = Resolver()

    private static let places = Guarded(Places(main: first, root: nil))

    /// Where static `register` registers.
    public static var main: Resolver {
        get { World.current?.main ?? places.withLock { $0.main } }
        set {
            if let own = World.current, own.main != nil { return own.main = newValue }
            places.discard { places in
                let old = places.main
                places.main = newValue
                return old
            }
        }
    }

    /// Whom static `resolve` and property wrappers ask. Starts as `main`; does not move when `main` is assigned later.
    public static var root: Resolver {
        get {
            if let own = World.current { return own.root }
            return places.withLock { places in
                if let root = places.root { return root }
                places.root = places.main
                attend(to: places.main)
                return places.main
            }
        }
        set {
            if let own = World.current { return own.root = newValue }
            place(main: nil, root: newValue)
        }
    }

    /// Starts over: a new `main`, which is also `root`; `application`, `cached` and `shared` are reset, and
    /// `registerAllServices` runs again before the next use.
    ///
    /// What else exists stays: other resolvers, scopes of your own, `defaultScope` and `decorate`. In a test with a resolver
    /// of its own, that one is emptied, and nothing else.
    public static func reset() {
        if let main = mainStartedOver() { return main.reset(.all) }
        ResolverScope.application.reset()
        ResolverScope.cached.reset()
        ResolverScope.shared.reset()
    }

    /// Starts over as `reset()` does, and returns when the release hooks of the instances have run.
    nonisolated(nonsending) public static func resetAndWait() async {
        // Held until the end: what it keeps would go with it, and nothing would wait for the hooks.
        var old = [main]
        if root !== old[0] { old.append(root) }
        if let main = mainStartedOver() { return await main.resetAndWait(.all) }
        await ResolverScope.application.resetAndWait()
        await ResolverScope.cached.resetAndWait()
        ResolverScope.shared.reset()
        for index in old.indices where isKnownUniquelyReferenced(&old[index]) { await old[index].resetAndWait(.all) }
    }

    /// In a test, its resolver, which is also `root` from now on. Elsewhere nil: there are new ones.
    private static func mainStartedOver() -> Resolver? {
        if let own = World.current, let main = own.main {
            own.root = main
            return main
        }
        let fresh = Resolver()
        place(main: fresh, root: fresh)
        Bootstrap.shared.startOver()
        return nil
    }

    /// From now on tasks may have a root of their own, and `announce` says so.
    static func lookForRoots(_ announce: () -> Void) {
        places.withLock { _ in
            // First, as a thread that hears of it enters at once.
            SlowPathReasons.set(SlowPathReasons.rootReplaced, true)
            announce()
        }
    }

    /// Static functions have to look for their root once anybody has replaced it, be it for a while. Under the lock, so that
    /// no thread that has not seen that yet says the contrary afterwards.
    private static func attend(to root: Resolver) {
        SlowPathReasons.set(SlowPathReasons.rootReplaced, root !== first || World.wereThereAny)
    }

    private static func place(main: Resolver?, root: Resolver) {
        places.discard { places in
            let old = places
            if let main { places.main = main }
            places.root = root
            attend(to: root)
            return old
        }
    }
}
