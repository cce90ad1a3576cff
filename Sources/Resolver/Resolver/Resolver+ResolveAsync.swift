// Resolving from asynchronous code. Hits in the slot of a registration, or of an isolating resolver, and most asynchronous services
// need no pass. All other services, including synchronous ones of contexts, take at least one.

extension Resolver {
    /// Returns a service, and awaits an asynchronous factory or a factory's actor if necessary.
    ///
    ///     let model: ViewModel = try await resolver.resolveAsync()        // registered with { @MainActor in ViewModel() }
    ///     let store: Store = try await resolver.resolveAsync()            // registered with { try await Store.open() }
    ///
    /// The call stays on the caller's actor and does not suspend if the instance is kept, or if its factory is synchronous and
    /// isolated to no actor or to the caller's. If another call is creating the instance, this call waits for it and blocks no
    /// thread.
    ///
    /// The service and the arguments may cross from one actor to another, so they must be `Sendable`.
    ///
    /// - Throws: `ResolutionError`, as `tryResolve` does. `CancellationError` if the task is cancelled while it waits for an
    ///   instance that is created for several callers (its creation continues), or if a factory that runs in this task throws
    ///   a `CancellationError`.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service {
        if let kept: Service = kept(type, name) { return kept }
        let made = try await makeAsync(InstanceBox<Service>.self, type, name, args, fileID, line, isOptional: false)
        return InstanceBox.unpack(made!)
    }

    /// Returns a service as `resolveAsync` does, or nil where `optional` returns nil.
    ///
    /// - Throws: the errors of `resolveAsync` in all other cases.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public func optionalAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service? {
        if let kept: Service = kept(type, name) { return kept }
        return try await makeAsync(InstanceBox<Service>.self, type, name, args, fileID, line, isOptional: true)
            .map { InstanceBox.unpack($0) }
    }

    /// Returns the service as an object for `box` to unpack; nil only if `isOptional`, where `optional` returns nil.
    @usableFromInline @inline(never)
    nonisolated(nonsending) func makeAsync(
        _ box: AnyInstanceBox.Type, _ type: Any.Type, _ name: Name?, _ args: (any Sendable)?, _ fileID: StaticString,
        _ line: UInt, isOptional: Bool
    ) async throws -> AnyObject? {
        let args = HeldArguments(args)
        let body: @Sendable () throws -> AnyObject? = {
            let made = try self.objectInFull(box, type, name, args?.value, fileID, line)
            // Explained on this thread, which knows why there is none.
            if made == nil, !isOptional { throw self.explainNil(type, box.service, name, fileID, line) }
            return made
        }
        do {
            guard let kept = try await instanceWithoutPasses(ServiceKey(type, as: box.service, name), args) else {
                return try await awaitingPendingWork(body)
            }
            if case .success(let object?) = kept.result, kept.isWhole, SlowPathReasons.isNoneForResolvers,
                !(object is IsolatedInstance)
            {
                return object
            }
            // A pass with this result explains a nil, asks for the actor of a conformance, and takes the steps that became necessary
            // meanwhile. Calls look for results in a task cycle only.
            return try await TaskFrame.inCycle {
                PackedService(value: try await awaitingPendingWork(after: [kept], body))
            }.value
        } catch let error as ResolutionError {
            // A cancellation is not a failure of the factory that it ends.
            if Task.isCancelled, let cancellation = error.underlying as? CancellationError { throw cancellation }
            throw error.asked(at: SourceLocation(fileID: fileID, line: line))
        }
    }

    /// Returns the instance of an asynchronous service in a built-in scope, kept or new.
    ///
    /// - Returns: nil if the call needs passes: for other services and scopes, aliases, services that a scope has
    ///   registered for itself, graph services inside a resolution cycle, new instances that a block completes, and while there are
    ///   observers.
    nonisolated(nonsending) private func instanceWithoutPasses(
        _ key: ServiceKey, _ args: HeldArguments?
    ) async throws -> AsyncPass.AwaitedResult? {
        guard SlowPathReasons.isNoneForResolvers, let found = findWithOverrides(key) else { return nil }
        let plan = found.plan, asked = ObjectIdentifier(plan.scope)
        guard let factory = plan.settings.asyncFactory, !plan.hasScopeOverride else { return nil }
        let cache = if case .container = plan.lifetime { found.owner.cache } else { nil as ResolverScope? }
        switch cache?.lifetime ?? plan.lifetime {
        case .cached(let store):
            // Another thread may replace the cache, and only the cache holds the store.
            let store = withExtendedLifetime(cache) { store.object }
            guard store.strength == .strong else { return nil }
            return try await store.instance(
                of: found, self, args, ownedBy: isolatingOwner(of: found.owner), askedBy: asked)
        case .perContext(let context):
            let context = context.object
            guard let scope = context.scope(for: found) else { return nil }
            if let kept = found.takeKept(in: context.store, ownedBy: Unretained(scope.owner)) {
                return .kept(.success(kept), for: found, nil, in: context.store, askedBy: asked)
            }
            defer { scope.noteCreation() }
            return try await context.store.instance(
                of: found, self, args, ownedBy: Unretained(scope.owner), askedBy: asked)
        case .perCycle where TaskFrame.current != nil || ResolutionCycle.current.isOpen: return nil
        case .transient, .perCycle:
            // A block shares the task cycle of the factory, which passes begin.
            return plan.isPlain ? try await found.make(factory, self, args) : nil
        case .container, .alias, .custom: return nil
        }
    }
}

// MARK: Static functions

extension Resolver {
    /// Returns a service from `root`. See the instance method for the details.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public static func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service {
        try await preparedRoot().resolveAsync(type, name: name, args: args, fileID: fileID, line: line)
    }

    /// Returns a service from `root`, or nil. See the instance method for the details.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public static func optionalAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service? {
        try await preparedRoot().optionalAsync(type, name: name, args: args, fileID: fileID, line: line)
    }
}
