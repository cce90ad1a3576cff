/// What a task and its children have in place of what the process has: `root`; and in a test also `main`, and the scopes of
/// kinds that are bound to the process.
final class Surroundings: Sendable {
    typealias Slots = Guarded<[ScopeKind: ScopeHandle]>

    private struct Places {
        var main: Resolver?
        var root: Resolver
    }

    /// Those of a test: neither what is registered, nor which scopes are current, nor a reset leaves it.
    final class Test: Sendable {
        /// Never reused, unlike an address.
        let number = ProcessIdentity.next()
        let slots = Slots([:])
    }

    @TaskLocal private static var innermost: Surroundings?
    /// 1 once there were any. Until then nobody looks for them.
    private static let areThereAny = AtomicWord(0)

    private let places: Guarded<Places>
    let test: Test?

    /// Those in which a task is that has others for `root`, else those of whoever made them.
    init(root: Resolver) {
        let outer = Surroundings.current
        places = Guarded(Places(main: outer?.main, root: root))
        test = outer?.test
    }

    /// Those of a test, in which `resolver` is `main` and `root`.
    init(testing resolver: Resolver) {
        places = Guarded(Places(main: resolver, root: resolver))
        test = Test()
        resolver.home.surroundings = self
    }

    static var wereThereAny: Bool { areThereAny.load() != 0 }

    /// Those of the running code, if it has any.
    static var current: Surroundings? { wereThereAny ? innermost : nil }

    var main: Resolver? {
        get { places.withLock { $0.main } }
        set { places.replace(\.main, by: newValue) }
    }

    var root: Resolver {
        get { places.withLock { $0.root } }
        set { places.replace(\.root, by: newValue) }
    }

    // MARK: Entering

    func enter<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        Surroundings.prepare()
        return try Surroundings.$innermost.binding(self, body)
    }

    nonisolated(nonsending) func enter<Result, Failure: Error>(
        _ body: nonisolated(nonsending) () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        Surroundings.prepare()
        return try await Surroundings.$innermost.binding(self, body)
    }

    /// Runs `body` for the process: what it does is for all.
    static func leave<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if current == nil { return try body() }
        return try $innermost.binding(nil, body)
    }

    private static func prepare() {
        areThereAny.store(1)
        Attention.set(Attention.rootReplaced, true)
    }
}
