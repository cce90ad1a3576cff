/// A container of the reference.
final class ReferenceContainer: ContainerUnderTest, @unchecked Sendable {
    let system: ReferenceSystem
    let table = ReferenceTable()
    private var children: [ReferenceContainer]
    let owner: ReferenceOwner
    private var defaultLifetime = Lifetime.graph

    init(_ system: ReferenceSystem, _ children: [any ContainerUnderTest], isIsolating: Bool) {
        self.system = system
        self.children = children.compactMap { $0 as? ReferenceContainer }
        owner = ReferenceOwner(keepsAll: isIsolating, kind: nil)
        system.locked { system.add(owner) }
    }

    deinit { system.locked { ReferenceCell.empty(kept.map(\.cell)) } }

    // MARK: Registering

    func register<Service>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        add(type, name, line, isAsync: false) { container, argument in try factory(container, argument) }
    }

    func registerAsync<Service: Sendable>(
        _ type: Service.Type, name: String?, line: UInt,
        factory: @escaping @Sendable (any ContainerUnderTest, Argument?) async throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        add(type, name, line, isAsync: true) { container, argument in
            try BlockingTask.wait { try await factory(container, argument) }
        }
    }

    private func add<Service>(
        _ type: Service.Type, _ name: String?, _ line: UInt, isAsync: Bool,
        _ factory: @escaping (ReferenceContainer, Argument?) throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        system.locked {
            let registration = ReferenceRegistration(
                .init(key: .init(type, name), line: line), home: owner, lifetime: defaultLifetime, factory: factory)
            registration.isAsync = isAsync
            table.put(registration, system)
            return ReferenceOptions<Service>(registration: registration, system: system, table: table)
        }
    }

    func setDefaultLifetime(_ lifetime: Lifetime?) { system.locked { defaultLifetime = lifetime ?? .graph } }

    func add(_ child: any ContainerUnderTest) {
        system.locked { children += [child as? ReferenceContainer].compactMap { $0 } }
    }

    // MARK: Finding

    /// Returns the containers in search order, each once, with the container that keeps its instances.
    func searchOrder() -> [(container: ReferenceContainer, isolating: ReferenceContainer?)] {
        var order: [(container: ReferenceContainer, isolating: ReferenceContainer?)] = []
        func visit(_ container: ReferenceContainer, _ isolating: ReferenceContainer?) {
            if order.contains(where: { $0.container === container }) { return }
            let isolating = isolating ?? (container.owner.keepsAll ? container : nil)
            order.append((container, isolating))
            for child in container.children { visit(child, isolating) }
        }
        visit(self, nil)
        return order
    }

    func find(_ key: ReferenceRegistration.Key) -> ReferenceRegistration? {
        system.local(key) ?? searchOrder().lazy.compactMap { $0.container.table.registrations[key] }.first
    }

    // MARK: Resolving

    func ask<Service>(_ function: SyncFunction, _ type: Service.Type, name: String?, _ argument: Argument?) throws
        -> Service?
    {
        try system.locked {
            let key = ReferenceRegistration.Key(type, name)
            if function == .existing { return system.existing(key, in: self) as? Service }
            return try service(
                system.resolve(key, in: self, argument, isAsync: false), isOptional: function == .optional)
        }
    }

    private func service<Service>(_ answer: ReferenceSystem.Answer, isOptional: Bool) throws -> Service? {
        switch answer {
        case .service(let service): return service as? Service
        case .none where isOptional: return nil
        case .none(let failure): throw failure
        }
    }

    func askAsync<Service: Sendable>(
        _ function: AsyncFunction, _ type: Service.Type, name: String?, _ argument: Argument?
    ) async throws -> Service? {
        try system.locked {
            let answer = try system.resolve(.init(type, name), in: self, argument, isAsync: true)
            return try service(answer, isOptional: function == .optionalAsync)
        }
    }

    // MARK: Releasing

    func reset(_ part: ResetPart) {
        system.locked {
            switch part {
            case .scopes:
                ReferenceCell.empty(kept.map(\.cell))
            case .lifetime(let lifetime):
                let meant = (kept + singletons).filter { $0.registration.lifetime == lifetime }
                ReferenceCell.empty(meant.map(\.cell))
            case .registrations:
                ReferenceCell.empty(table.removeAll(system))
            case .all:
                let foreign = owner.all.filter { $0.registration.home !== owner }.map(\.cell)
                ReferenceCell.empty(table.removeAll(system) + foreign)
            }
        }
    }

    func resetAndWait(_ part: ResetPart) async { reset(part) }

    func purgeExpired() {
        system.locked {
            let timed = (kept + singletons).compactMap { entry in entry.registration.timeToLive.map { (entry.cell, $0) }
            }
            ReferenceCell.emptyOver(timed) { system.now }
        }
    }

    private typealias Entry = (registration: ReferenceRegistration, cell: ReferenceCell)

    /// The instances that this container keeps, and those that contexts keep for its registrations.
    private var kept: [Entry] {
        let inContexts = system.allOwners.filter { $0.kind != nil }.flatMap(\.all)
        // The instances of a removed registration are released by its replacement.
        let own = owner.all.filter { !$0.registration.isGone || $0.registration.home !== owner }
        return own + inContexts.filter { table.registrations[$0.registration.key] === $0.registration }
    }

    /// The singletons of its registrations, which it shares with other containers.
    private var singletons: [Entry] {
        let own = table.registrations.values.filter { $0.lifetime == .application && !owner.keepsAll }
        return own.map { ($0, system.singleton($0.definition)) }
    }
}
