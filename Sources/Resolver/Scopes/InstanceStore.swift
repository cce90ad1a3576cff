/// What one keeping scope keeps: a creation cell for each registration it was asked for.
///
/// The cell of a registration stands in the registration itself when this store was the first to keep for it, which is
/// all that happens in practice; a further store that keeps for the same registration has a cell of its own here.
final class InstanceStore: Sendable {
    /// What an instance belongs to.
    enum Identity: Sendable {
        /// One instance for each registration: two resolvers, two instances.
        case registration
        /// One instance for each definition: the same `register` call, run on two resolvers, means the same instance.
        case definition
    }

    private typealias Filled = (order: UInt64, cell: CreationCell)

    private struct State {
        /// The cells that may keep something, by the order in which their instances were finished.
        var filled: [ObjectIdentifier: Filled] = [:]
        /// Cells of registrations whose own cell belongs to another store, by the registration's number.
        var guests: [UInt64: CreationCell] = [:]
        /// The cells of definitions; weak, so that a definition nobody has registered any more leaves nothing behind.
        var definitions: [Definition: WeakReference] = [:]
    }

    let grip: CreationCell.Grip
    let identity: Identity
    private let state = Guarded(State())

    init(grip: CreationCell.Grip, identity: Identity = .registration) {
        self.grip = grip
        self.identity = identity
    }

    /// The kept instance, or one made now and kept.
    ///
    /// - Parameter direct: the scope of the registration would give the same answer until the store is emptied, so hits
    ///   need not ask it.
    func instance<Service>(
        of registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?, direct: () -> Bool
    ) throws -> Service? {
        let cell = cell(for: registration)
        let cycle = ResolutionCycle.current
        let turn = try cell.enter(cycle.node, subject: .registration(registration)) { !registration.isUnlinked }
        switch turn {
        case .take(let object):
            publish(object, of: registration, keptIn: cell, direct)
            return registration.unpack(object)
        case .create(let creation):
            return try create(creation, in: cell, of: registration, resolver, args, direct)
        case .reentered:
            if let unfinished = cycle.instance(of: registration) { return unfinished }
            // With arguments a service may resolve itself, as a tree does; the outermost instance is the one that is kept.
            guard args != nil else {
                throw ResolutionError.circle(
                    cycle.path(from: .registration(registration)) + [.registration(registration)])
            }
            return try registration.make(resolver: resolver, args: args)
        case .makeOwn:
            return try registration.make(resolver: resolver, args: args)
        case .lookAgain:
            // The registration was found before another took its place, which therefore is there now.
            return try resolver.find(registration.serviceKey, of: Service.self)?.resolveAgain(resolver, args)
        }
    }

    private func create<Service>(
        _ creation: Creation, in cell: CreationCell, of registration: ResolverRegistration<Service>,
        _ resolver: Resolver, _ args: Any?, _ direct: () -> Bool
    ) throws -> Service? {
        // Listed before the factory runs, so that a reset meanwhile finds the cell and makes it forget this creation;
        // listed again when the instance is there, because the order of release follows the order of completion.
        note(cell)
        let made: Service?
        do {
            made = try registration.make(resolver: resolver, args: args)
        } catch {
            cell.finish(creation, without: .failed)
            throw error
        }
        guard let made else {
            cell.finish(creation, without: .failed)
            return nil
        }
        guard let object = registration.pack(made, grip) else {
            cell.finish(creation, without: .unkeepable)
            return made
        }
        if cell.finish(creation, with: object, grip: grip) {
            note(cell)
            publish(object, of: registration, keptIn: cell, direct)
        }
        return made
    }

    /// Asked again afterwards, because the answer may have changed when nothing was published yet.
    private func publish(
        _ object: AnyObject, of registration: AnyResolverRegistration, keptIn cell: CreationCell, _ direct: () -> Bool
    ) {
        guard direct() else { return }
        registration.publish(object, of: object, keptIn: cell)
        if !direct() { registration.withdrawSlots() }
    }

    /// The instance kept for `registration`; never makes one, never waits.
    func existing<Service>(of registration: ResolverRegistration<Service>) -> Service? {
        cell(for: registration).kept.map(registration.unpack)
    }

    /// Lets go of everything, the youngest first.
    func empty() {
        let filled = state.withLock { state in
            state.definitions = state.definitions.filter { $0.value.object != nil }
            return Array(state.filled.values)
        }
        empty(filled.sorted { $0.order > $1.order })
    }

    /// Lets go of what is kept for a registration that was replaced or whose resolver is gone.
    func empty(_ cell: CreationCell) {
        empty(state.withLock { $0.filled[ObjectIdentifier(cell)].map { [$0] } } ?? [(UInt64(0), cell)])
    }

    /// The entries are taken out after the cells are empty, so that a second reset that comes meanwhile does not return
    /// too early; and only those that have not been filled again.
    private func empty(_ filled: [Filled]) {
        for (_, cell) in filled { cell.empty() }
        state.withLock { state in
            for (order, cell) in filled where state.filled[ObjectIdentifier(cell)]?.order == order {
                state.filled[ObjectIdentifier(cell)] = nil
            }
        }
    }

    /// The same for a registration that is a guest here.
    func emptyGuest(_ registration: AnyResolverRegistration) {
        guard let cell = state.withLock({ $0.guests.removeValue(forKey: registration.number) }) else { return }
        empty(cell)
    }

    private func note(_ cell: CreationCell) {
        let order = ProcessIdentity.next()
        state.withLock { state in
            state.filled[ObjectIdentifier(cell)] = (order, cell)
        }
    }

    private func cell(for registration: AnyResolverRegistration) -> CreationCell {
        if let own = registration.ownCell(in: self) { return own }
        let guest = state.withLock { state in
            if let cell = state.guests[registration.number] { return cell }
            let cell = CreationCell()
            state.guests[registration.number] = cell
            return cell
        }
        registration.addGuestStore(self)
        return guest
    }

    /// The cell that a registration gets when it has none yet.
    func makeCell(for registration: AnyResolverRegistration) -> CreationCell {
        guard identity == .definition else { return CreationCell() }
        let definition = Definition(key: registration.serviceKey, location: registration.location)
        return state.withLock { state in
            if let cell = state.definitions[definition]?.object as? CreationCell { return cell }
            let cell = CreationCell()
            state.definitions[definition] = WeakReference(cell)
            return cell
        }
    }
}

/// A `register` call as it stands in the source: what a singleton belongs to.
private struct Definition: Hashable {
    let key: ServiceKey
    let location: SourceLocation
}
