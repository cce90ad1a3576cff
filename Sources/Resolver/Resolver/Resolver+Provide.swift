extension Resolver {
    /// Find, keep, make: what every call does whose answer was not at hand. Puts the service into memory of the caller, who
    /// knows its type.
    ///
    /// - Parameters:
    ///   - found: what answers for it here, if that is known, and its slot is empty.
    ///   - type: what to find it by.
    ///   - service: the type of the service, which is another one where a runtime type is passed.
    /// - Returns: whether there is a service. Otherwise there is no registration, or its factory or scope returned nil.
    @inline(__always)
    func provide(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) throws -> Bool {
        if let found {
            return try withExtendedLifetime(self) {
                try found.use { try $0.obtainInline(self, args, into: memory) }
            }
        }
        guard SlowPathReasons.isNoneForResolvers else {
            return try provideInFull(type, as: service, name, args, fileID, line, into: memory)
        }
        let (key, service) = (ServiceKey(type, name), ObjectIdentifier(service))
        guard let registration = findInReach(key, as: service) else {
            // An isolating resolver comes first, and keeps nothing yet that is answered without asking for it.
            let found =
                ScopeContext.shared.local(key, as: service) ?? findIsolated(key, as: service)?.registration.object
            return try obtain(found, key, as: service, args, into: memory)
        }
        return try withExtendedLifetime(self) {
            try registration.use { registration in
                if let kept = registration.kept(resolver: self) {
                    return registration.unpack(kept.takeRetainedValue(), into: memory)
                }
                return try registration.obtainInline(self, args, into: memory)
            }
        }
    }

    /// The service from what was found, if anything was.
    @inline(never)
    func obtain(
        _ found: AnyResolverRegistration?, _ key: ServiceKey, as service: ObjectIdentifier, _ args: PassedArguments,
        into memory: ServiceMemory
    ) throws -> Bool {
        if let found { return try found.obtain(through: self, args, into: memory) }
        noteNothingFound(key, as: service)
        return false
    }

    func noteNothingFound(_ key: ServiceKey, as service: ObjectIdentifier) {
        ScopeContext.shared.tellIfUnseen(key, as: service)
        ResolutionCycle.current.noteNothingFound()
    }

    /// `provide` with all there may be to do besides: run the app's registrations first, decorate afterwards. Never from a
    /// slot: what an alias stands for is decorated on the long way, and what a task has waited for comes before what is
    /// kept by now.
    @inline(never)
    func provideInFull(
        _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments, _ fileID: StaticString,
        _ line: UInt, into memory: ServiceMemory
    ) throws -> Bool {
        let (key, service) = (ServiceKey(type, name), ObjectIdentifier(service))
        let cycle = ResolutionCycle.current
        if SlowPathReasons.isSet(SlowPathReasons.bootstrap) { try cycle.withoutPass { try Bootstrap.shared.run() } }
        let found = cycle.awaited(key, as: service) ?? findSeen(key, as: service)
        let asked = cycle.tell(type, name, found, askedAt: SourceLocation(fileID: fileID, line: line))
        guard let found else {
            noteNothingFound(key, as: service)
            return false
        }
        cycle.setTarget(found, insteadOf: nil)
        guard try found.obtainAwaited(through: self, args, into: memory) else { return false }
        if let asked { cycle.tellIfHit(asked, found) }
        Resolver.decorateIfAsked(found.value(memory))
        return true
    }

    /// The service by `provideInFull`, as an object that `box` unpacks, if there is one.
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
            // The task sees to it, and tries again: nothing has failed.
            if ResolutionCycle.current.isToWait { throw AsyncPass.unfinished }
            throw explain(error, type, name, fileID, line)
        }
    }

    /// The service by `provideInFull`, if there is one.
    ///
    /// - Throws: `ResolutionError`.
    func serviceInFull<Service>(
        _ type: Service.Type, _ fileID: StaticString, _ line: UInt
    ) throws(ResolutionError) -> Service? {
        let object = try objectInFull(InstanceBox<Service>.self, type, nil, nil, fileID, line)
        return object.map { InstanceBox<Service>.unpack($0) }
    }

    /// What the scope keeps, asking it.
    @usableFromInline @inline(never)
    func lookUp<Service>(_ type: Service.Type, _ name: Name?) -> Service? {
        try? Bootstrap.shared.run()
        guard let found = findSeen(ServiceKey(type, name), as: ObjectIdentifier(Service.self)) else { return nil }
        return found.scope.existing(registration: found.typed(), resolver: self)
    }
}

// MARK: What a door calls

/// What was found for a call, and what its slot had, retained. Both are nil where the short way may not be taken.
@usableFromInline
struct FoundService {
    @usableFromInline let registration: FoundRegistration?
    @usableFromInline let kept: TakenReference?

    @inline(__always) static var none: FoundService { FoundService(registration: nil, kept: nil) }
}

extension Resolver {
    /// The short way: what is kept, if it is at hand.
    @usableFromInline @inline(never)
    func found(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        guard SlowPathReasons.isNoneForResolvers else { return .none }
        return foundInReach(type, name, as: service)
    }

    /// The short way from `root`, if that is the first resolver.
    @usableFromInline @inline(never)
    static func found(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        guard SlowPathReasons.isNone else { return .none }
        return first.foundInReach(type, name, as: service)
    }

    @inline(__always)
    private func foundInReach(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        // Nearly all are registered here, by their own type and without a name.
        if name == nil, type == service, let own = table.findUnnamed(ObjectIdentifier(service)) {
            return FoundService(registration: own, kept: own.use { $0.slot.take() })
        }
        return foundByName(type, name, as: service)
    }

    @inline(never)
    private func foundByName(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        guard let found = findInReach(ServiceKey(type, name), as: ObjectIdentifier(service)) else {
            return keptInIsolation(type, name, as: service)
        }
        return FoundService(
            registration: found, kept: found.use { $0.kept(resolver: self) })
    }

    /// What an isolating resolver keeps for what is registered behind it, if hits need not ask for it.
    @inline(never)
    private func keptInIsolation(_ type: Any.Type, _ name: Name?, as service: Any.Type) -> FoundService {
        // Taken when the search is over, which may have been repeated. What it has found lives as long as this resolver.
        guard let (registration, keeper) = findIsolated(ServiceKey(type, name), as: ObjectIdentifier(service)),
            let kept = keeper?.use({ keeper in registration.use { $0.kept(behind: keeper.owner) } })
        else { return .none }
        return FoundService(registration: registration, kept: kept)
    }

    /// The kept service, if it is at hand.
    @_alwaysEmitIntoClient @inline(__always)
    func kept<Service>(_ type: Service.Type, _ name: Name?) -> Service? {
        found(type, name, as: Service.self).kept.map(InstanceBox<Service>.unpack)
    }
}

// What the doors call where the answer is not at hand.

extension Resolver {
    /// Puts the service into `memory`, or traps.
    @usableFromInline @inline(never)
    func make(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) {
        do {
            if try provide(found, type, as: service, name, args, fileID, line, into: memory) { return }
        } catch {
            trap(error, type, name, fileID, line)
        }
        trapForNil(type, service, name, fileID, line)
    }

    /// Puts the service into `memory`, if there is one, or traps.
    @usableFromInline @inline(never)
    func makeIfAny(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) {
        do {
            _ = try provide(found, type, as: service, name, args, fileID, line, into: memory)
        } catch {
            trap(error, type, name, fileID, line)
        }
    }

    /// Puts the service into `memory`, or throws.
    @usableFromInline @inline(never)
    func tryMake(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) throws(ResolutionError) {
        do {
            if try provide(found, type, as: service, name, args, fileID, line, into: memory) { return }
        } catch {
            throw explain(error, type, name, fileID, line)
        }
        throw explainNil(type, service, name, fileID, line)
    }

    // What the static doors call: they ask `root`.

    @usableFromInline @inline(never)
    static func make(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) {
        root(of: found).make(found, type, as: service, name, args, fileID, line, into: memory)
    }

    @usableFromInline @inline(never)
    static func makeIfAny(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) {
        root(of: found).makeIfAny(found, type, as: service, name, args, fileID, line, into: memory)
    }

    @usableFromInline @inline(never)
    static func tryMake(
        _ found: FoundRegistration?, _ type: Any.Type, as service: Any.Type, _ name: Name?, _ args: PassedArguments,
        _ fileID: StaticString, _ line: UInt, into memory: ServiceMemory
    ) throws(ResolutionError) {
        try root(of: found).tryMake(found, type, as: service, name, args, fileID, line, into: memory)
    }

    /// The resolver in which something was found, if anything was.
    private static func root(of found: FoundRegistration?) -> Resolver {
        found != nil ? first : preparedRoot()
    }
}

extension AnyResolverRegistration {
    /// What the slot has, retained.
    ///
    /// An alias may stand for something else when it is asked through another resolver than the one where its slot was
    /// filled.
    @inline(__always)
    final func kept(resolver: Resolver) -> TakenReference? {
        isAlias && owner !== resolver.owner ? nil : slot.take()
    }

    /// What `keeper`, an isolating resolver in front of it, keeps, if hits need not ask for it.
    final func kept(behind keeper: RegistrationOwner) -> TakenReference? {
        withPlan { plan in
            guard plan.isUnconditional, case .cached(let store) = plan.lifetime else { return nil }
            return store.use { keeper.isolatedRow?.search(number, $0.number)?.slot.take() }
        }
    }
}
