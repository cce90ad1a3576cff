/// What a task and its children have in place of what the process has: `root`; and in a test also `main`, and the scopes of
/// kinds that are bound to the process.
final class World: Sendable {
    typealias Slots = Guarded<ScopeSlots>

    private struct Places {
        var main: Resolver?
        var root: Resolver
    }

    /// Those of a test: neither what is registered, nor which scopes are current, nor a reset leaves it.
    final class Test: Sendable {
        /// Never reused, unlike an address.
        let number = ProcessIdentity.next()
        let slots = Slots(ScopeSlots())
        let statistics = ScopeStatistics()
        /// That of a suite around it, whose resolver is behind this one's.
        let outer = World.current?.test
        /// Told what is asked for.
        let watch: (@Sendable (Resolution) -> Void)?
        /// Called with errors that have no caller to throw to, in place of `Resolver.report`, and with those that end the program.
        let report: (@Sendable (ResolutionError) -> Void)?
        private let isWatched: Bool
        private let ended = AtomicWord(0)
        private static let watched = Guarded(0)

        fileprivate init(
            watch: (@Sendable (Resolution) -> Void)?, report: (@Sendable (ResolutionError) -> Void)?
        ) {
            self.watch = watch ?? outer?.watch
            self.report = report ?? outer?.report
            isWatched = watch != nil
            if isWatched { Test.count(1) }
        }

        deinit { ended.deallocate() }

        /// Tasks that it has started may still run in it.
        var hasEnded: Bool { ended.load() != 0 }

        func end() {
            ended.store(1)
            if isWatched { Test.count(-1) }
        }

        /// Without an observer, there is no need to tell.
        private static func count(_ change: Int) {
            watched.withLock { watched in
                watched += change
                SlowPathReasons.set(SlowPathReasons.watched, watched > 0)
            }
        }
    }

    @TaskLocal private static var innermost: World?

    private let places: Guarded<Places>
    let test: Test?
    /// Those of the test in which these have another root.
    private let outer: World?
    /// What was `main` around a test.
    private let outside: Resolver?

    /// Those in which a task is that has others for `root`, else those of the test that made them.
    init(root: Resolver, in outer: World? = .current) {
        places = Guarded(Places(main: outer?.main, root: root))
        test = outer?.test
        self.outer = outer?.ofTest
        outside = nil
    }

    /// Those of a test, in which `main` is `main` and `root`, until it has one of its own.
    init(
        testing main: Resolver, watch: (@Sendable (Resolution) -> Void)?,
        report: (@Sendable (ResolutionError) -> Void)?
    ) {
        places = Guarded(Places(main: main, root: main))
        test = Test(watch: watch, report: report)
        outer = nil
        outside = main
    }

    /// Those in which what is left of a test goes.
    private init(after test: Test, outside main: Resolver) {
        places = Guarded(Places(main: main, root: main))
        self.test = test
        outer = nil
        outside = nil
    }

    /// What goes with the resolvers of a test, such as a mock that a factory has captured, goes in the test as well.
    deinit {
        guard let test, let outside else { return }
        let last = World(after: test, outside: outside)
        last.enter {
            last.isolateMain()
            places.discard { places in
                defer { places = Places(main: nil, root: outside) }
                return places
            }
        }
    }

    /// Inside the test, so that its resolver knows whose it is.
    func isolateMain() {
        let outer = root
        let own = Resolver(isolating: outer)
        own.clock = outer.clock
        own.defaultScope = outer.defaultScope
        (main, root) = (own, own)
    }

    /// Those in which the test began.
    var ofTest: World? { test == nil ? nil : outer ?? self }

    static var wereThereAny: Bool { ProcessWord.worlds.load() != 0 }

    /// The number of the test in which code runs; 0 outside of tests.
    static var testNumber: UInt64 { current?.test?.number ?? 0 }

    /// Those of the running code, if it has any.
    static var current: World? { wereThereAny ? innermost : nil }

    var main: Resolver? {
        get { places.withLock { $0.main } }
        set { places.replace(\.main, by: newValue) }
    }

    var root: Resolver {
        get { places.withLock { $0.root } }
        set { places.replace(\.root, by: newValue) }
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

    /// Runs `body` for the process: what it does is for all.
    static func leave(_ body: () -> Void) {
        if current == nil { return body() }
        $innermost.withValue(nil, operation: body)
    }

    private static func prepare() {
        if !wereThereAny { Resolver.lookForRoots { ProcessWord.worlds.store(1) } }
    }
}

/// The current scopes of kinds that are bound to the process, or to a test: one for each kind.
struct ScopeSlots {
    private(set) var all: [ScopeHandle] = []

    @inline(__always)
    subscript(kind: ScopeKind) -> ScopeHandle? { all.first { $0.kind.number == kind.number } }

    /// - Returns: the one that was there.
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
    /// Whether it is that of a resolver that was made in a test, or in one of the suites around it.
    func belongs(to test: World.Test) -> Bool {
        sequence(first: test, next: \.outer).contains { $0.number == self.test }
    }
}
