import Testing

extension InterleavingTests {
    /// Threads that create, read, reset and end an instance that its entry keeps without a cell.
    @Suite struct InlineInterleavingTests {
        private final class Instance: Sendable {
            /// Whether its factory began after a reset began.
            let isNew: Bool
            private let owner: Owner

            init(_ owner: Owner) {
                self.owner = owner
                isNew = owner.hasResetBegun
                owner.alive += 1
            }

            deinit { owner.alive -= 1 }
        }

        /// The scope with one registration. Only one thread runs at a time.
        private final class Owner: @unchecked Sendable {
            private let directory = CellDirectory(), store = InstanceStore()
            private let registration = AnyResolverRegistration(ServiceKey(Owner.self, nil))
            var alive = 0
            private(set) var hasResetBegun = false
            private var (hasBeenReset, hasEnded, isWanted) = (false, false, true)
            private var (results, waits): ([Instance], [Creation]) = ([], [])
            private var problems: [String] = []

            /// Performs a call that needs no cell of its own.
            func resolve() {
                let node = WaitNode()
                defer { withExtendedLifetime(node) {} }
                guard let claim = begin(by: node) else { return resolveInCell() }
                let instance = Instance(self)
                results.append(instance)
                _ = directory.finish(claim, with: instance)
            }

            /// Performs a call whose factory fails.
            func fail() {
                let node = WaitNode()
                defer { withExtendedLifetime(node) {} }
                begin(by: node).map { directory.finish($0, without: .failed) }
            }

            private func begin(by node: WaitNode) -> CellDirectory.InlineClaim? {
                directory.begin(registration, in: store, by: Unretained(node)) { isWanted }
            }

            /// Performs a call that needs the cell, such as one with a time to live.
            func resolveInCell() {
                let location = directory.cell(of: registration, in: store), node = WaitNode()
                defer { withExtendedLifetime(node) {} }
                switch location.cell.turn(of: node, subject: .registration(registration), isWanted: { isWanted }) {
                case .take(let object): results.append(object as! Instance)
                case .create(let claim):
                    let instance = Instance(self)
                    results.append(instance)
                    _ = location.cell.finish(claim, with: instance, strength: .strong, in: location.slot)
                case .wait(let creation): waits.append(creation)
                case .retired: if !hasEnded, isWanted { problems.append("a cell of an open scope is closed") }
                case .reentered, .unfinished, .uncached: problems.append("a new thread has created the instance")
                }
            }

            @discardableResult func hit() -> Instance? { directory.hit(registration, in: store) as! Instance? }

            func reset() {
                hasResetBegun = true
                for cell in directory.cells(of: registration) { cell.empty() }
                if let old = hit(), !old.isNew { problems.append("a hit after the reset") }
                hasBeenReset = true
            }

            /// Replaces the registration.
            func replace() {
                isWanted = false
                for cell in directory.cells(of: registration) { cell.empty() }
                directory.remove(registration)
            }

            func end() {
                hasEnded = true
                directory.end()
                if hit() != nil { problems.append("a hit after the end") }
            }

            func problem() -> String? {
                if let problem = problems.first { return problem }
                if !waits.allSatisfy(\.isSettled) { return "a caller waits forever" }
                // The creations that others waited for hold their instances.
                (results, waits) = ([], [])
                let kept = directory.cells(of: registration).compactMap { $0.kept as! Instance? }
                if hasBeenReset, !kept.allSatisfy(\.isNew) { return "a reset instance is kept" }
                if !isWanted, !kept.isEmpty { return "an instance of a replaced registration is kept" }
                return alive == kept.count ? nil : "\(alive) instances are alive, and \(kept.count) are kept"
            }
        }

        private static func row(_ name: String, _ bound: Int, _ threads: @Sendable (Owner) -> Void...)
            -> (name: String, bound: Int, explorer: Explorer)
        { (name, bound, Explorer({ Owner() }, threads) { $0.problem() }) }

        private static let rows = [
            row("two threads create one instance", 3, { $0.resolve() }, { $0.resolve() }),
            row("a call that needs the cell waits for the instance", 3, { $0.resolve() }, { $0.resolveInCell() }),
            row("a hit gets it from the slot", 2, { $0.resolve() }, { $0.resolveInCell() }, { $0.hit() }),
            row("a reset forgets a creation", 3, { $0.resolve() }, { $0.reset() }),
            row("a reset releases an instance", 2, { $0.resolve() }, { $0.reset() }, { $0.resolveInCell() }),
            row("a failed creation wakes the waiter", 3, { $0.fail() }, { $0.resolveInCell() }),
            row("a failed creation leaves nothing to reset", 2, { $0.fail() }, { $0.resolve() }, { $0.reset() }),
            row("a replaced registration leaves no instance", 3, { $0.resolve() }, { $0.replace() }),
            row("nor does its cell", 2, { $0.resolve() }, { $0.replace() }, { $0.resolveInCell() }),
            row("the end of the scope leaves no instance", 3, { $0.resolve() }, { $0.end() }),
            row("nor in the cell", 2, { $0.resolve() }, { $0.resolveInCell() }, { $0.end() }),
            row("a hit is safe while the scope ends", 2, { $0.resolve() }, { $0.hit() }, { $0.end() }),
            row(
                "a hit is safe while a cell takes the instance over", 2,
                steps({ $0.resolve() }, { $0.resolveInCell() }), { $0.hit() }, { $0.reset() }),
        ]

        @Test(arguments: rows)
        func `an instance without a cell is correct in every order`(name: String, bound: Int, explorer: Explorer)
            async throws
        { try await explorer.explore(bound, name) }
    }
}
