/// The resolvers that are alive, so that a message can say where a missing service is registered instead.
///
/// Holds what a resolver is made of and not the resolver itself: it may be ending while a message is written.
final class LiveResolvers: Sendable {
    static let shared = LiveResolvers()

    private let entries = Guarded<[ObjectIdentifier: (table: RegistrationTable, owner: RegistrationOwner)]>([:])

    /// All that are alive, in no particular order.
    var all: [(table: RegistrationTable, owner: RegistrationOwner)] {
        entries.withLock { Array($0.values) }
    }

    /// Calls `body` with each table, under the lock: no reference is left behind that might be the last. What `body` has
    /// taken out of slots is released outside.
    func release(_ body: (RegistrationTable) -> FastSlots.Invalidated?) {
        for withdrawn in entries.withLock({ $0.values.compactMap { body($0.table) } }) { withdrawn.release() }
    }

    /// Those that were made in a test; of others nothing is held meanwhile.
    func made(in test: Surroundings.Test) -> [(table: RegistrationTable, owner: RegistrationOwner)] {
        entries.withLock { $0.values.filter { $0.owner.test == test.number } }
    }

    /// A resolver's entry, which goes with the resolver.
    final class Ticket: Sendable {
        private let owner: RegistrationOwner

        init(table: RegistrationTable, owner: RegistrationOwner) {
            self.owner = owner
            LiveResolvers.shared.entries.withLock { $0[ObjectIdentifier(owner)] = (table, owner) }
        }

        deinit {
            // Released outside the lock: it may be the last reference to the table, and the instances with it.
            LiveResolvers.shared.entries.discard { $0.removeValue(forKey: ObjectIdentifier(owner)) }
        }
    }
}

extension Resolver {
    /// This resolver and all below it, in the order in which they are searched.
    var searched: [Resolver] {
        [self] + children.all(below: self)
    }

    /// How messages call it.
    var label: String { owner.label }
}

extension RegistrationOwner {
    var label: String {
        Messages.resolverLabel(
            isMain: Resolver.main.owner === self, isRoot: Resolver.root.owner === self, location: location)
    }
}
