/// Task-local overrides of process-wide state: `root`, and in a test also `main` and the current scopes of process-bound kinds.
final class World: Sendable {
    private struct Roots {
        var main: Resolver?
        var root: Resolver
    }

    /// The state of a test. Its registrations, current scopes and resets do not affect the process.
    final class Test: Sendable {
        /// The number of the test. Unlike an address, it is never reused.
        let number = ProcessIdentity.next()
        let context = Guarded(ContextState())
        /// The cells that definitions share: they outlive the registrations, as singletons do.
        private let shared = Guarded([ObjectIdentifier: InstanceCell]())
        /// The test of the suite around this one, whose resolver is searched after this test's resolver.
        let outer = World.current?.test
        /// Called with the lookup of each service that is resolved in the test.
        let watch: ResolutionEvent.Watch?
        /// Called, instead of `Resolver.report`, with errors that have no caller to throw to, and with errors that end the program.
        let report: (@Sendable (ResolutionError) -> Void)?
        private let isWatched: Bool
        private let ended = AtomicWord(0)
        private static let watched = Guarded(0)

        fileprivate init(
            watch: ResolutionEvent.Watch?, report: (@Sendable (ResolutionError) -> Void)?, isOfTrait: Bool
        ) {
            self.isOfTrait = isOfTrait
            self.watch = watch ?? outer?.watch
            self.report = report ?? outer?.report
            isWatched = watch != nil
            if isWatched { Test.count(1) }
        }

        deinit { ended.deallocate() }

        func keep(_ cell: InstanceCell) { shared.discard { $0.updateValue(cell, forKey: ObjectIdentifier(cell)) } }

        /// Whether a trait has begun the test. In that case, a suite around it has run its closure for this test alone.
        private let isOfTrait: Bool

        /// The test, and the suites whose resolvers were created for it alone. Any other test around it may contain further tests.
        var withSuites: UnfoldFirstSequence<Test> {
            sequence(first: self) { test in test.isOfTrait ? test.outer.flatMap { $0.isOfTrait ? $0 : nil } : nil }
        }

        var sharedCells: [InstanceCell] { shared.withLock { Array($0.values) } }

        /// Whether the test has ended. Tasks that it started may still run.
        var hasEnded: Bool { ended.load() != 0 }

        func end() {
            ended.store(1)
            if isWatched { Test.count(-1) }
        }

        /// Counts the tests that watch. Calls take the slow path only while there are any.
        private static func count(_ change: Int) {
            watched.withLock { watched in
                watched += change
                SlowPathReasons.set(SlowPathReasons.watched, watched > 0)
            }
        }
    }

    @TaskLocal private static var innermost: World?

    /// What the world stands for. A test has three worlds, one after the other: the end of one creates the next.
    private enum Stage {
        /// Another `root`, in the world of a test, or outside of tests.
        case root(in: World?)
        case running(OuterWorld)
        /// The test has ended, and no task of it runs any more. What its resolvers hold is released here, such as a mock that a factory
        /// captured.
        case late(OuterWorld)
        /// What code of the late world has resolved is released here.
        case last
    }

    /// The code around a test. A task of the test may live longer.
    private enum OuterWorld {
        case process(Roots)
        case test(World)

        var roots: Roots {
            switch self {
            case .process(let roots): roots
            case .test(let world): world.roots.withLock { $0 }
            }
        }
    }

    private let roots: Guarded<Roots>
    let test: Test?
    private let stage: Stage

    private init(_ stage: Stage, _ roots: Roots, _ test: Test?) {
        (self.stage, self.roots, self.test) = (stage, Guarded(roots), test)
    }

    /// Creates a world with another `root`, inside `outer`.
    convenience init(root: Resolver, in outer: World? = .current) {
        self.init(.root(in: outer?.ofTest), Roots(main: outer?.main, root: root), outer?.test)
    }

    /// Creates the world of a test. It has the `main` and `root` of the code around it, until `isolateMain` replaces them.
    convenience init(
        testing main: Resolver, root: Resolver, watch: ResolutionEvent.Watch?,
        report: (@Sendable (ResolutionError) -> Void)?, isOfTrait: Bool
    ) {
        let roots = Roots(main: main, root: root), current = World.current
        let around = current?.test == nil ? OuterWorld.process(roots) : .test(current!)
        self.init(.running(around), roots, Test(watch: watch, report: report, isOfTrait: isOfTrait))
    }

    deinit {
        guard let test else { return }
        switch stage {
        case .root, .last: return
        case .running(let around):
            // Hooks of instances that tasks have created since the test's end still find the test's services, even in separate tasks.
            World(.late(around), takeRoots(around.roots), test).release(test)
        case .late(let around):
            let last = World(.last, around.roots, test)
            last.enter {
                last.isolateMain()
                withExtendedLifetime(takeRoots(around.roots)) {}
            }
            last.release(test)
        }
    }

    private func release(_ test: Test) {
        enter { ScopeFrame.entering(nil, in: nil) { World.releaseInstances(of: test) } }
    }

    private func takeRoots(_ outside: Roots) -> Roots {
        roots.withLock { roots in
            defer { roots = Roots(main: nil, root: outside.root) }
            return roots
        }
    }

    /// Replaces `main` and `root` with a resolver of the test, which isolates both. Called inside the test, because a resolver
    /// records its test.
    func isolateMain() {
        let (outer, outerRoot) = roots.withLock { ($0.main ?? $0.root, $0.root) }
        let own = Resolver(isolating: outerRoot)
        if outer !== outerRoot { own.add(child: outer) }
        own.clock = outer.clock
        own.defaultScope = outer.defaultScope
        (main, root) = (own, own)
    }

    /// The world in which the test began; nil outside of tests.
    var ofTest: World? { if case .root(let world) = stage { world } else { self } }

    static var wereThereAny: Bool { ProcessWord.worlds.load() != 0 }

    /// The number of the test in which the calling code runs; 0 outside of tests.
    static var testNumber: UInt64 { current?.test?.number ?? 0 }

    /// The world of the running code; nil if it has none.
    static var current: World? { wereThereAny ? innermost : nil }

    var main: Resolver? {
        get { roots.withLock { $0.main } }
        set { roots.replace(\.main, by: newValue) }
    }

    var root: Resolver {
        get { roots.withLock { $0.root } }
        set { roots.replace(\.root, by: newValue) }
    }

    // MARK: Entering

    func enter(_ body: () -> Void) {
        World.prepare()
        World.$innermost.withValue(self, operation: body)
    }

    nonisolated(nonsending) func enter(_ body: nonisolated(nonsending) () async -> Void) async {
        World.prepare()
        await World.$innermost.binding(self, body)
    }

    /// Runs `body` outside of every world, on the state of the process.
    static func leave(_ body: () -> Void) {
        if current == nil { return body() }
        $innermost.withValue(nil, operation: body)
    }

    private static func prepare() { if !wereThereAny { Resolver.lookForRoots { ProcessWord.worlds.store(1) } } }
}

/// The current scopes of process-bound kinds, and what is counted for kinds, in the process or in a test.
struct ContextState {
    /// One for each kind.
    private(set) var all: [ScopeHandle] = []
    /// The limits of kinds, and the numbers of instances that no scope has kept, by the numbers of the kinds.
    var limits: [Int: ScopeLimits] = [:], unkept: [Int: Int] = [:]
    /// The value types with `.scope(.shared)` that were reported to observers.
    var sharedValues: Set<ObjectIdentifier> = []

    @inline(__always)
    subscript(kind: ScopeKind) -> ScopeHandle? { all.first { $0.kind.number == kind.number } }

    /// - Returns: the previous scope.
    mutating func put(_ scope: ScopeHandle) -> ScopeHandle? {
        let old = remove(scope.kind)
        all.append(scope)
        return old
    }

    mutating func remove(_ kind: ScopeKind) -> ScopeHandle? {
        all.firstIndex { $0.kind == kind }.map { all.remove(at: $0) }
    }
}

extension RegistrationOwner {
    /// Returns whether the resolver was created in the test, or in a suite around it.
    func belongs(to test: World.Test) -> Bool {
        sequence(first: test, next: \.outer).contains { $0.number == self.test }
    }
}
