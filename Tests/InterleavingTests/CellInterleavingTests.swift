import Testing

/// The orders, with few preemptions, in which threads make, read, reset and end what a cell keeps.
///
/// One scenario after the other, and all that use cells in this suite: the lock of the wait graph and the last number of the
/// process are plain memory here, and shared.
@Suite(
    .serialized,
    .disabled(if: Sanitizer.current == .thread, "one thread runs at a time, so there is no race to see"))
struct CellInterleavingTests {
    private final class Instance: Sendable {
        /// Whether its factory began when a reset had begun.
        let isNew: Bool
        private let world: World

        init(_ world: World) {
            self.world = world
            isNew = world.hasResetBegun
            world.made += 1
            world.alive += 1
        }

        deinit { world.alive -= 1 }
    }

    /// A cell with the slot of its registration, and what became of its instances. Only one thread runs at a time.
    private final class World: @unchecked Sendable {
        let cell = InstanceCell()
        let word = AtomicWord(0)
        var (made, alive) = (0, 0)
        var (hasResetBegun, hasBeenReset) = (false, false)
        var (kept, released): ([ObjectIdentifier], [ObjectIdentifier]) = ([], [])
        var calls = 0
        var problems: [String] = []
        var results: [Instance] = []

        var slot: FastSlot { FastSlot(word: word) }

        deinit { word.deallocate() }

        /// What a call does.
        func resolve() {
            // What comes before this call is over: others may go on before it begins.
            Explorer.step("call", #fileID, #line)
            calls += 1
            let wasReset = hasBeenReset
            do {
                guard let instance = try find({ Instance(self) }) else { return problems.append("a call got nothing") }
                if wasReset, !instance.isNew { problems.append("a call after the reset got what was made before") }
                results.append(instance)
            } catch {
                problems.append("a call failed: \(error)")
            }
        }

        /// What a call does whose factory returns nil.
        func resolveNothing() {
            do { _ = try find { nil } } catch { problems.append("a call failed: \(error)") }
        }

        private func find(_ make: () -> Instance?) throws -> Instance? {
            if let hit = slot.take()?.takeRetainedValue() as? Instance { return hit }
            let cycle = ResolutionCycle()
            switch try cell.enter(cycle, subject: ResolutionStep(hop: "service")) {
            case .take(let object), .unfinished(let object):
                publish(object)
                return object as? Instance
            case .create(let creation):
                let instance = make()
                // The factory takes its time.
                Explorer.step("make", #fileID, #line)
                guard let instance else {
                    cell.finish(creation, without: .failed)
                    return nil
                }
                let hooks = ReleaseHooks(hooks: [.now { [weak self] in self?.released.append(ObjectIdentifier($0)) }])
                if cell.finish(creation, with: instance, strength: .strong, releaseHooks: hooks) {
                    kept.append(ObjectIdentifier(instance))
                    publish(instance)
                }
                return instance
            case .uncached, .retired, .wait, .reentered:
                return make()
            }
        }

        private func publish(_ object: AnyObject) {
            cell.publish(object, of: object, in: slot, beside: nil) { true }
        }

        func reset() {
            hasResetBegun = true
            cell.empty()
            hasBeenReset = true
        }

        /// What the end of a scope does.
        func end() {
            hasResetBegun = true
            for ending in InstanceCell.close([cell], []) { ending.run() }
            hasBeenReset = true
        }

        /// What is wrong when all threads have ended.
        func problem(made most: ClosedRange<Int>, isOver: Bool = false) -> String? {
            let inSlot = slot.take()?.takeRetainedValue()
            if let inSlot, inSlot !== cell.kept { problems.append("the slot answers with what is not kept") }
            if isOver, cell.order != 0 { problems.append("something is kept after the end") }
            if !most.contains(made) { problems.append("\(made) were made") }
            let isKept = cell.kept.map { [ObjectIdentifier($0)] } ?? []
            if (released + isKept).sorted() != kept.sorted() {
                problems.append("\(kept.count) were kept, and hooks ran for \(released.count)")
            }
            if results.count != calls { problems.append("\(calls) calls got \(results.count) instances") }
            return problems.first
        }

        /// Nothing may be left when the cell is emptied and all results are gone.
        func leak() -> String? {
            cell.empty()
            results = []
            return alive == 0 ? nil : "\(alive) are left"
        }
    }

    private func explore(
        preemptions: Int, made: ClosedRange<Int>, isOver: Bool = false, _ threads: @Sendable (World) -> Void...
    ) throws {
        try Explorer {
            let world = World()
            return Scenario(threads: threads.map { body in { body(world) } }) {
                world.problem(made: made, isOver: isOver) ?? world.leak()
            }
        }.explore(preemptions: preemptions)
    }

    @Test func twoThreadsMakeOneInstance() throws {
        try explore(preemptions: 4, made: 1...1, { $0.resolve() }, { $0.resolve() })
    }

    @Test func threeThreadsMakeOneInstance() throws {
        try explore(preemptions: 2, made: 1...1, { $0.resolve() }, { $0.resolve() }, { $0.resolve() })
    }

    @Test func whoComesAfterAResetGetsWhatIsMadeAfterIt() throws {
        try explore(
            preemptions: 3, made: 1...2,
            { world in
                world.resolve()
                world.resolve()
            }, { $0.reset() })
    }

    @Test func twoThreadsAndAReset() throws {
        try explore(preemptions: 2, made: 1...2, { $0.resolve() }, { $0.resolve() }, { $0.reset() })
    }

    @Test func twoResetsReleaseOnce() throws {
        try explore(preemptions: 2, made: 1...1, { $0.resolve() }, { $0.reset() }, { $0.reset() })
    }

    @Test func afterAFailureOneOfThoseWhoWaitedTriesAgain() throws {
        try explore(preemptions: 2, made: 1...1, { $0.resolveNothing() }, { $0.resolve() }, { $0.resolve() })
    }

    @Test func nothingIsKeptWhenAScopeHasEnded() throws {
        try explore(preemptions: 2, made: 1...2, isOver: true, { $0.resolve() }, { $0.resolve() }, { $0.end() })
    }

    @Test func aResetBesideTheEndOfAScopeReleasesOnce() throws {
        try explore(preemptions: 2, made: 1...1, isOver: true, { $0.resolve() }, { $0.reset() }, { $0.end() })
    }

    // MARK: Services that need each other

    /// Threads that make services in a ring: each begins with another one, and needs the next.
    private static func ring(of count: Int) -> () -> Scenario {
        {
            let cells = (0..<count).map { _ in InstanceCell() }
            let errors = Notes(0)
            @Sendable func make(_ index: Int, in cycle: ResolutionCycle) throws -> AnyObject {
                let step = ResolutionStep(hop: "\(index)")
                switch try cells[index].enter(cycle, subject: step) {
                case .take(let object), .unfinished(let object): return object
                case .create(let creation):
                    cycle.making.value.append(step)
                    defer { cycle.making.value.removeLast() }
                    do {
                        _ = try make((index + 1) % count, in: cycle)
                    } catch {
                        cells[index].finish(creation, without: .failed)
                        throw error
                    }
                    let object = Notes(index)
                    _ = cells[index].finish(creation, with: object, strength: .strong)
                    return object
                case .reentered: throw ResolutionError.circle([step])
                case .uncached, .retired, .wait: fatalError()
                }
            }
            let threads = (0..<count).map { index -> @Sendable () -> Void in
                { do { _ = try make(index, in: ResolutionCycle()) } catch { errors.value += 1 } }
            }
            return Scenario(threads: threads) {
                errors.value == count ? nil : "\(errors.value) of \(count) threads found the circle"
            }
        }
    }

    @Test func twoThreadsThatNeedWhatTheOtherMakesBothGetAnError() throws {
        try Explorer(Self.ring(of: 2)).explore(preemptions: 2)
    }

    @Test func soDoThree() throws {
        try Explorer(Self.ring(of: 3)).explore(preemptions: 1)
        try Explorer(Self.ring(of: 3)).sample(300, seed: 3)
    }
}
