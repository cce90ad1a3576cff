/// The list of live resolvers, from which a message can say where a missing service is registered instead.
///
/// It holds parts of a resolver and not the resolver, which may be ending while a message is written.
final class LiveResolvers: Sendable {
    static let shared = LiveResolvers()

    typealias Entry = (table: RegistrationTable, owner: RegistrationOwner)

    private let entries = Guarded(Slab<Entry>())

    /// All live resolvers, in no particular order.
    var all: [Entry] { entries.withLock { $0.all } }

    /// Calls `body` with each table, under the lock, so that no last reference is left behind.
    ///
    /// Releases what `body` returns after the lock.
    func release(_ body: (RegistrationTable) -> FastSlots.Invalidated?) {
        for invalidated in entries.withLock({ $0.all.compactMap { body($0.table) } }) { invalidated.release() }
    }

    /// Returns the resolvers made in a test. Retains no others meanwhile.
    func made(in test: World.Test) -> [Entry] {
        entries.withLock { $0.all.filter { $0.owner.test == test.number } }
    }

    /// Adds a resolver.
    ///
    /// - Returns: the index for `remove(at:)`.
    func add(_ table: RegistrationTable, _ owner: RegistrationOwner) -> Int {
        entries.withLock { $0.insert((table, owner)) }
    }

    /// Removes a resolver that has ended. Its table is released outside the lock: this may be the last reference to it and to
    /// its instances.
    func remove(at index: Int) {
        entries.discard { $0.remove(at: index) }
    }
}

extension Resolver {
    /// The resolver and all resolvers below it, in search order.
    var searched: [Resolver] {
        [self] + children.all(below: self)
    }

    /// The name of this resolver in messages.
    var label: String { owner.label }
}

extension RegistrationOwner {
    var label: String {
        Messages.resolverLabel(
            isMain: Resolver.main.owner === self, isRoot: Resolver.root.owner === self, location: location)
    }
}
