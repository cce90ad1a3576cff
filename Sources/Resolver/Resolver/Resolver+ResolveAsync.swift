// The doors for asynchronous code. They run where the caller runs, and go to the actor of a factory if they have to.

extension Resolver {
    /// The service, made on the actor that its factory is isolated to.
    ///
    ///     let model: ViewModel = try await resolver.resolveAsync()        // registered with { @MainActor in ViewModel() }
    ///
    /// Stays on the caller's actor, without suspending, where the instance is kept already, or its factory belongs to no
    /// actor or to this one. Otherwise it goes to the factory's actor and back. What the factory resolves in turn it
    /// resolves synchronously, there.
    ///
    /// The service, and what is passed, may cross from one actor to another, so they have to be `Sendable`.
    ///
    /// - Throws: `ResolutionError`, as `tryResolve` does.
    nonisolated(nonsending) public func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service {
        try await atHome(of: type, name) {
            try self.tryResolve(type, name: name, args: args, fileID: fileID, line: line)
        }
    }

    /// The same, or nil if the service is not registered or its factory returned nil.
    ///
    /// - Throws: `ResolutionError` for everything else.
    nonisolated(nonsending) public func optionalAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service? {
        try await atHome(of: type, name) {
            do {
                return try PassedArguments.with(args) { try self.provide(type, name, $0) }
            } catch {
                throw self.explain(error, type, name, fileID, line)
            }
        }
    }

    /// Calls `body`, which resolves, on the actor that the service has to be made on.
    nonisolated(nonsending) private func atHome<Service, Result: Sendable>(
        of type: Service.Type, _ name: Name?, _ body: @Sendable () throws -> Result
    ) async throws -> Result {
        guard let actor = foreignActor(type, name) else { return try body() }
        if existing(type, name: name) != nil {
            do {
                return try body()
            } catch let error as ResolutionError where error.code == .wrongIsolation {
                // It was let go of meanwhile, or is kept for other arguments.
            }
        }
        return try await Isolation.run(on: actor, body)
    }

    /// The first actor that the service has to be made on and the caller is not on.
    private func foreignActor<Service>(_ type: Service.Type, _ name: Name?) -> (any Actor)? {
        try? Bootstrap.shared.run()
        let cycle = ResolutionCycle.current
        let registration = find(ServiceKey(type, name), of: Service.self)
        return registration?.isolations(resolver: self).first { !Isolation.isCurrent($0, in: cycle) }
    }
}

// MARK: The static spellings

extension Resolver {
    /// The service, from `root`. See the function of the same name on an instance.
    nonisolated(nonsending) public static func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service {
        try await preparedRoot().resolveAsync(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// The service, from `root`, or nil. See the function of the same name on an instance.
    nonisolated(nonsending) public static func optionalAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service? {
        try await preparedRoot().optionalAsync(type, name: name, args: args, fileID: fileID, line: line)
    }
}
