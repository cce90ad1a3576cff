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
                let location =
                    directory.location(for: registration, in: store, isForeign: true)
                    ?? directory.add(InstanceCell(), for: registration, in: store, isForeign: true)
                let node = WaitNode()
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

            /// Performs a hit: finds the slot without a lock.
            func hit() { _ = hitInstance() }

            private func hitInstance() -> Instance? {
                directory.first.search(registration.number, store.number)?.slot.take()?.takeRetainedValue()
                    as! Instance?
            }

            func reset() {
                hasResetBegun = true
                for cell in directory.cells(of: registration) { cell.empty() }
                if let old = hitInstance(), !old.isNew { problems.append("a hit after the reset") }
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
                if hitInstance() != nil { problems.append("a hit after the end") }
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

        private func explore(_ bound: Int, _ threads: @Sendable (Owner) -> Void..., name: String = #function)
            async throws
        { try await Explorer({ Owner() }, threads) { $0.problem() }.explore(bound, name) }

        @Test func `two threads create one instance`() async throws {
            try await explore(3, { $0.resolve() }, { $0.resolve() })
        }

        @Test func `a call that needs the cell gets the instance or waits for it`() async throws {
            try await explore(3, { $0.resolve() }, { $0.resolveInCell() })
            try await explore(2, { $0.resolve() }, { $0.resolveInCell() }, { $0.hit() })
        }

        @Test func `a reset forgets a creation and releases an instance`() async throws {
            try await explore(3, { $0.resolve() }, { $0.reset() })
            try await explore(2, { $0.resolve() }, { $0.reset() }, { $0.resolveInCell() })
        }

        @Test func `a failed creation wakes the waiters`() async throws {
            try await explore(3, { $0.fail() }, { $0.resolveInCell() })
            try await explore(2, { $0.fail() }, { $0.resolve() }, { $0.reset() })
        }

        @Test func `a replaced registration leaves no instance`() async throws {
            try await explore(3, { $0.resolve() }, { $0.replace() })
            try await explore(2, { $0.resolve() }, { $0.replace() }, { $0.resolveInCell() })
        }

        @Test func `the end of the scope leaves no instance`() async throws {
            try await explore(3, { $0.resolve() }, { $0.end() })
            try await explore(2, { $0.resolve() }, { $0.resolveInCell() }, { $0.end() })
        }

        @Test func `hits are safe while a cell takes the instance over and the scope ends`() async throws {
            try await explore(2, { $0.resolve() }, { $0.hit() }, { $0.end() })
            try await explore(2, steps({ $0.resolve() }, { $0.resolveInCell() }), { $0.hit() }, { $0.reset() })
        }
    }
}
