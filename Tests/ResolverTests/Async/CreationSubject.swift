import Resolver

/// The places that cache an asynchronous instance, one of each kind.
enum CreationRow: String, CaseIterable {
    case application, cached, container, shared, ownCache, ownSubclass
    /// Cached by an isolating resolver.
    case isolating
    case timeToLive, scopeOnArguments

    fileprivate func makeScope() -> ResolverScope {
        switch self {
        case .shared: ResolverScopeShare()
        case .isolating, .timeToLive, .scopeOnArguments: ResolverScopeCache()
        default: KeepingScope(rawValue: rawValue)!.make()
        }
    }
}

/// An asynchronous service in the scope of a row, on its own resolver.
///
/// Its name is unique: resolvers that run the same `register` call for a name share a singleton.
final class CreationSubject: Sendable {
    private static let count = Box(0)

    let row: CreationRow, scope: ResolverScope
    let time = ManualTime()
    let owner: Resolver
    let resolver: Resolver
    let made = Box(0), alive = Box(0)
    /// Opened by the factory before it waits for `mayFinish`.
    let hasStarted = Gate(), mayFinish = Gate(), callers = Callers()
    private let name = Resolver.Name("creation \(count.increment())")

    init(_ row: CreationRow) {
        (self.row, scope, owner) = (row, row.makeScope(), time.resolver())
        resolver = row == .isolating ? Resolver(isolating: owner) : owner
        resolver.clock = time.clock
    }

    /// Runs `body`, in the process of an exit test, with a subject for each row.
    static func each(_ body: (CreationSubject, CreationRow) async throws -> Void) async rethrows {
        for row in CreationRow.allCases { try await body(CreationSubject(row), row) }
    }

    /// - Parameter factory: receives the number of the run, from 1.
    @discardableResult func register<Service: Sendable>(
        making factory: @escaping @Sendable (_ run: Int) async throws -> Service?
    ) -> ResolverOptions<Service> {
        let options = owner.register(Service.self, name: name) { [made] in try await factory(made.increment()) }
            .implements((any Role).self, name: name).scope(scope)
        switch row {
        case .timeToLive: return options.timeToLive(10, from: .creation)
        case .scopeOnArguments: return options.scopeOnArguments()
        default: return options
        }
    }

    @discardableResult func registerCounted(
        whileMaking: @escaping @Sendable (_ run: Int) async throws -> Void = { _ in }
    ) -> ResolverOptions<Counted> {
        register { [alive] run in
            try await whileMaking(run)
            return Counted(alive)
        }
    }

    /// Registers a `Counted` whose first run waits until `mayFinish` opens.
    @discardableResult func registerSlow() -> ResolverOptions<Counted> {
        registerCounted { [hasStarted, mayFinish] run in
            guard run == 1 else { return }
            hasStarted.open()
            try await mayFinish.passUnlessCancelled()
        }
    }

    /// Registers an object whose creation waits until `mayFinish` opens, and that calls back when it is released.
    func registerDeinitCallback(_ callback: @escaping @Sendable () -> Void) {
        register { [hasStarted, mayFinish] _ -> DeinitCallback in
            hasStarted.open()
            try await mayFinish.passUnlessCancelled()
            return DeinitCallback(callback)
        }
    }

    private var args: Int? { row == .scopeOnArguments ? 1 : nil }

    nonisolated(nonsending) func resolve<Service: Sendable>(_ type: Service.Type = Counted.self) async throws -> Service
    { try await resolver.resolveAsync(name: name, args: args) }

    nonisolated(nonsending) func optional<Service: Sendable>(_ type: Service.Type = Counted.self) async throws
        -> Service?
    { try await resolver.optionalAsync(name: name, args: args) }

    nonisolated(nonsending) func resolveAlias() async throws -> any Role {
        try await resolver.resolveAsync(name: name, args: args)
    }

    func resolveSynchronously() throws -> Counted { try resolver.tryResolve(name: name, args: args) }

    /// Starts a creation task that waits for `mayFinish`, and this many callers that wait for it. The first caller
    /// starts it.
    func start(callers count: Int) async throws -> [Task<Counted, any Error>] {
        let first = callers.call { try await self.resolve() }
        try await hasStarted.passUnlessCancelled()
        let others = callers.call(times: count - 1) { try await self.resolve() }
        await callers.untilAllWait()
        return [first] + others
    }

    /// Returns the results of this many callers of a service whose factory waits for `mayFinish`, which opens when all
    /// callers wait.
    func outcomes<Service: Sendable>(
        of count: Int, _ body: @escaping @Sendable () async throws -> Service
    ) async -> [Result<Service, any Error>] {
        let tasks = callers.call(times: count, body)
        await callers.untilAllWait()
        mayFinish.open()
        var outcomes: [Result<Service, any Error>] = []
        for task in tasks { outcomes.append(await task.result) }
        return outcomes
    }
}

extension Counted: Role {}

extension Result {
    var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }

    var resolutionError: ResolutionError? { error as? ResolutionError }
}

func outcome<Service: Sendable>(_ body: () async throws -> Service) async -> Result<Service, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
}
