import Resolver

/// The differences of a rehearsal from the app: stubs, arguments and skipped services. See `Resolver.rehearse`.
public struct Rehearsal {
    /// The resolver of the rehearsal. Its registrations take precedence over those of the app.
    public let resolver: Resolver

    private(set) var arguments: [ServiceKey: any Sendable] = [:]
    /// The services that replace registrations of the app.
    private(set) var stubs: Set<ServiceKey> = []
    /// The skipped services and the reasons, by the description of the service.
    private(set) var skipped: [String: String] = [:]

    init(resolver: Resolver) { self.resolver = resolver }

    /// Registers a factory that replaces the app's registration.
    ///
    /// - Returns: options to set its scope and more.
    @discardableResult
    public mutating func stub<Service>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
        line: UInt = #line, factory: @escaping ResolverIsolatedFactory<Service>
    ) -> ResolverOptions<Service> {
        stubs.insert(ServiceKey(type, name))
        return resolver.register(type, name: name, fileID: fileID, line: line, factory: factory)
    }

    /// Sets the arguments with which a service is created.
    ///
    /// - Parameter arguments: the value that a call would pass as `args:`, one value or a dictionary.
    public mutating func arguments<Service>(
        _ arguments: any Sendable, for type: Service.Type, name: Resolver.Name? = nil
    ) {
        self.arguments[ServiceKey(type, name)] = arguments
    }

    /// Skips a service: its consumers get nil or an error.
    ///
    /// The report lists the service, and the services that could not be created without it, with the reason.
    public mutating func skip<Service>(
        _ type: Service.Type, name: Resolver.Name? = nil, because reason: String, fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        skipped["\(ResolverDependency(type, name: name))"] = reason
        stub(type, name: name, fileID: fileID, line: line) { nil }
    }
}

extension Resolver {
    /// Creates every service once, apart from the app, and reports all failures.
    ///
    ///     @Test func everything() async throws {
    ///         try await Resolver.rehearse { rehearsal in
    ///             rehearsal.stub { FakeNetwork() as Network }
    ///             rehearsal.arguments(42, for: CataloguePage.self)
    ///             rehearsal.skip(Payment.self, because: "charges a card")
    ///         }
    ///     }
    ///
    /// Creates all services that `main` finds, including asynchronous and isolated ones, inside an open scope of each kind
    /// they belong to. The rehearsal has its own resolver, as a test with the trait `.resolver` has: its instances,
    /// registrations and resets stay inside, and its end releases all instances with their hooks. A thread that a factory
    /// starts belongs to the rehearsal only through calls to the factory's resolver.
    ///
    /// A failed `resolve()` in a factory prints the report so far and ends the program. A factory that uses `tryResolve()`,
    /// or `autoregister`, fails without ending it.
    ///
    /// - Parameters:
    ///   - seconds: the time limit of the rehearsal, in seconds. If a service is being created when the time is over, it is
    ///     reported as `hangs`, and its factory continues.
    ///   - prepare: sets up the differences from the app. Called in the rehearsal.
    /// - Returns: the report, which may have warnings, and lists the services that were not created.
    /// - Throws: the report, as a `WiringReport`, if it has errors; the error of `prepare`; `CancellationError`.
    @discardableResult
    public static func rehearse(
        within seconds: Double = 300, _ prepare: @escaping @Sendable (inout Rehearsal) throws -> Void = { _ in }
    ) async throws -> WiringReport {
        let nanoseconds = max(0, seconds) * 1_000_000_000
        return try await rehearse(
            until: { try await Task.sleep(nanoseconds: UInt64(exactly: nanoseconds.rounded()) ?? .max) }, prepare)
    }

    /// Runs a rehearsal with a time limit.
    ///
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
                // A strict test around the rehearsal does not watch it.
                try await Resolver.runTest(watch: { _, _ in }, report: { run.note($0) }) {
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
