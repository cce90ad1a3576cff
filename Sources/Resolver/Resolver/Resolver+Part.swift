// What `autoregister` does for any number of parameters.

extension Resolver {
    @usableFromInline
    func autoregister<Service>(
        _ registration: ResolverRegistration<Service>.Type, _ type: Any.Type, _ name: Resolver.Name?,
        _ fileID: StaticString, _ line: UInt, _ isolation: (any Actor)?, _ needs: [Any.Type],
        _ factory: @escaping ServiceFactory
    ) -> ResolverOptions<Service> {
        let location = SourceLocation(fileID: fileID, line: line)
        AnyResolverRegistration.refuseTuples(needs, of: type, location)
        return ResolverOptions(
            add(
                registration, type, name, location, in: nil, factory,
                RegistrationSettings(
                    isolations: isolation.map { [$0] } ?? [],
                    wiring: DeclaredWiring(needs: needs.map { Dependency($0) }))))
    }

    /// What a parameter of this type gets.
    @inlinable @inline(__always)
    func part<Service>(_ fileID: StaticString, _ line: UInt) throws -> Service {
        let found = found(Service.self, nil, as: Service.self)
        if let kept = found.kept { return InstanceBox<Service>.unpack(kept) }
        if isSpecial(Service.self) { return try specialPart(fileID, line) }
        var service: Service?
        try ServiceMemory.filling(&service) { memory in
            try tryMake(found.registration, Service.self, as: Service.self, nil, .none, fileID, line, into: memory)
        }
        return service!
    }

    /// Whether a parameter of the type gets something if there is no such service: an optional, or the resolver that was asked.
    @usableFromInline @inline(never)
    func isSpecial(_ type: Any.Type) -> Bool {
        type == Resolver.self || TypeMetadata.isOptional(type)
    }

    @usableFromInline @inline(never)
    func specialPart<Service>(_ fileID: StaticString, _ line: UInt) throws -> Service {
        try serviceInFull(Service.self, nil, nil, fileID, line) ?? replacement(fileID, line)
    }

    /// What a parameter gets where there is no such service.
    private func replacement<Service>(_ fileID: StaticString, _ line: UInt) throws -> Service {
        if let resolver = asPart(Service.self) { return resolver }
        if let optional = Service.self as? any AnyOptional.Type,
            let part = try optional.part(of: self, fileID, line) as? Service
        {
            return part
        }
        throw explainNil(Service.self, Service.self, nil, fileID, line)
    }

    /// This resolver, for a parameter of that type, not for one of a protocol that it conforms to.
    private func asPart<Service>(_ type: Service.Type) -> Service? {
        type == Resolver.self || type == Resolver?.self ? self as? Service : nil
    }

    /// What a parameter of this type gets, whatever it takes to make it.
    @usableFromInline
    nonisolated(nonsending) func partAsync<Service: Sendable>(
        _ fileID: StaticString, _ line: UInt
    ) async throws -> Service {
        if let service = try await optionalAsync(Service.self, fileID: fileID, line: line) { return service }
        return try await awaitingPendingWork { try self.replacement(fileID, line) }
    }
}
