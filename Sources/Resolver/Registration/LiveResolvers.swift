/// The resolvers that are alive, so that a message can say where a missing service is registered instead.
///
/// Holds what a resolver is made of and not the resolver itself: it may be ending while a message is written.
final class LiveResolvers: Sendable {
    static let shared = LiveResolvers()

    typealias Entry = (table: RegistrationTable, owner: RegistrationOwner)

    private let entries = Guarded(Slab<Entry>())

    /// All that are alive, in no particular order.
    var all: [Entry] { entries.withLock { $0.all } }

    /// Calls `body` with each table, under the lock: no reference is left behind that might be the last. What `body` has
    /// taken out of slots is released outside.
    func release(_ body: (RegistrationTable) -> FastSlots.Invalidated?) {
        for invalidated in entries.withLock({ $0.all.compactMap { body($0.table) } }) { invalidated.release() }
    }

    /// Those that were made in a test; of others nothing is held meanwhile.
    func made(in test: World.Test) -> [Entry] {
        entries.withLock { $0.all.filter { $0.owner.test == test.number } }
    }

    /// - Returns: what `remove` takes.
    func add(_ table: RegistrationTable, _ owner: RegistrationOwner) -> Int {
        entries.withLock { $0.insert((table, owner)) }
    }

    /// The resolver has ended. Its table is released outside the lock: this may be the last reference to it, and the instances with it.
    func remove(at index: Int) {
        entries.discard { $0.remove(at: index) }
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
