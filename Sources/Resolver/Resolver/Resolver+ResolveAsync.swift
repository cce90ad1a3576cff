// The doors for asynchronous code. They run where the caller runs, and go elsewhere only if they have to. Hits in the slot of a registration, or
// of an isolating resolver, are answered before the first pass; all others, those of contexts too, take one pass.

extension Resolver {
    /// The service, whatever it takes to make it: an asynchronous factory, or one that belongs to an actor.
    ///
    ///     let model: ViewModel = try await resolver.resolveAsync()        // registered with { @MainActor in ViewModel() }
    ///     let store: Store = try await resolver.resolveAsync()            // registered with { try await Store.open() }
    ///
    /// Stays on the caller's actor, without suspending, where the instance is kept already, or its factory is synchronous
    /// and belongs to no actor or to this one. Where another call is making the instance it waits for that, and blocks
    /// no thread.
    ///
    /// The service, and what is passed, may cross from one actor to another, so they have to be `Sendable`.
    ///
    /// - Throws: `ResolutionError`, as `tryResolve` does; `CancellationError` if the task is cancelled while it waits for
    ///   an instance that is made for others as well, which goes on, or if a factory that it runs itself throws that.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service {
        if let kept: Service = kept(type, name) { return kept }
        return InstanceBox.unpack(try await makeAsync(InstanceBox<Service>.self, type, name, args, fileID, line))
    }

    /// Resolves a service whatever it takes, as `resolveAsync` does; nil if the service is not registered or its factory returned nil.
    ///
    /// - Throws: the same for everything else.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public func optionalAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service? {
        if let kept: Service = kept(type, name) { return kept }
        return try await makeOptionalAsync(InstanceBox<Service>.self, type, name, args, fileID, line)
            .map { InstanceBox.unpack($0) }
    }

    /// The service as an object, in the form in which `box` unpacks it.
    @usableFromInline
    nonisolated(nonsending) func makeAsync(
        _ box: AnyInstanceBox.Type, _ type: Any.Type, _ name: Name?, _ args: (any Sendable)?, _ fileID: StaticString,
        _ line: UInt
    ) async throws -> AnyObject {
        let made = try await resolving(fileID, line) {
            if let made = try self.objectInFull(box, type, name, args, fileID, line) { return made }
            throw self.explainNil(type, box.service, name, fileID, line)
        }
        return made!
    }

    /// The service as an object, if there is one.
    @usableFromInline
    nonisolated(nonsending) func makeOptionalAsync(
        _ box: AnyInstanceBox.Type, _ type: Any.Type, _ name: Name?, _ args: (any Sendable)?, _ fileID: StaticString,
        _ line: UInt
    ) async throws -> AnyObject? {
        try await resolving(fileID, line) { try self.objectInFull(box, type, name, args, fileID, line) }
    }

    nonisolated(nonsending) private func resolving(
        _ fileID: StaticString, _ line: UInt, _ body: @escaping @Sendable () throws -> AnyObject?
    ) async throws -> AnyObject? {
        do {
            return try await awaitingPendingWork(body)
        } catch let error as ResolutionError {
            throw error.asked(at: SourceLocation(fileID: fileID, line: line))
        }
    }
}

// MARK: The static spellings

extension Resolver {
    /// The service, from `root`. See the function of the same name on an instance.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public static func resolveAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service {
        let root = preparedRoot()
        if let kept: Service = root.kept(type, name) { return kept }
        return InstanceBox.unpack(try await root.makeAsync(InstanceBox<Service>.self, type, name, args, fileID, line))
    }

    /// The service, from `root`, or nil. See the function of the same name on an instance.
    @_alwaysEmitIntoClient
    nonisolated(nonsending) public static func optionalAsync<Service: Sendable>(
        _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Service? {
        let root = preparedRoot()
        if let kept: Service = root.kept(type, name) { return kept }
        return try await root.makeOptionalAsync(InstanceBox<Service>.self, type, name, args, fileID, line)
            .map { InstanceBox.unpack($0) }
    }
}
