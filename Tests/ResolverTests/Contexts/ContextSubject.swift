import Resolver
import Testing

/// How a service comes to belong to a context.
enum ContextForm: String, CaseIterable, Codable, Sendable {
    /// With `scoped(to:)`, for all contexts of the kind.
    case template
    /// With `registerScoped`, for the current context alone.
    case current
    /// With `register` of the handle, for that context alone.
    case handle

    static let own = [ContextForm.current, .handle]

    var isOwn: Bool { self != .template }
}

/// Services for the contexts of a row, on a resolver of their own.
///
/// A context that is current for the process is current for all tests, so no other test has the names and the id
/// meanwhile.
final class ContextSubject: Sendable {
    /// Numbers in use. They are used again, as kinds stay, and the process looks through all that there are.
    private static let numbers = Box<Set<Int>>([])

    let row: ContextRow, form: ContextForm
    let kind: ScopeKind, id: String
    let resolver = Resolver(), made = Box(0), alive = Box(0)
    /// What is told of the kind: of a row that is in a test, inside alone.
    var log: [ScopeEvent] { observed.value?.events ?? [] }
    private let observed = Box<ScopeLog?>(nil)
    private let number: Int
    /// For the beginning of each context.
    private let registrations = Box<[@Sendable (ScopeHandle) -> Void]>([])

    init(_ row: ContextRow, _ form: ContextForm = .template) {
        let number = Self.numbers.update { numbers in
            let free = (1...).first { !numbers.contains($0) }!
            numbers.insert(free)
            return free
        }
        (self.row, self.form, self.number) = (row, form, number)
        (kind, id) = (row.kind(number), "id of context \(number)")
        if !row.isInTest { observed.set(ScopeLog(kind)) }
    }

    /// Runs `body`, in the process of an exit test, with a subject for each row that may suspend in each form, and with words
    /// for both.
    static func each(_ body: (ContextSubject, _ claim: String) async throws -> Void) async rethrows {
        for row in ContextRow.suspending {
            for form in ContextForm.allCases {
                try await body(ContextSubject(row, form), "\(row.testDescription), \(form)")
            }
        }
    }

    deinit { Self.numbers.update { _ = $0.remove(number) } }

    var scope: ScopeEvent.Scope { ScopeEvent.Scope(kind: kind, id: id) }

    /// How contexts with the id of the subject have begun and ended.
    var life: [ScopeEvent] {
        log.filter { event in
            switch event {
            case .opened(scope), .ended(scope, _, _): true
            default: false
            }
        }
    }

    func name(_ label: String = "") -> Resolver.Name { Resolver.Name("context \(number) \(label)") }

    /// Registers a service for the contexts that `inContext` begins.
    func register<Service>(
        _ label: String = "", options: @escaping @Sendable (ResolverOptions<Service>) -> Void = { _ in },
        _ factory: @escaping @Sendable () throws -> Service?
    ) {
        let name = name(label), kind = kind
        switch form {
        case .template: options(resolver.register(name: name, factory: factory).scoped(to: kind))
        case .current:
            registrations.append { _ in
                options(Resolver.registerScoped(Service.self, name: name, scope: kind, factory: factory))
            }
        case .handle:
            registrations.append { scope in
                if let registered = scope.register(Service.self, name: name, factory: factory) { options(registered) }
            }
        }
    }

    func registerAsync<Service: Sendable>(_ factory: @escaping @Sendable () async throws -> Service) {
        let name = name(), kind = kind
        switch form {
        case .template: resolver.register(name: name, factory: factory).scoped(to: kind)
        case .current:
            registrations.append { _ in
                Resolver.registerAsyncScoped(Service.self, name: name, scope: kind, factory: factory)
            }
        case .handle: registrations.append { $0.register(Service.self, name: name, factory: factory) }
        }
    }

    func registerCounted(
        _ label: String = "", options: @escaping @Sendable (ResolverOptions<Counted>) -> Void = { _ in }
    ) { register(label, options: options) { [made, alive] in made.counting(Counted(alive)) } }

    @discardableResult
    func inContext<Result: Sendable>(_ body: @escaping @Sendable (ScopeHandle) -> Result) async -> Result {
        let result = Box<Result?>(nil)
        await isolating {
            await row.enter(kind, id) { [registrations] scope in
                for register in registrations.value { register(scope) }
                result.set(body(scope))
            }
        }
        return result.value!
    }

    @discardableResult func inAsyncContext<Result: Sendable>(
        _ body: @escaping @Sendable (ScopeHandle) async throws -> Result
    ) async throws -> Result {
        let result = Box<Swift.Result<Result, any Error>?>(nil)
        await isolating {
            await row.enterAsync!(kind, id) { [registrations] scope in
                for register in registrations.value { register(scope) }
                result.set(await outcome { try await body(scope) })
            }
        }
        return try result.value!.get()
    }

    private func isolating(_ body: () async -> Void) async {
        guard row.isInTest else { return await body() }
        await Resolver.runTest {
            observed.set(ScopeLog(kind))
            await body()
            observed.value?.stop()
        }
    }

    func resolve<Service>(_ type: Service.Type = Counted.self, _ label: String = "") -> Service {
        resolver.resolve(name: name(label))
    }

    func tryResolve<Service>(_ type: Service.Type = Counted.self) throws -> Service {
        try resolver.tryResolve(name: name())
    }

    func optional<Service>(_ type: Service.Type = Counted.self, _ label: String = "") -> Service? {
        resolver.optional(name: name(label))
    }

    func existing<Service>(_ type: Service.Type = Counted.self) -> Service? { resolver.existing(name: name()) }

    func resolveAsync(in scope: ScopeHandle) async throws -> Counted {
        try await scope.run { () async throws in try await resolver.resolveAsync(name: name()) }
    }
}
