extension Resolver {
    /// Find, keep, make. Inlined into the caller, where the type is known.
    ///
    /// - Returns: nil if there is no registration, or its factory or scope returned nil.
    @inlinable @inline(__always)
    func provide<Service>(
        _ type: Service.Type, _ name: Name?, _ args: PassedArguments, _ fileID: StaticString, _ line: UInt
    ) throws -> Service? {
        guard SlowPathReasons.isNoneForResolvers else { return try provideInFull(type, name, args, fileID, line) }
        return try withExtendedLifetime(self) {
            guard let found = findInReach(ServiceKey(type, name), as: ObjectIdentifier(Service.self)) else {
                return try provideIsolated(type, name, args)
            }
            return try found._withUnsafeGuaranteedRef { try $0.answer(resolver: self, args: args) }
        }
    }

    /// The same where an isolating resolver comes before the registration: what it keeps is in no slot.
    @usableFromInline @inline(never)
    func provideIsolated<Service>(_ type: Service.Type, _ name: Name?, _ args: PassedArguments) throws -> Service? {
        let key = ServiceKey(type, name)
        return try obtain(find(key, of: Service.self), key, args)
    }

    /// The service from what was found, if anything was.
    func obtain<Service>(
        _ found: ResolverRegistration<Service>?, _ key: ServiceKey, _ args: PassedArguments
    ) throws -> Service? {
        if let found { return try found.obtain(through: self, args) }
        noteNothingFound(key, as: ObjectIdentifier(Service.self))
        return nil
    }

    func noteNothingFound(_ key: ServiceKey, as service: ObjectIdentifier) {
        ScopeContext.shared.tellIfHidden(key, as: service)
        ResolutionCycle.current.noteNothingFound()
    }

    /// The same with all there may be to do besides: run the app's registrations first, decorate afterwards. Never from a
    /// slot: what an alias stands for is decorated on the long way, and what a task has waited for comes before what is
    /// kept by now.
    @usableFromInline
    func provideInFull<Service>(
        _ type: Service.Type, _ name: Name?, _ args: PassedArguments, _ fileID: StaticString, _ line: UInt
    ) throws -> Service? {
        let cycle = ResolutionCycle.current
        if SlowPathReasons.isSet(SlowPathReasons.bootstrap) { try cycle.withoutPass { try Bootstrap.shared.run() } }
        let key = ServiceKey(type, name)
        let found =
            cycle.awaited(key, as: ObjectIdentifier(Service.self))?.typed() ?? find(key, of: Service.self)
        if SlowPathReasons.isSet(SlowPathReasons.watched) {
            cycle.tell(type, name, found, askedAt: SourceLocation(fileID: fileID, line: line))
        }
        guard let found else {
            noteNothingFound(key, as: ObjectIdentifier(Service.self))
            return nil
        }
        cycle.setTarget(found, insteadOf: nil)
        guard let service = try found.obtainAwaited(through: self, args) else { return nil }
        Resolver.decorateIfAsked(service)
        return service
    }

    /// The kept instance alone.
    @inlinable @inline(__always)
    func kept<Service>(_ type: Service.Type, _ name: Name?) -> Service? {
        guard SlowPathReasons.isNoneForResolvers else { return nil }
        return withExtendedLifetime(self) {
            findInReach(ServiceKey(type, name), as: ObjectIdentifier(Service.self))?._withUnsafeGuaranteedRef {
                $0.kept(resolver: self)
            }
        }
    }

    /// What the scope keeps, asking it.
    @usableFromInline
    func lookUp<Service>(_ type: Service.Type, _ name: Name?) -> Service? {
        try? Bootstrap.shared.run()
        guard let registration = find(ServiceKey(type, name), of: Service.self) else { return nil }
        return registration.lifetime.scope.existing(registration: registration, resolver: self)
    }
}

extension AnyResolverRegistration {
    /// Keep, make: what the slot has, else what the scope answers. `find` has seen to it that the factory makes a
    /// `Service`, hence the downcast.
    @inlinable @inline(__always)
    final func answer<Service>(resolver: Resolver, args: PassedArguments) throws -> Service? {
        if let kept: Service = kept(resolver: resolver) { return kept }
        return try unsafeDowncast(self, to: ResolverRegistration<Service>.self).obtain(resolver, args)
    }

    /// What the slot has.
    ///
    /// A slot holds what `ResolverRegistration<Service>.pack` made: the object itself where `isDirect`, else a box of
    /// exactly this type. An alias may stand for something else when it is asked through another resolver than the one
    /// where its slot was filled.
    @inlinable @inline(__always)
    final func kept<Service>(resolver: Resolver) -> Service? {
        if isAlias, owner !== resolver.owner { return nil }
        guard let object = slot.take() else { return nil }
        if isDirect { return unsafeBitCast(object.takeRetainedValue(), to: Service.self) }
        return unsafeDowncast(object.takeRetainedValue(), to: InstanceBox<Service>.self).service
    }
}
