// The functions that all overloads of `autoregister` share.

extension Resolver {
    @usableFromInline
    func autoregister<Service>(
        _ registration: ResolverRegistration<Service>.Type, _ type: Any.Type, _ name: Resolver.Name?,
        _ fileID: StaticString, _ line: UInt, _ isolation: (any Actor)?, _ needs: [Any.Type],
        _ factory: @escaping ServiceFactory.Function
    ) -> ResolverOptions<Service> {
        let location = SourceLocation(fileID: fileID, line: line)
        AnyResolverRegistration.refuseTuples(needs, of: type, location)
        return ResolverOptions(
            add(
                registration, type, name, location, in: nil, .function(factory),
                .init(
                    RegistrationSettings(
                        isolations: isolation.map { [$0] } ?? [],
                        wiring: DeclaredWiring(needs: needs.map { Dependency($0) })))))
    }

    /// Returns the value of a parameter of this type.
    @_alwaysEmitIntoClient @inline(__always)
    func part<Service>() throws -> Service {
        let found = fastLookup(Service.self, nil, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        // A registered class is not optional, and the resolver does not replace it.
        if found.registration == nil || !InstanceBox<Service>.isDirect, isSpecial(Service.self) {
            return try specialPart()
        }
        return try ServiceMemory.receive { memory in try makePart(found.registration, Service.self, into: memory) }!
    }

    /// Puts the value of a parameter into `memory`.
    @usableFromInline @inline(never)
    func makePart(_ found: FoundRegistration?, _ type: Any.Type, into memory: ServiceMemory) throws(ResolutionError) {
        if let found, makeFound(found, into: memory) { return }
        let location = consumerLocation
        try makeOrThrow(found, type, as: type, nil, .none, location.fileID, location.line, into: memory)
    }

    /// The location of the registration whose initializer has the parameter, used as the parameter's call site.
    private var consumerLocation: SourceLocation {
        let consumer = ResolutionCycle.current.innermost ?? TaskFrame.current?.registration
        return consumer?.location ?? SourceLocation(fileID: #fileID, line: #line)
    }

    /// Whether a parameter of the type may have a value without a registration: an optional, or the resolver itself.
    @usableFromInline @inline(never)
    func isSpecial(_ type: Any.Type) -> Bool { type == Resolver.self || TypeMetadata.isOptional(type) }

    @usableFromInline @inline(never)
    func specialPart<Service>() throws -> Service {
        let location = consumerLocation
        return try serviceInFull(Service.self, location.fileID, location.line) ?? replacement(location)
    }

    /// Returns the value of a parameter whose type is not registered.
    private func replacement<Service>(_ location: SourceLocation) throws -> Service {
        // A parameter of a protocol that `Resolver` conforms to does not get the resolver.
        if Service.self == Resolver.self || Service.self == Resolver?.self,
            let resolver = try (serviceInFull(Resolver.self, location.fileID, location.line) ?? self) as? Service
        {
            return resolver
        }
        if let optional = Service.self as? any AnyOptional.Type,
            let part = try optional.part(of: self, location.fileID, location.line) as? Service
        {
            return part
        }
        throw explainNil(Service.self, Service.self, nil, location.fileID, location.line)
    }

    /// Returns the value of a parameter of this type. Awaits asynchronous factories and other actors.
    @usableFromInline
    nonisolated(nonsending) func partAsync<Service: Sendable>() async throws -> Service {
        let location = consumerLocation
        if !isSpecial(Service.self) {
            return try await resolveAsync(Service.self, fileID: location.fileID, line: location.line)
        }
        if let service = try await optionalAsync(Service.self, fileID: location.fileID, line: location.line) {
            return service
        }
        let made = try await awaitingPendingWork { InstanceBox<Service>.pack(try self.replacement(location)) }
        return InstanceBox<Service>.unpack(made!)
    }
}
