/// The resolvers that are alive, so that a message can say where a missing service is registered instead.
///
/// Holds what a resolver is made of and not the resolver itself: it may be ending while a message is written.
final class ResolverDirectory: Sendable {
    static let shared = ResolverDirectory()

    private let entries = Guarded<[ObjectIdentifier: (table: RegistrationTable, home: ResolverHome)]>([:])

    /// All that are alive, in no particular order.
    var all: [(table: RegistrationTable, home: ResolverHome)] {
        entries.withLock { Array($0.values) }
    }

    /// Calls `body` with each table, under the lock: no reference is left behind that might be the last. What `body` has
    /// taken out of slots is released outside.
    func release(_ body: (RegistrationTable) -> InstanceSlots.Withdrawn?) {
        for withdrawn in entries.withLock({ $0.values.compactMap { body($0.table) } }) { withdrawn.release() }
    }

    /// Those that were made in a test; of others nothing is held meanwhile.
    func made(in test: Surroundings.Test) -> [(table: RegistrationTable, home: ResolverHome)] {
        entries.withLock { $0.values.filter { $0.home.test == test.number } }
    }

    /// A resolver's entry, which goes with the resolver.
    final class Ticket: Sendable {
        private let home: ResolverHome

        init(table: RegistrationTable, home: ResolverHome) {
            self.home = home
            ResolverDirectory.shared.entries.withLock { $0[ObjectIdentifier(home)] = (table, home) }
        }

        deinit {
            // Released outside the lock: it may be the last reference to the table, and the instances with it.
            ResolverDirectory.shared.entries.discard { $0.removeValue(forKey: ObjectIdentifier(home)) }
        }
    }
}

extension Resolver {
    /// This resolver and all below it, in the order in which they are searched.
    var searched: [Resolver] {
        [self] + children.all(below: self)
    }

    /// How messages call it.
    var label: String { home.label }
}

extension ResolverHome {
    var label: String {
        Messages.resolverLabel(
            isMain: Resolver.main.home === self, isRoot: Resolver.root.home === self, location: location)
    }
}
