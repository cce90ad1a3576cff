import Resolver
import Testing

/// An instance is made once for its scope, however many ask at the same time.
@Suite struct ScopeExactlyOnceTests {
    final class Service: Sendable {}

    private static let kind = ScopeKind("once", rank: 10, binding: .execution)

    /// How a service comes to belong to the scope.
    enum Form: String, CaseIterable {
        case template, own

        fileprivate func register(in scope: ScopeHandle, _ factory: @escaping @Sendable () -> Service) -> Resolver {
            switch self {
            case .template:
                let resolver = Resolver()
                resolver.register { factory() }.scoped(to: scope.kind)
                return resolver
            case .own:
                scope.run { _ = Resolver.registerScoped(Service.self, scope: scope.kind, factory: factory) }
                return .root
            }
        }

        fileprivate func registerSlow(
            in scope: ScopeHandle, _ factory: @escaping @Sendable () async throws -> Service
        ) -> Resolver {
            switch self {
            case .template:
                let resolver = Resolver()
                resolver.register { try await factory() }.scoped(to: scope.kind)
                return resolver
            case .own:
                scope.run { _ = Resolver.registerAsyncScoped(Service.self, scope: scope.kind, factory: factory) }
                return .root
            }
        }
    }

    // MARK: Made synchronously

    @Test(arguments: Form.allCases)
    func `eight threads that come together get one instance`(_ form: Form) {
        let scope = ScopeContext.shared.open(Self.kind, id: "threads")
        defer { scope.end() }
        let everybodyIsHere = Rendezvous(8), made = Box(0), got = Box<[Service]>([])
        let resolver = form.register(in: scope) {
            made.increment()
            everybodyIsHere.arriveAndWait()
            return Service()
        }
        Threads.run(8) { thread in
            // The one that makes it arrives inside the factory.
            if thread > 0 { everybodyIsHere.arrive() }
            got.append(scope.run { resolver.resolve() })
        }
        #expect(made.value == 1)
        #expect(got.value.count == 8)
        #expect(Set(got.value.map(ObjectIdentifier.init)).count == 1)
        #expect(scope.instanceCount == 1)
    }

    @Test(arguments: Form.allCases)
    func `sixty four tasks get one instance`(_ form: Form) async {
        for _ in 0..<20 {
            let scope = ScopeContext.shared.open(Self.kind, id: "tasks")
            defer { scope.end() }
            let made = Box(0), allHaveCome = Meeting(64)
            let resolver = form.register(in: scope) {
                made.increment()
                return Service()
            }
            let got = await scope.run { () async in
                await withTaskGroup(of: Service.self) { group in
                    for _ in 0..<64 {
                        group.addTask {
                            await allHaveCome.arriveAndWait()
                            return resolver.resolve()
                        }
                    }
                    return await group.reduce(into: [Service]()) { $0.append($1) }
                }
            }
            #expect(made.value == 1)
            #expect(got.count == 64)
            #expect(Set(got.map(ObjectIdentifier.init)).count == 1)
        }
    }

    // MARK: Made asynchronously

    @Test(arguments: Form.allCases)
    func `sixty four tasks that wait get the instance of one flight and threads find it`(_ form: Form) async throws {
        let scope = ScopeContext.shared.open(Self.kind, id: "flight")
        defer { scope.end() }
        let made = Box(0), mayFinish = AsyncGate(), callers = Callers()
        let resolver = form.registerSlow(in: scope) {
            made.increment()
            try await mayFinish.wait()
            return Service()
        }
        let tasks = callers.call(times: 64) {
            try await scope.run { () async throws in try await resolver.resolveAsync(Service.self) }
        }
        await callers.untilAllWait()
        mayFinish.open()
        let found = Box<[Service]>([])
        for task in tasks { found.append(try await task.value) }
        Threads.run(8) { _ in found.append(scope.run { resolver.resolve() }) }
        #expect(made.value == 1)
        #expect(found.value.count == 64 + 8)
        #expect(Set(found.value.map(ObjectIdentifier.init)).count == 1)
    }

    @Test(arguments: Form.allCases)
    func `sixty four tasks that come at once get the instance of one flight`(_ form: Form) async throws {
        for _ in 0..<20 {
            let scope = ScopeContext.shared.open(Self.kind, id: "at once")
            defer { scope.end() }
            let made = Box(0)
            let resolver = form.registerSlow(in: scope) {
                made.increment()
                await Task.yield()
                return Service()
            }
            let got = try await scope.run { () async throws in
                try await withThrowingTaskGroup(of: Service.self) { group in
                    for _ in 0..<64 { group.addTask { try await resolver.resolveAsync() } }
                    return try await group.reduce(into: [Service]()) { $0.append($1) }
                }
            }
            #expect(made.value == 1)
            #expect(got.count == 64)
            #expect(Set(got.map(ObjectIdentifier.init)).count == 1)
        }
    }
}
