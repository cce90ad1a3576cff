/// An open context, which keeps instances and has its own registrations.
final class ReferenceContext: ContextUnderTest, @unchecked Sendable {
    let kind: ContextKind
    let id: String
    let number: Int
    let table = ReferenceTable()
    let owner: ReferenceOwner
    private let system: ReferenceSystem
    /// Removes this context from the place where it is current.
    var unset: () -> Void = {}

    init(_ kind: ContextKind, id: String, in system: ReferenceSystem) {
        self.kind = kind
        owner = ReferenceOwner(keepsAll: true, kind: kind)
        self.id = id
        self.system = system
        number = system.next()
        system.add(owner)
    }

    var isOpen: Bool { system.locked { !owner.isClosed } }

    func end() {
        system.locked {
            if owner.isClosed { return }
            unset()
            for registration in table.registrations.values { registration.isGone = true }
            if owner.flights > 0 { system.hasCancelled = true }
            owner.close()
        }
    }

    func endAndWait() async { end() }

    func run(_ body: () throws -> Void) rethrows { try system.locked { try system.inFrame([self], body) } }
}

/// A place in running code: the contexts it is in, and those that it has set.
final class ReferenceFrame {
    private let bound: [ReferenceContext]
    var set: [ReferenceContext] = []

    init(bound: [ReferenceContext]) { self.bound = bound }

    /// The innermost is the last.
    var all: [ReferenceContext] { bound + set }
}

extension ReferenceSystem {
    private static func rank(_ kind: ContextKind) -> Int {
        switch kind {
        case .request: 10
        case .screen: 20
        case .session: 30
        }
    }

    /// Returns the innermost context of a kind, open or not.
    func innermost(_ kind: ContextKind) -> ReferenceContext? {
        if let own = frames.flatMap(\.all).last(where: { $0.kind == kind }) { return own }
        // What a task sets comes before what its caller has set and it must not see.
        let others = hiddenFromTask.filter { $0.kind == kind } + (slots[kind].map { [$0] } ?? [])
        return others.max { $0.number < $1.number }
    }

    func current(_ kind: ContextKind) -> ReferenceContext? { innermost(kind).flatMap { $0.owner.isClosed ? nil : $0 } }

    /// Returns the current context, unless the creation of a longer-lived instance is running that began after it.
    func visible(_ kind: ContextKind) -> ReferenceContext? { current(kind).flatMap(ifSeen) }

    /// Returns the innermost context as `visible` does, open or not.
    func unhidden(_ kind: ContextKind) -> ReferenceContext? { innermost(kind).flatMap(ifSeen) }

    /// Returns the context unless it is hidden. The running factories depend on it in both cases.
    private func ifSeen(_ context: ReferenceContext) -> ReferenceContext? {
        let rank = ReferenceSystem.rank(context.kind)
        if isHidden(context) {
            narrow(to: rank + 1...Int.max)
            return nil
        }
        // Creations of a rank hide this context, unless it began in them.
        if rank >= hiddenRank { narrow(to: Int.min...rank) }
        return context
    }

    private func isHidden(_ context: ReferenceContext) -> Bool {
        hidden.contains { ReferenceSystem.rank(context.kind) < $0.rank && context.number <= $0.since }
    }

    /// Runs `body`, which makes an instance with a lifetime.
    func hidingContexts<Result>(for lifetime: Lifetime, _ body: () throws -> Result) rethrows -> Result {
        if case .context(let kind, _) = lifetime {
            hidden.append((ReferenceSystem.rank(kind), next()))
        } else {
            hidden.append((.max, next()))
        }
        // A kept instance holds nothing of the contexts that are hidden from it, so its consumers do not depend on them.
        let outer = (ranks, unfinished)
        (ranks, unfinished) = (ReferenceSystem.allRanks, .max)
        defer {
            hidden.removeLast()
            (ranks, unfinished) = (outer.0, min(unfinished, outer.1))
        }
        return try body()
    }

    /// Returns the registration that a current context has for itself.
    func local(_ key: ReferenceRegistration.Key) -> ReferenceRegistration? {
        let all = ContextKind.allCases.compactMap { current($0) }.filter { $0.table.registrations[key] != nil }
        return all.lazy.compactMap { self.ifSeen($0)?.table.registrations[key] }.first
    }

    /// Returns the registration that a hidden context has for itself.
    func hiddenLocal(_ key: ReferenceRegistration.Key) -> ReferenceRegistration? {
        ContextKind.allCases.lazy.compactMap { self.current($0) }.filter { self.isHidden($0) }
            .compactMap { $0.table.registrations[key] }.first
    }

    func inFrame(_ contexts: [ReferenceContext], _ body: () throws -> Void) rethrows {
        frames.append(ReferenceFrame(bound: contexts))
        defer { endFrame() }
        try body()
    }

    /// Ends the contexts that were set inside and not cleared.
    private func endFrame() { for context in frames.removeLast().set.reversed() { context.end() } }

    /// Runs the creation of an instance in its own task. The task has the contexts that its factory may see.
    func inTask<Result>(for lifetime: Lifetime, _ body: () throws -> Result) rethrows -> Result {
        var bound: [ReferenceContext] = []
        if case .context(let own, _) = lifetime {
            let kinds = ContextKind.allCases.filter { ReferenceSystem.rank($0) >= ReferenceSystem.rank(own) }
            // Those of the process are found where they are.
            bound = kinds.compactMap { kind in frames.flatMap(\.all).last { $0.kind == kind } }
        }
        let (outer, hidden) = (frames, hiddenFromTask)
        let all = ContextKind.allCases.compactMap { kind in frames.flatMap(\.all).last { $0.kind == kind } }
        hiddenFromTask = (hidden + all).filter { context in !bound.contains { $0 === context } }
        frames = [ReferenceFrame(bound: bound)]
        defer { (frames, hiddenFromTask) = (outer, hidden) }
        return try body()
    }

    public func setCurrent(_ kind: ContextKind, id: String) -> any ContextUnderTest {
        locked {
            if kind != .request, let current = current(kind), current.id == id { return current }
            let isOfProcess = kind != .request && !frames.flatMap(\.all).contains { $0.kind == kind }
            let new = ReferenceContext(kind, id: id, in: self)
            if isOfProcess {
                let old = slots.updateValue(new, forKey: kind)
                new.unset = { [unowned self, unowned new] in if slots[kind] === new { slots[kind] = nil } }
                old?.end()
            } else {
                let frame = frames[frames.count - 1]
                frame.set.append(new)
                new.unset = { [unowned new] in frame.set.removeAll { $0 === new } }
            }
            return new
        }
    }

    public func clear(_ kind: ContextKind) { locked { current(kind)?.end() } }

    public func currentID(_ kind: ContextKind) -> String? { locked { current(kind)?.id } }

    public func withContext(_ kind: ContextKind, id: String, _ body: () throws -> Void) rethrows {
        try locked {
            let context = ReferenceContext(kind, id: id, in: self)
            defer { context.end() }
            try inFrame([context], body)
        }
    }

    public func withContext(_ kind: ContextKind, id: String, _ body: @Sendable () async throws -> Void) async rethrows {
        let context = locked {
            let context = ReferenceContext(kind, id: id, in: self)
            frames.append(ReferenceFrame(bound: [context]))
            return context
        }
        defer {
            locked {
                endFrame()
                context.end()
            }
        }
        try await body()
    }

    public func register<Service>(
        _ type: Service.Type, in kind: ContextKind, line: UInt, factory: @escaping @Sendable () throws -> Service?
    ) -> any RegistrationUnderTest<Service> {
        locked {
            // Where the context is hidden, the registration is never found.
            let home = visible(kind) ?? ReferenceContext(kind, id: "", in: self)
            let registration = ReferenceRegistration(
                .init(key: .init(type, nil), line: line), home: home.owner,
                lifetime: .context(kind, isRequired: false)
            ) { _, _ in try factory() }
            home.table.put(registration, self)
            return ReferenceOptions<Service>(registration: registration, system: self, table: home.table)
        }
    }
}

extension ReferenceRegistration {
    /// Whether a context may keep its instance: no other context of the kind has registered it for itself.
    func belongs(to context: ReferenceOwner, of kind: ContextKind) -> Bool { home?.kind != kind || home === context }
}
