import Testing

extension InterleavingTests {
    /// Threads that search a table while others insert, remove and grow.
    @Suite struct TableInterleavingTests {
        private enum Service {}

        /// The state shared by all orders is created before the first one.
        init() { _ = AnyResolverRegistration.vacant }

        /// One key without a name, and four keys at these places of a row of eight, two of them at one place.
        private static let keys =
            [ServiceKey(Service.self, nil)]
            + [(5, "a"), (5, "b"), (2, "c"), (7, "d")].map { place, name in
                (0...).lazy.map { ServiceKey(Service.self, Resolver.Name("\(name)\($0)")) }.first {
                    $0.hash & 7 == place
                }!
            }

        /// A table, and the registrations found in it. Only one thread runs at a time.
        private final class World: @unchecked Sendable {
            let table = RegistrationTable()
            var problems: [String] = []
            private let alive = Notes(0)
            private var made = 0

            init(_ count: Int, hasScopes: Bool = false) {
                ScopeOverrides.keys = hasScopes ? Guarded([]) : nil
                for index in 0..<count { put(index) }
            }

            func put(_ index: Int) {
                made += 1
                table.put(AnyResolverRegistration(keys[index], alive))
            }

            func remove(_ index: Int) {
                if table.remove(keys[index], where: { _ in true }) == nil { problems.append("\(index) is not there") }
            }

            /// - Parameter wasThere: whether the registration is in the table all the time.
            func find(_ index: Int, wasThere: Bool = false) {
                let key = keys[index]
                let found =
                    [table.find(key)?.object]
                    + (index == 0 ? [RegistrationTable.findUnnamed(key.type, in: table.row)?.object] : [])
                if wasThere, found.contains(where: { $0 == nil }) { problems.append("\(index) was not found") }
                for registration in found.compactMap({ $0 }) {
                    if registration.serviceKey != key { problems.append("another one than \(index) was found") }
                    if !registration.payload.isThere { problems.append("what was found could not be seen") }
                }
            }

            func problem(_ indices: Range<Int>) -> String? {
                let all = table.all.map(\.serviceKey)
                if let problem = problems.first { return problem }
                // A thread that has just found the registration may still read it.
                if alive.value != made { return "\(made - alive.value) are gone before the table" }
                return all.count == indices.count && Set(all) == Set(keys[indices])
                    ? nil : "\(all.count) are in the table"
            }
        }

        private static func explorer(
            _ memory: Memory.Model = .weak, filled count: Int, leaving rest: Range<Int>,
            _ threads: [@Sendable (World) -> Void]
        ) -> Explorer { Explorer({ World(count) }, threads, memory) { $0.problem(rest) } }

        private func explore(
            filled count: Int, leaving rest: Range<Int>, _ threads: @Sendable (World) -> Void...,
            name: String = #function
        ) async throws { try await Self.explorer(filled: count, leaving: rest, threads).explore(2, name) }

        @Test func `an inserted registration is found whole or not at all`() async throws {
            try await explore(filled: 0, leaving: 0..<2, { $0.put(0) }, { $0.put(1) }, { $0.find(0) })
        }

        @Test func `a service that is registered again is found all the time`() async throws {
            try await explore(filled: 1, leaving: 0..<1, { $0.find(0, wasThere: true) }, { $0.put(0) }, { $0.put(0) })
        }

        @Test func `a removed registration hides no other one and may be inserted again`() async throws {
            // Both keys are at one place.
            try await explore(
                filled: 3, leaving: 0..<3, steps({ $0.remove(1) }, { $0.put(1) }), { $0.find(2, wasThere: true) },
                { $0.find(1) })
        }

        @Test func `a registration removed while the table grows is gone or can still be removed`() async throws {
            try await explore(
                filled: 4, leaving: 1..<5, { $0.put(4) }, { $0.remove(0) }, { $0.find(3, wasThere: true) })
        }

        @Test func `no registration is missing while the table grows, nor are two inserted then`() async throws {
            // The fifth registration does not fit into the row of eight that four registrations have.
            try await explore(filled: 4, leaving: 0..<5, { $0.put(4) }, { $0.find(2, wasThere: true) }, { $0.find(4) })
            try await explore(filled: 3, leaving: 0..<5, { $0.put(3) }, { $0.put(4) }, { $0.find(3) })
        }

        /// A scope's own registration comes first, also before a concurrent registration.
        @Test func `a concurrent registration sees the services registered by scopes`() async throws {
            try await Explorer {
                let world = World(1, hasScopes: true), key = Self.keys[0]
                let register: @Sendable () -> Void = {
                    ScopeOverrides.insert(key)
                    _ = world.table.registration(for: key)?.checkScopeOverrides()
                    if world.table.find(key)?.object.asksScopesFirst == false {
                        world.problems.append("a registration that does not ask the scope was found")
                    }
                }
                return Scenario(threads: [{ world.put(0) }, register]) { world.problem(0..<1) }
            }.explore(4)
        }

        @Test func `a removed registration may still be read`() async throws {
            try await explore(
                filled: 2, leaving: 0..<1, steps({ _ = $0.table.removeAll() }, { $0.put(0) }), { $0.find(0) },
                { $0.find(1) })
        }

        /// Readers depend on the publishing store and on their own load.
        @Test(arguments: [Memory.Operation.load, .store])
        func `the explorer detects a table without memory ordering`(_ operation: Memory.Operation) async throws {
            let explorer = Self.explorer(
                .weak(relaxed: [operation]), filled: 1, leaving: 0..<2, [{ $0.put(1) }, { $0.find(1) }])
            try await expect(explorer.failure(within: 2).message, is: "what was found could not be seen")
        }

        /// The cells of one scope, and the instances that its end has removed.
        private final class Owner: @unchecked Sendable {
            let directory = CellDirectory(), store = InstanceStore()
            let registrations = (0..<4).map { _ in AnyResolverRegistration(ServiceKey(Service.self, nil)) }
            private var made: [(index: Int, cell: InstanceCell)] = []
            private var hasEnded = false
            private var problems: [String] = []
            private var released: [Int] = []

            /// Performs a first creation with its slot.
            func make(_ index: Int) {
                let location = directory.cell(of: registrations[index], in: store)
                if !made.allSatisfy({ $0.index != index || $0.cell === location.cell || hasEnded }) {
                    problems.append("two cells for one registration")
                }
                made.append((index, location.cell))
                let node = WaitNode()
                defer { withExtendedLifetime(node) {} }
                let turn = location.cell.turn(of: node, subject: ResolutionStep(hop: "\(index)"))
                guard case .create(let claim) = turn else {
                    if case .retired = turn, !hasEnded { problems.append("a cell of an open scope is closed") }
                    return
                }
                let object = Notes(index)
                let hooks = ReleaseHooks(hooks: [.now { [weak self] _, _ in self?.isReleased(index) }])
                if location.cell.finish(claim, with: object, strength: .strong, releaseHooks: hooks),
                    let slot = location.slot
                {
                    location.cell.publish(object, of: object, in: slot, beside: nil) { true }
                }
            }

            /// The hook resolves an older instance and resets it.
            private func isReleased(_ index: Int) {
                released.append(index)
                guard let older = made.last(where: { $0.index == index - 1 })?.cell else { return }
                let before = released
                if older.kept != nil { problems.append("a hook was given what is about to go") }
                older.empty()
                if released != before { problems.append("a hook let go of what its scope keeps") }
            }

            func hit(_ index: Int, after isOver: Bool = false) {
                let found = directory.hit(registrations[index], in: store)
                if let found, (found as? Notes<Int>)?.value != index { problems.append("a hit of another one") }
                if found != nil, isOver { problems.append("a hit after the end") }
            }

            func end() {
                hasEnded = true
                directory.end()
                for index in registrations.indices { hit(index, after: true) }
            }

            func problem() -> String? {
                if let problem = problems.first { return problem }
                if !hasEnded { return nil }
                if !made.allSatisfy({ $0.cell.order == 0 && $0.cell.isRetired }) {
                    return "something is kept after the end"
                }
                return Set(released).count == released.count ? nil : "a hook has run twice"
            }
        }

        private func explore(_ bound: Int, _ threads: @Sendable (Owner) -> Void..., name: String = #function)
            async throws
        { try await Explorer({ Owner() }, threads) { $0.problem() }.explore(bound, name) }

        @Test func `a first creation concurrent with the end of its scope leaves nothing cached`() async throws {
            try await explore(3, { $0.make(0) }, { $0.end() })
            try await explore(2, { $0.make(0) }, { $0.make(0) }, { $0.end() })
        }

        @Test func `a scope releases in order while other threads create`() async throws {
            try await explore(2, steps({ $0.make(0) }, { $0.make(1) }, { $0.end() }), { $0.make(2) })
        }

        @Test func `hits are safe during a first creation and the end of the scope`() async throws {
            try await explore(2, steps({ $0.make(0) }, { $0.hit(0) }), { $0.hit(0) }, { $0.end() })
        }

        @Test func `hits are safe while the scope's row of cells grows`() async throws {
            // The fourth cell needs a larger row.
            try await explore(2, { for index in 0..<4 { $0.make(index) } }, steps({ $0.hit(0) }, { $0.hit(3) }))
        }

        @Test func `two threads create one cell`() async throws {
            try await explore(3, { $0.make(0) }, { $0.make(0) })
            try await explore(2, { $0.make(0) }, { $0.make(1) }, { $0.make(0) })
        }
    }
}
