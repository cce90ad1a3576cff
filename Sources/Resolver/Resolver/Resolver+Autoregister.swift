// There is one function for each number of parameters: a function with a parameter pack and a dynamic isolation cannot be
// called synchronously.

extension Resolver {
    /// Registers a service by its initializer, whose parameters are resolved.
    ///
    ///     resolver.autoregister(Cart.init)
    ///     resolver.autoregister(Database.init(url:pool:)).implements(Store.self).scope(.application)
    ///
    /// Each parameter is resolved by its type, without a name, from the resolver of the call. A parameter of an optional type
    /// gets nil if the wrapped type is not registered; a parameter of type `Resolver` gets the resolver of the call, unless one
    /// is registered. The initializer may throw, return nil, and be isolated to an actor. The parameters are the declared dependencies, which
    /// `verify()` checks before any code runs. There are overloads for up to ten parameters, also for asynchronous
    /// initializers.
    ///
    /// - Parameters:
    ///   - initializer: an initializer, or any function. Default values of its parameters are not used.
    ///   - name: distinguishes several registrations of one type.
    /// - Returns: options to set its scope and more.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service>(
        _ initializer: @escaping @isolated(any) @Sendable () throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable () throws -> Service? = Isolation.assumed(Plain.Isolated(call: initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation, []
        ) { _, _, memory in try memory.put(make()) }
    }

    /// Registers a service by its initializer with one parameter.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1>(
        _ initializer: @escaping @isolated(any) @Sendable (D1) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1) throws -> Service? = Isolation.assumed(Wired1(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation, [D1.self]
        ) { r, _, memory in try memory.put(make(r.part())) }
    }

    /// Registers a service by its initializer with two parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2) throws -> Service? = Isolation.assumed(Wired2(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part())) }
    }

    /// Registers a service by its initializer with three parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3) throws -> Service?, name: Resolver.Name? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3) throws -> Service? = Isolation.assumed(Wired3(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with four parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4) throws -> Service? = Isolation.assumed(Wired4(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with five parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5) throws -> Service? = Isolation.assumed(Wired5(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with six parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6) throws -> Service? = Isolation.assumed(Wired6(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with seven parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7) throws -> Service? = Isolation.assumed(Wired7(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self]
        ) { r, _, memory in try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part())) }
    }

    /// Registers a service by its initializer with eight parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7, D8) throws -> Service? = Isolation.assumed(Wired8(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self]
        ) { r, _, memory in
            try memory.put(make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part()))
        }
    }

    /// Registers a service by its initializer with nine parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9) throws -> Service? =
            Isolation.assumed(Wired9(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self]
        ) { r, _, memory in
            try memory.put(
                make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part()))
        }
    }

    /// Registers a service by its initializer with ten parameters.
    @_alwaysEmitIntoClient @discardableResult
    public func autoregister<Service, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10>(
        _ initializer: @escaping @isolated(any) @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service?,
        name: Resolver.Name? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ResolverOptions<Service> {
        let make: @Sendable (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10) throws -> Service? =
            Isolation.assumed(Wired10(initializer))
        return autoregister(
            ResolverRegistration<Service>.self, Service.self, name, fileID, line, initializer.isolation,
            [D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self, D10.self]
        ) { r, _, memory in
            try memory.put(
                make(r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part(), r.part())
            )
        }
    }
}

// MARK: What all overloads share, and the values of parameters

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
                        wiring: DeclaredWiring(needs: needs.map { ResolverDependency($0) })))))
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
        let isOptional = Service.self == Resolver?.self
        if isOptional || Service.self == Resolver.self {
            let other = isOptional ? try serviceInFull(Resolver.self, location.fileID, location.line) : nil
            if let resolver = (other ?? self) as? Service { return resolver }
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
