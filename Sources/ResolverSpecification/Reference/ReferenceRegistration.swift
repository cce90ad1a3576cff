/// A registration: its factory, its lifetime and its modifiers.
final class ReferenceRegistration {
    struct Key: Hashable, CustomStringConvertible {
        let type: ObjectIdentifier
        let name: String?
        let description: String

        init<Service>(_ type: Service.Type, _ name: String?) {
            self.type = ObjectIdentifier(type)
            self.name = name
            let type = "\(type)".split(separator: " ").last.map(String.init) ?? ""
            description = type + (name.map { ":\($0)" } ?? "")
        }
    }

    /// The source location of a `register` call.
    struct Definition: Hashable {
        let key: Key
        let line: UInt
    }

    struct TimeToLive {
        let seconds: Double
        let isFromCreation: Bool
    }

    typealias Completion = (ReferenceContainer, Any, Argument?) throws -> Void

    let definition: Definition
    /// The key of an alias's source.
    let source: Key?
    /// For an alias, converts the source's instance to the alias's type.
    let face: ((Any) -> Any?)?
    let factory: (ReferenceContainer, Argument?) throws -> Any?
    /// The owner: a container, or the context that has registered it for itself.
    private(set) weak var home: ReferenceOwner?

    /// Whether only asynchronous calls may make an instance.
    var isAsync = false
    var lifetime: Lifetime
    var timeToLive: TimeToLive?
    var keepsForEachArgument = false
    var completions: [Completion] = []
    var hooks: [(Any) -> Void] = []
    /// Whether it was replaced or removed.
    var isGone = false
    /// Whether a call has looked for its instance. Before that, its modifiers leave the singleton of its definition as it is.
    var isUsed = false

    init(
        _ definition: Definition, source: Key? = nil, face: ((Any) -> Any?)? = nil, home: ReferenceOwner,
        lifetime: Lifetime = .graph, factory: @escaping (ReferenceContainer, Argument?) throws -> Any? = { _, _ in nil }
    ) {
        self.definition = definition
        self.source = source
        self.face = face
        self.home = home
        self.lifetime = lifetime
        self.factory = factory
    }

    var key: Key { definition.key }
    var step: String { "\(key)@\(definition.line)" }
}

struct ReferenceOptions<Service>: RegistrationUnderTest, @unchecked Sendable {
    let registration: ReferenceRegistration
    let system: ReferenceSystem
    weak var table: ReferenceTable?

    func setLifetime(_ lifetime: Lifetime) {
        system.locked {
            registration.lifetime = lifetime
            ReferenceCell.empty(system.cells(of: registration, withSingleton: false))
        }
    }

    func implement<Role>(_ type: Role.Type, name: String?, line: UInt) {
        system.locked {
            guard let table, let home = registration.home else { return }
            let alias = ReferenceRegistration(
                .init(key: .init(type, name), line: line), source: registration.key, face: { $0 as? Role }, home: home)
            table.put(alias, system)
        }
    }

    func setTimeToLive(_ seconds: Double, fromCreation: Bool) {
        system.locked {
            registration.timeToLive = .init(seconds: seconds, isFromCreation: fromCreation)
            let cells = system.cells(of: registration, withSingleton: registration.isUsed)
            for cell in cells.flatMap(\.withBranches) { cell.restartTime() }
        }
    }

    func keepForEachArgument() {
        system.locked {
            registration.keepsForEachArgument = true
            ReferenceCell.empty(system.cells(of: registration, withSingleton: registration.isUsed))
        }
    }

    func complete(_ block: @escaping @Sendable (any ContainerUnderTest, Service, Argument?) throws -> Void) {
        system.locked {
            registration.completions.append { container, service, argument in
                if let service = service as? Service { try block(container, service, argument) }
            }
        }
    }

    func onRelease(_ hook: @escaping @Sendable (Service) throws -> Void) {
        system.locked {
            registration.hooks.append { service in
                if let service = service as? Service { try? hook(service) }
            }
        }
    }
}

/// The registrations of a container or a context.
final class ReferenceTable {
    private(set) var registrations: [ReferenceRegistration.Key: ReferenceRegistration] = [:]

    /// Adds a registration. The new one is there before the old one's instances are released.
    func put(_ registration: ReferenceRegistration, _ system: ReferenceSystem) {
        guard let old = registrations.updateValue(registration, forKey: registration.key) else { return }
        old.isGone = true
        ReferenceCell.empty(system.cells(of: old, withSingleton: true))
    }

    /// - Returns: the cells of the removed registrations.
    func removeAll(_ system: ReferenceSystem) -> [ReferenceCell] {
        let old = registrations.values
        registrations = [:]
        for registration in old { registration.isGone = true }
        return old.flatMap { system.cells(of: $0, withSingleton: false) }
    }
}

extension ReferenceSystem {
    /// Returns the cells of a registration.
    ///
    /// - Parameter withSingleton: whether to include the cell of its definition, which other containers share.
    func cells(of registration: ReferenceRegistration, withSingleton: Bool) -> [ReferenceCell] {
        if registration.source != nil { return [] }
        let owned = allOwners.flatMap { $0.cells(of: registration) }
        guard withSingleton, registration.lifetime == .application, registration.home?.keepsAll == false else {
            return owned
        }
        return owned + [singleton(registration.definition)]
    }
}
