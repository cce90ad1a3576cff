import Testing

extension InterleavingTests {
    /// Threads that create, read, reset, expire and end the instance of a cell.
    @Suite struct CellInterleavingTests {
        private final class Instance: Sendable {
            /// Whether its factory began after a reset began.
            let isNew: Bool
            let payload = Payload()
            /// The time of its creation, if it has a time to live.
            let finished = Notes<Int64?>(nil)
            private let world: World

            init(_ world: World) {
                self.world = world
                isNew = world.hasResetBegun
                world.made += 1
                world.alive += 1
            }

            deinit { world.alive -= 1 }
        }

        /// A cell with its registration's slot, and the fate of its instances. Only one thread runs at a time.
        private final class World: @unchecked Sendable {
            private let cellWord = AtomicWord(0)
            let slotWord = AtomicWord(0)
            /// Not zero if another registration has replaced this one.
            let historyWord = AtomicWord(0), clock = Notes<Int64>(0)
            /// Not zero if the registration has another scope.
            private let scopeWord = AtomicWord(0)
            /// Whether a call and a change of the scope add zero to the history word, instead of loading it or leaving
            /// it alone.
            var changesOneWord = true
            var (made, alive) = (0, 0)
            var (hasResetBegun, hasBeenReset, hasEndBegun) = (false, false, false)
            var (kept, released, taken): ([ObjectIdentifier], [ObjectIdentifier], [ObjectIdentifier]) = ([], [], [])
            var calls = 0
            var problems: [String] = []
            var results: [Instance] = []

            var slot: FastSlot { FastSlot(word: slotWord) }
            /// The initial cell, or the cell that the first call creates.
            private let firstCell: InstanceCell?
            private var publishedCell: PublishedReference<InstanceCell> { PublishedReference(at: cellWord) }
            var cell: InstanceCell {
                firstCell ?? publishedCell.current?.object ?? publishedCell.setIfEmpty(InstanceCell())
            }
            /// The cell, if this thread can see it.
            private var knownCell: InstanceCell? { firstCell ?? publishedCell.current?.object }

            init(hasCell: Bool = true) { firstCell = hasCell ? InstanceCell() : nil }

            deinit {
                publishedCell.exchange(nil)
                cellWord.deallocate()
                slotWord.deallocate()
                historyWord.deallocate()
                scopeWord.deallocate()
            }

            /// Performs a call whose factory returns nil.
            func resolveNothing() {
                do { _ = try find(nil) { nil } } catch { problems.append("a call failed: \(error)") }
            }

            /// Performs a call.
            func resolve(hasTimeToLive: Bool = false, isKeepable: Bool = true) {
                // The steps before this call have finished: other threads may continue before it begins.
                Explorer.step("call", #fileID, #line)
                calls += 1
                let (wasReset, begin) = (hasBeenReset, clock.value)
                let timer = hasTimeToLive ? ExpiryTimer(clock: clock) : nil
                do {
                    guard let instance = try find(timer, isKeepable: isKeepable, { Instance(self) }) else {
                        return problems.append("a call got nothing")
                    }
                    if wasReset, !instance.isNew { problems.append("a call after the reset got what was made before") }
                    if let finished = instance.finished.value, begin - finished >= 10 {
                        problems.append("a call got what was over")
                    }
                    if !instance.payload.isThere { problems.append("a call got what it could not see") }
                    results.append(instance)
                } catch { problems.append("a call failed: \(error)") }
            }

            private func find(
                _ timer: ExpiryTimer?, isKeepable: Bool = true, _ make: () -> Instance?
            ) throws -> Instance? {
                if timer == nil, let hit = slot.take()?.takeRetainedValue() as? Instance { return hit }
                let cycle = ResolutionCycle()
                // Like a thread's cycle, it lasts until the creation has finished.
                defer { withExtendedLifetime(cycle) {} }
                let turn = try cell.enter(
                    cycle, subject: ResolutionStep(hop: "service"), timer: timer,
                    isWanted: {
                        let isReplaced = (self.changesOneWord ? self.historyWord.add(0) : self.historyWord.load()) != 0
                        return !isReplaced && self.scopeWord.load() == 0
                    })
                switch turn {
                case .take(let object), .unfinished(let object):
                    taken.append(ObjectIdentifier(object))
                    if timer == nil { publish(object) }
                    return object as? Instance
                case .create(let claim):
                    let instance = make()
                    // The factory takes a step.
                    Explorer.step("make", #fileID, #line)
                    guard let instance, isKeepable else {
                        cell.finish(claim, without: instance == nil ? .failed : .unkeepable)
                        return instance
                    }
                    let hooks = ReleaseHooks(hooks: [
                        .now { [weak self] instance, _ in self?.released.append(ObjectIdentifier(instance)) }
                    ])
                    let since = timer?.moment.now
                    if cell.finish(claim, with: instance, strength: .strong, releaseHooks: hooks, since: since) {
                        kept.append(ObjectIdentifier(instance))
                        if timer == nil { publish(instance) } else { instance.finished.value = clock.value }
                    }
                    return instance
                case .retired:
                    if !hasResetBegun { problems.append("the cell is retired before its time") }
                    return make()
                case .uncached where isKeepable:
                    problems.append("a call keeps nothing")
                    return make()
                case .uncached, .wait, .reentered: return make()
                }
            }

            private func publish(_ object: AnyObject) {
                if historyWord.load() != 0 { return }
                cell.publish(object, of: object, in: slot, beside: nil) { true }
            }

            func reset() {
                hasResetBegun = true
                cell.empty()
                hasBeenReset = true
            }

            /// Replaces the registration.
            func replace() {
                hasResetBegun = true
                _ = historyWord.add(1)
                knownCell?.empty()
                knownCell?.takeSlots().release()
                hasBeenReset = true
            }

            /// Changes the registration's scope.
            func changeScope() {
                hasResetBegun = true
                _ = scopeWord.exchange(1)
                if changesOneWord { _ = historyWord.add(0) }
                knownCell?.empty()
                hasBeenReset = true
            }

            /// Ends the scope.
            func end() {
                (hasResetBegun, hasEndBegun) = (true, true)
                cell.end()
                hasBeenReset = true
            }

            /// Expires the instances created so far.
            func expire() {
                Explorer.step("clock", #fileID, #line)
                clock.value = 10
            }

            /// Purges the expired instance.
            func purge() { cell.emptyIfOver(ExpiryTimer(clock: clock)) }

            /// Returns the failure after all threads have ended, or nil.
            func problem(made most: ClosedRange<Int>, isOver: Bool = false) -> String? {
                let inSlot = slot.take()?.takeRetainedValue()
                if let inSlot, inSlot !== cell.kept { problems.append("the slot answers with what is not kept") }
                if hasEndBegun, !Set(taken).isSubset(of: kept) { problems.append("a call got what is not kept") }
                if isOver, cell.order != 0 { problems.append("something is kept after the end") }
                if !most.contains(made) { problems.append("\(made) were made") }
                let isKept = cell.kept.map { [ObjectIdentifier($0)] } ?? []
                if (released + isKept).sorted() != kept.sorted() {
                    problems.append("\(kept.count) were kept, and hooks ran for \(released.count)")
                }
                if results.count != calls { problems.append("\(calls) calls got \(results.count) instances") }
                return problems.first
            }

            /// Requires that everything is released after the cell is emptied and all results are released.
            func leak() -> String? {
                cell.empty()
                results = []
                return alive == 0 ? nil : "\(alive) are left"
            }
        }

        private static func explorer(
            _ memory: Memory.Model = .weak, made: ClosedRange<Int>, isOver: Bool = false,
            _ threads: [@Sendable (World) -> Void]
        ) -> Explorer { Explorer({ World() }, threads, memory) { $0.problem(made: made, isOver: isOver) ?? $0.leak() } }

        private func explore(
            _ bound: Int, made: ClosedRange<Int>, isOver: Bool = false, _ threads: @Sendable (World) -> Void...,
            name: String = #function
        ) async throws { try await Self.explorer(made: made, isOver: isOver, threads).explore(bound, name) }

        @Test func `two or three threads create one instance`() async throws {
            try await explore(4, made: 1...1, { $0.resolve() }, { $0.resolve() })
            try await explore(2, made: 1...1, { $0.resolve() }, { $0.resolve() }, { $0.resolve() })
        }

        @Test func `a call after a reset gets an instance created after the reset`() async throws {
            try await explore(3, made: 1...2, steps({ $0.resolve() }, { $0.resolve() }), { $0.reset() })
        }

        /// A waiter across a reset receives the forgotten instance, although the cell does not cache it.
        @Test func `two waiters across a reset can share the forgotten instance`() async throws {
            let shared = Notes(0)
            try await Explorer({ World() }, [{ $0.resolve() }, { $0.resolve() }, { $0.reset() }]) { world in
                if world.made == 1, world.kept.isEmpty { shared.value += 1 }
                return world.problem(made: 1...2) ?? world.leak()
            }.explore(2)
            expect(shared.value > 0)
        }

        @Test func `a reset concurrent with another one or with the end of the scope releases once`() async throws {
            try await explore(2, made: 1...1, { $0.resolve() }, { $0.reset() }, { $0.reset() })
            try await explore(2, made: 1...1, isOver: true, { $0.resolve() }, { $0.reset() }, { $0.end() })
        }

        @Test func `one waiter tries again after a failure`() async throws {
            try await explore(2, made: 1...1, { $0.resolveNothing() }, { $0.resolve() }, { $0.resolve() })
        }

        @Test func `each call creates its own instance if it cannot be cached`() async throws {
            let resolve: @Sendable (World) -> Void = { $0.resolve(isKeepable: false) }
            try await explore(2, made: 3...3, resolve, resolve, resolve)
        }

        /// The thread that changes a registration empties its cell if it sees one, but it may not see a new cell. Both
        /// threads therefore change one word, and the later thread sees the earlier one's change.
        @Test(arguments: [false, true], [false, true])
        func `a changing registration's new cell caches nothing`(isReplaced: Bool, changesOneWord: Bool) async throws {
            let explorer = Explorer {
                let world = World(hasCell: false)
                world.changesOneWord = changesOneWord
                let change: @Sendable () -> Void = { isReplaced ? world.replace() : world.changeScope() }
                return Scenario(threads: [{ world.resolve() }, change]) {
                    world.problem(made: 1...1, isOver: true) ?? world.leak()
                }
            }
            if changesOneWord { return _ = try await explorer.explore(4) }
            try await expect(explorer.failure(within: 2).message, is: "something is kept after the end")
        }

        /// Later calls create their own instance: the library finds the new registration for them.
        @Test func `nothing is cached for a replaced registration`() async throws {
            try await explore(2, made: 1...2, isOver: true, { $0.resolve() }, { $0.resolve() }, { $0.replace() })
        }

        @Test func `no call gets what is created while the scope ends but the caller of the factory`() async throws {
            try await explore(3, made: 1...2, isOver: true, { $0.resolve() }, { $0.resolve() }, { $0.end() })
            try await explore(
                2, made: 1...3, isOver: true, { $0.resolve() }, { $0.resolve() }, { $0.end() }, { $0.resolve() })
        }

        @Test func `an expired time to live ends once`() async throws {
            try await explore(
                3, made: 1...2, steps({ $0.resolve(hasTimeToLive: true) }, { $0.resolve(hasTimeToLive: true) }),
                { $0.resolve(hasTimeToLive: true) }, steps({ $0.expire() }, { $0.purge() }))
        }

        /// A call receives other threads' instances through the cell's lock or through the slot.
        @Test func `the explorer detects a slot without memory ordering in its cell`() async throws {
            let explorer = Self.explorer(
                .weak(relaxed: [.store]), made: 1...1, [steps({ $0.resolve() }, { $0.resolve() }), { $0.resolve() }])
            try await expect(explorer.failure(within: 2).message, is: "a call got what it could not see")
        }

        /// A service and the part that it is created from, each in its cell. Only one thread runs at a time.
        private final class Pair: @unchecked Sendable {
            private let whole = InstanceCell(), part = InstanceCell()
            private var released: [AnyObject] = []
            private var problem: String?

            private func make(in cell: InstanceCell, _ create: () -> Notes<AnyObject?>?) -> Notes<AnyObject?>? {
                let cycle = ResolutionCycle()
                defer { withExtendedLifetime(cycle) {} }
                switch try? cell.enter(cycle, subject: ResolutionStep(hop: "service")) {
                case .take(let object): return object as? Notes<AnyObject?>
                case .create(let claim):
                    guard let new = create() else { return nil }
                    let hooks = ReleaseHooks(hooks: [.now { [weak self] object, _ in self?.note(object) }])
                    _ = cell.finish(claim, with: new, strength: .strong, releaseHooks: hooks)
                    return new
                default:
                    problem = "a call got nothing"
                    return nil
                }
            }

            func resolve() { _ = make(in: whole) { make(in: part) { Notes(nil) }.map { Notes($0) } } }

            func reset() {
                released = []
                InstanceCell.empty([part, whole])
            }

            private func note(_ object: AnyObject) {
                if let part = (object as? Notes<AnyObject?>)?.value, released.contains(where: { $0 === part }) {
                    problem = "a part was released before the service that holds it"
                }
                released.append(object)
            }

            func problemAtEnd() -> String? { problem }
        }

        @Test func `a reset releases a service before its part`() async throws {
            try await Explorer({ Pair() }, [{ $0.resolve() }, { $0.reset() }]) { $0.problemAtEnd() }
                .explore(3, #function)
        }

        /// A cell with an instance per argument. Only one thread runs at a time.
        private final class Arguments: @unchecked Sendable {
            let cell = InstanceCell()
            private var (made, kept, released): ([Int: Int], Int, Int) = ([:], 0, 0)
            private var isReset = false
            private var problems: [String] = []

            init(room: Int) {
                cell.withLock { state in
                    let branches = InstanceCell.Branches()
                    branches.limit = room
                    state.branches = branches
                }
            }

            /// Arguments with equal hashes, so that they are in one row in one order.
            private struct Argument: Hashable {
                let number: Int
                func hash(into hasher: inout Hasher) {}
            }

            private static func key(_ argument: Int) -> ArgumentKey { ArgumentKey.of(Argument(number: argument))! }

            func resolve(_ argument: Int) {
                let cycle = ResolutionCycle()
                defer { withExtendedLifetime(cycle) {} }
                while true {
                    let branch = cell.branch(for: Arguments.key(argument))
                    do {
                        switch try branch.enter(cycle, subject: ResolutionStep(hop: "service")) {
                        case .take(let object):
                            if (object as? Notes<Int>)?.value != argument {
                                problems.append("that of another argument")
                            }
                            return
                        case .create(let claim):
                            made[argument, default: 0] += 1
                            Explorer.step("make", #fileID, #line)
                            let hooks = ReleaseHooks(hooks: [.now { [weak self] _, _ in self?.released += 1 }])
                            if branch.finish(claim, with: Notes(argument), strength: .strong, releaseHooks: hooks) {
                                kept += 1
                            }
                            return
                        case .retired: cell.remove(branch, for: Arguments.key(argument))
                        case .uncached, .wait, .reentered, .unfinished: return problems.append("a call got nothing")
                        }
                    } catch { return problems.append("a call failed: \(error)") }
                }
            }

            func reset() {
                isReset = true
                InstanceCell.empty([cell])
            }

            func problem() -> String? {
                if let problem = problems.first { return problem }
                if !isReset, let twice = made.first(where: { $0.value > 1 }) {
                    return "\(twice.value) were made for \(twice.key)"
                }
                InstanceCell.empty([cell])
                if !isReset, kept != made.values.reduce(0, +) { return "\(made) were made, and \(kept) kept" }
                return released == kept ? nil : "\(kept) were kept, and \(released) released"
            }
        }

        private func explore(
            arguments bound: Int, room: Int = 64, _ threads: @Sendable (Arguments) -> Void...,
            name: String = #function
        ) async throws { try await Explorer({ Arguments(room: room) }, threads) { $0.problem() }.explore(bound, name) }

        @Test func `an argument has one instance`() async throws {
            try await explore(arguments: 3, { $0.resolve(1) }, { $0.resolve(1) })
            try await explore(arguments: 2, { $0.resolve(1) }, { $0.resolve(2) }, { $0.resolve(1) })
        }

        @Test func `a reset takes the instances of all arguments`() async throws {
            try await explore(arguments: 2, { $0.resolve(1) }, { $0.resolve(1) }, { $0.reset() })
            try await explore(arguments: 2, { $0.resolve(1) }, { $0.resolve(2) }, { $0.reset() })
        }

        /// The row has space for one argument, so each new argument prunes the empty ones.
        @Test func `empty argument cells are pruned during calls`() async throws {
            try await explore(arguments: 2, room: 1, { $0.resolve(1) }, { $0.resolve(2) }, { $0.resolve(1) })
        }
    }
}
