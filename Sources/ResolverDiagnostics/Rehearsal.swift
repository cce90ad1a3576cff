import Resolver

/// What a rehearsal does in place of what the app does: see `Resolver.rehearse`.
public struct Rehearsal {
    /// That of the rehearsal. What is registered on it stands in front of what the app has registered.
    public let resolver: Resolver

    private(set) var arguments: [Wiring.Key: any Sendable] = [:]
    /// What stands in front of registrations of the app.
    private(set) var stubs: Set<Wiring.Key> = []
    /// What is left out, and why, by the text of the service.
    private(set) var skipped: [String: String] = [:]

    init(resolver: Resolver) {
        self.resolver = resolver
    }

    /// Has another factory stand in front of what the app has registered.
    ///
    /// - Returns: options to set its scope and more.
    @discardableResult
    public mutating func stub<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        stubs.insert(Wiring.Key(type, name))
        return resolver.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Says which arguments a service is created with.
    ///
    /// - Parameter arguments: what a call would pass as `args:`, one value or a dictionary.
    public mutating func arguments<Service>(
        _ arguments: any Sendable, for type: Service.Type, name: Resolver.Name? = nil
    ) {
        self.arguments[Wiring.Key(type, name)] = arguments
    }

    /// Leaves out a service: a factory that asks for it gets nil, or an error. The report lists it, and what could not be created without
    /// it, with the reason.
    public mutating func skip<Service>(
        _ type: Service.Type, name: Resolver.Name? = nil, because reason: String, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        skipped["\(Dependency(type, name: name))"] = reason
        stub(type, name: name, fileID: fileID, line: line) { nil }
    }
}

extension Resolver {
    /// Creates every service once, apart from the app, and reports all that fails.
    ///
    ///     @Test func everything() async throws {
    ///         try await Resolver.rehearse { rehearsal in
    ///             rehearsal.stub { FakeNetwork() as Network }
    ///             rehearsal.arguments(42, for: CataloguePage.self)
    ///             rehearsal.skip(Payment.self, because: "charges a card")
    ///         }
    ///     }
    ///
    /// Creates what `main` finds, asynchronous services and those of actors as well, in an open scope of each kind that services belong to.
    /// It has a resolver of its own, as a test with the trait `.resolver` has: what is created, registered and reset stays there, and is
    /// released at its end, with all hooks. A thread that a factory starts belongs to it only through the resolver that the factory got.
    ///
    /// `resolve()` in a factory cannot fail without ending the program, here as elsewhere; what was found until then is printed.
    /// A factory that uses `tryResolve()`, and `autoregister`, fail alone.
    ///
    /// - Parameters:
    ///   - seconds: the time after which the rehearsal ends. A service that is being created then is reported as `hangs`; its
    ///     factory goes on.
    ///   - prepare: says what is done otherwise than in the app. Called in the rehearsal.
    /// - Returns: the report, which may have warnings, and says what was not created.
    /// - Throws: the report, as a `WiringReport`, if it has errors; what `prepare` throws; `CancellationError`.
    @discardableResult
    public static func rehearse(
        within seconds: Double = 300, _ prepare: @escaping @Sendable (inout Rehearsal) throws -> Void = { _ in }
    ) async throws -> WiringReport {
        let nanoseconds = max(0, seconds) * 1_000_000_000
        return try await rehearse(
            until: { try await Task.sleep(nanoseconds: UInt64(exactly: nanoseconds.rounded()) ?? .max) }, prepare)
    }

    /// - Parameter deadline: returns when the time is over.
    @discardableResult
    package static func rehearse(
        until deadline: @escaping @Sendable () async throws -> Void,
        _ prepare: @escaping @Sendable (inout Rehearsal) throws -> Void
    ) async throws -> WiringReport {
        let run = RehearsalRun()
        let work = Task {
            let result: Swift.Result<WiringReport, any Error>
            do {
                try await Resolver.runTest(report: { run.note($0) }) {
                    var rehearsal = Rehearsal(resolver: .main)
                    try prepare(&rehearsal)
                    await run.createAll(rehearsal)
                }
                result = .success(run.report())
            } catch {
                result = .failure(error)
            }
            run.end(result)
        }
        let timer = Task {
            try await deadline()
            run.endInTime()
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        let report = try await withTaskCancellationHandler {
            try await run.result()
        } onCancel: {
            run.end(.failure(CancellationError()))
        }
        if !report.errors.isEmpty { throw report }
        return report
    }
}
