extension Resolver {
    /// Puts the service of a registration whose slot is empty into the caller's memory. Calls without arguments begin here.
    ///
    /// It takes no call site, because only errors need one: the function that the app calls next has it.
    ///
    /// - Returns: whether there is a service. If not, nothing was found, or the creation has failed.
    @usableFromInline @inline(never)
    func make(_ found: FoundRegistration?, into memory: ServiceMemory) -> Bool {
        guard let found else { return false }
        return makeFound(found, into: memory)
    }

    /// Puts the service of a registration found in `root` into memory, as the instance method does.
    @usableFromInline @inline(never)
    static func make(_ found: FoundRegistration?, into memory: ServiceMemory) -> Bool {
        guard let found else { return false }
        return firstUnretained.use { $0.makeFound(found, into: memory) }
    }

    /// Inlined into each caller, because fewer stack frames make deep graphs faster.
    @inline(__always)
    func makeFound(_ found: FoundRegistration, into memory: ServiceMemory) -> Bool {
        do {
            return try found.use { try $0.resolveUnisolated(Call(self, .none, into: memory)) }
        } catch {
            ResolutionCycle.current.setFailure(error)
            return false
        }
    }

    /// Puts the service into the caller's memory, if neither the slot nor `make(_:into:)` has served the call.
    ///
    /// - Parameters:
    ///   - found: the registration that `make(_:into:)` has failed to make, if any.
    ///   - type: the type by which to find the service.
    ///   - service: the type of the service. It differs from `type` where a runtime type is passed.
    /// - Returns: whether there is a service. If not, there is no registration, or its factory or scope returned nil.
    @inline(__always)
    func provide(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) throws -> Bool {
        if found != nil {
            try ResolutionCycle.current.throwFailure()
            return false
        }
        guard SlowPathReasons.isNoneForResolvers else {
            return try provideInFull(type, as: service, name, args, fileID, line, into: memory)
        }
        let key = ServiceKey(type, as: service, name)
        guard let (found, isolating) = search(key), isolating == nil else {
            return try Call(self, args, into: memory).resolve(findWithOverrides(key), key)
        }
        return try found.use { registration in
            if let kept = registration.kept(resolver: self) { return registration.unpack(kept, into: memory) }
            return try registration.resolveUnisolated(Call(self, args, into: memory))
        }
    }

    /// Calls `provide`, which is inlined into this function and into `makeOrTrap`.
    @inline(never)
    func provideWithoutCopy(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) throws -> Bool {
        try provide(found, type, as: service, name, args, fileID, line, into: memory)
    }

    func noteNothingFound(_ key: ServiceKey) {
        ScopeContext.shared.reportIfUnseen(key)
        ResolutionCycle.current.noteNothingFound()
    }

    /// Provides the service with all steps: runs the bootstrap first, reports to observers, and decorates the service.
    ///
    /// Never uses the slot of an alias, because its source must be decorated too. An instance that the call has awaited takes
    /// precedence over a kept one.
    @inline(never)
    func provideInFull(
        _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments, _ fileID: StaticString,
        _ line: UInt, into memory: ServiceMemory
    ) throws -> Bool {
        let key = ServiceKey(type, as: service, name)
        let cycle = ResolutionCycle.current
        if SlowPathReasons.isSet(SlowPathReasons.bootstrap) { try cycle.withoutPass { try Bootstrap.shared.run() } }
        let found = cycle.awaitedRegistration(key) ?? findWithOverrides(key)
        let asked = cycle.report(key, found, by: self, askedAt: SourceLocation(fileID: fileID, line: line))
        guard let found else {
            noteNothingFound(key)
            return false
        }
        cycle.setTarget(found, insteadOf: nil)
        defer { if let asked { cycle.end(asked) } }
        guard try found.resolveAwaited(Call(self, args, into: memory)) else { return false }
        if let asked { cycle.reportIfHit(asked, found) }
        try Resolver.decorateIfAsked(memory, of: found)
        return true
    }

    /// Returns the service of `provideInFull` as an object for `box` to unpack, or nil.
    ///
    /// - Throws: `ResolutionError`.
    func objectInFull(
        _ box: AnyInstanceBox.Type, _ type: Any.Type, _ name: Name?, _ args: Any?, _ fileID: StaticString, _ line: UInt
    ) throws(ResolutionError) -> AnyObject? {
        do {
            return try box.receive { memory in
                try PassedArguments.with(args) {
                    try provideInFull(type, as: box.service, name, $0, fileID, line, into: memory)
                }
            }
        } catch {
            // The call does the pending work and tries again, so it has not failed.
            if ResolutionCycle.current.hasPendingWork { throw AsyncPass.unfinished }
            throw .ofCall(error, fileID, line)
        }
    }

    /// Returns the service of `provideInFull`, or nil.
    ///
    /// - Throws: `ResolutionError`.
    func serviceInFull<Service>(
        _ type: Service.Type, _ fileID: StaticString, _ line: UInt
    ) throws(ResolutionError) -> Service? {
        let object = try objectInFull(InstanceBox<Service>.self, type, nil, nil, fileID, line)
        return object.map { InstanceBox<Service>.unpack($0) }
    }

    /// Returns the instance that the scope keeps. Asks the scope.
    @usableFromInline @inline(never)
    func existingOfScope<Service>(_ type: Service.Type, _ name: Name?) -> Service? {
        try? Bootstrap.shared.run()
        guard let found = findWithOverrides(ServiceKey(type, name), isUse: false) else { return nil }
        return ResolutionCycle.current.withoutPass { found.scope.existing(registration: found.typed(), resolver: self) }
    }
}

// The functions that resolve call these if `make(_:into:)` has made nothing.

extension Resolver {
    @usableFromInline @inline(never)
    func makeOrTrap(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) {
        do {
            if try provide(found, type, as: service, name, args, fileID, line, into: memory) { return }
        } catch {
            trap(error, fileID, line)
        }
        Resolver.end(explainNil(type, service, name, fileID, line), fileID, line)
    }

    @usableFromInline @inline(never)
    func makeOrNil(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) {
        do {
            _ = try provideWithoutCopy(found, type, as: service, name, args, fileID, line, into: memory)
        } catch {
            trap(error, fileID, line)
        }
    }

    @usableFromInline @inline(never)
    func makeOrThrow(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) throws(ResolutionError) {
        do {
            if try provideWithoutCopy(found, type, as: service, name, args, fileID, line, into: memory) { return }
        } catch {
            throw .ofCall(error, fileID, line)
        }
        throw explainNil(type, service, name, fileID, line)
    }

    /// Returns the resolver in which `found` is registered, or `root`.
    @usableFromInline @inline(never)
    static func root(of found: FoundRegistration?) -> Resolver {
        found != nil ? firstUnretained.object : preparedRoot()
    }
}
