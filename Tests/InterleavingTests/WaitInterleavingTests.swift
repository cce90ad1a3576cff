import Testing

extension InterleavingTests {
    /// Threads that create services which need each other.
    @Suite struct CycleInterleavingTests {
        /// The dependencies of a service, and whether its property block resolves them.
        private struct Service {
            let needs: [Int]
            var hasProperties = false
        }

        /// Services that need each other. Only one thread runs at a time.
        private final class Services: @unchecked Sendable {
            private let services: [Service], cells: [InstanceCell]
            private(set) var cycles = 0
            private(set) var problems: [String] = []

            init(_ services: [Service]) {
                self.services = services
                cells = services.map { _ in InstanceCell() }
            }

            /// Resolves the services one after the other.
            func resolve(_ indices: [Int]) {
                let cycle = ResolutionCycle()
                for index in indices { do { _ = try make(index, in: cycle) } catch { cycles += 1 } }
            }

            private func make(_ index: Int, in cycle: ResolutionCycle) throws -> AnyObject {
                let (step, identity) = (ResolutionStep(hop: "\(index)"), UInt64(index + 1))
                while true {
                    switch try cells[index].enter(cycle, subject: step, identity: identity) {
                    case .take(let object): return object
                    case .unfinished(let object):
                        // Its owner waits for nothing, so the call may wait for it.
                        if services[index].needs.isEmpty { problems.append("\(index) is given out unfinished") }
                        return object
                    case .create(let claim): return try create(claim, index, step, identity, in: cycle)
                    case .reentered:
                        guard let object = cycle.objects.value[identity] else {
                            throw ResolutionError.dependencyCycle([step])
                        }
                        return object
                    case .uncached, .retired, .wait: continue
                    }
                }
            }

            private func create(
                _ claim: InstanceCell.Claim, _ index: Int, _ step: ResolutionStep, _ identity: UInt64,
                in cycle: ResolutionCycle
            ) throws -> AnyObject {
                let object = Notes(index)
                if services[index].hasProperties { cycle.objects.value[identity] = object }
                cycle.making.value.append(step)
                defer {
                    cycle.making.value.removeLast()
                    cycle.objects.value[identity] = nil
                }
                do {
                    for next in services[index].needs { _ = try make(next, in: cycle) }
                } catch {
                    cells[index].finish(claim, without: .failed)
                    throw error
                }
                Explorer.step("complete", #fileID, #line)
                _ = cells[index].finish(claim, with: object, strength: .strong)
                return object
            }
        }

        /// - Parameter cycles: the number of calls that detect a dependency cycle, in some order.
        private func explore(
            _ services: [Service], threads: [[Int]], cycles: Set<Int> = [0], bound: Int? = nil, samples: Int = 0,
            name: String = #function
        ) async throws {
            let seen = Notes<Set<Int>>([])
            let explorer = Explorer({ Services(services) }, threads.map { indices in { $0.resolve(indices) } }) {
                world in
                if let problem = world.problems.first { return problem }
                seen.value.insert(world.cycles)
                return cycles.contains(world.cycles) ? nil : "\(world.cycles) calls found a cycle"
            }
            if let bound { try await explorer.explore(bound, name) }
            if samples > 0 { try await explorer.sample(samples, seed: 3) }
            expect(seen.value, is: cycles)
        }

        /// Services that each need the next one, in a cycle, and one thread that begins with each service.
        private func explore(
            cycle hasProperties: [Bool], cycles: Set<Int>, bound: Int? = nil, samples: Int = 0, name: String = #function
        ) async throws {
            let services = hasProperties.enumerated().map {
                Service(needs: [($0 + 1) % hasProperties.count], hasProperties: $1)
            }
            try await explore(
                services, threads: services.indices.map { [$0] }, cycles: cycles, bound: bound, samples: samples,
                name: name)
        }

        @Test func `two threads that need each other's service both get an error`() async throws {
            try await explore(cycle: [false, false], cycles: [2], bound: 3)
        }

        @Test func `a thread that has finished may need what its former waiter creates`() async throws {
            let services = [Service(needs: []), Service(needs: [0])]
            try await explore(services, threads: [[0, 1], [1]], bound: 4)
        }

        @Test func `a service that needs itself is an error for each of two threads`() async throws {
            try await explore([Service(needs: [0])], threads: [[0], [0]], cycles: [2], bound: 3)
        }

        @Test func `three threads that need each other's services all get an error`() async throws {
            try await explore(cycle: [false, false, false], cycles: [3], bound: 2, samples: 1000)
        }

        @Test func `objects that refer to each other by properties are created`() async throws {
            try await explore(cycle: [true, true], cycles: [0], bound: 3)
            try await explore(cycle: [true, true, true], cycles: [0], bound: 2, samples: 1000)
        }

        /// A thread gets a cycle error if it begins with a service that needs the other in its initializer and reaches
        /// that one alone.
        @Test func `one existing object resolves a mixed cycle for the other threads`() async throws {
            try await explore(cycle: [true, false], cycles: [0, 1], bound: 3)
            try await explore(cycle: [true, false, true], cycles: [0, 1], bound: 2)
            try await explore(cycle: [false, true, false], cycles: [0, 1, 2], samples: 1000)
        }

        /// A finished wait must not count as an edge, whether the waiter received the instance complete or unfinished.
        @Test func `a finished wait causes no false dependency cycle`() async throws {
            let leaves = [Service(needs: []), Service(needs: [])]
            try await explore(leaves, threads: [[0, 1], [0, 1]], bound: 4)
            try await explore(leaves, threads: [[0, 1], [0, 1], [1, 0]], bound: 1)
        }

        /// The first thread waits for 1. The second thread, which needs 0, wakes it with the unfinished 1 and waits.
        /// Then the first thread creates 2, for which the second has to wait again.
        @Test func `a wait that ended early causes no false dependency cycle`() async throws {
            let services = [
                Service(needs: [1]), Service(needs: [0, 2], hasProperties: true),
                Service(needs: [], hasProperties: true),
            ]
            try await explore(services, threads: [[0, 2], [1]], cycles: [0, 1], bound: 4)
            try await explore(services, threads: [[0, 2], [1], [2, 0]], cycles: [0, 1, 2], samples: 1000)
        }
    }

    /// Tasks that wait for creations of other tasks and threads.
    @Suite struct TaskInterleavingTests {
        /// A service that one creation task creates, and the results of its waiters. Only one thread runs at a time.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        private final class World: @unchecked Sendable {
            let cell = InstanceCell(), creationTask = CreationTask()
            private let cycle = ResolutionCycle()
            let tasks = [VirtualTask(), VirtualTask()]
            private let claim: InstanceCell.Claim
            /// The creation that waiters wait for.
            private let creation: Creation
            private let object = Payload()
            private var outcomes: [String] = []
            private(set) var isKept = false
            private(set) var hooks = 0

            /// - Parameter isAsync: whether a creation task creates it, instead of a thread.
            init(isAsync: Bool) {
                claim = cell.begin(ResolutionStep(hop: "service"), in: cycle, task: isAsync ? creationTask : nil)
                creation = cell.running!
            }

            /// Finishes the creation with an object or an error.
            func finish(_ error: (any Error)? = nil) {
                if let error {
                    cell.finish(claim, without: .crashed(error))
                } else {
                    let hooks = ReleaseHooks(hooks: [.now { [weak self] _, _ in self?.hooks += 1 }])
                    isKept = cell.finish(claim, with: object, strength: .strong, releaseHooks: hooks)
                }
                creationTask.finish()
            }

            /// Waits for the creation as a task.
            func wait(_ index: Int) {
                tasks[index].run {
                    do {
                        switch try await self.cell.wait(for: self.creation) {
                        case .made(let object):
                            let isSeen = object === self.object && self.object.isThere
                            self.outcomes.append(isSeen ? "object" : "another")
                        case .crashed: self.outcomes.append("error")
                        case .failed, .unkeepable, .finished, nil: self.outcomes.append("nothing")
                        }
                    } catch is CancellationError { self.outcomes.append("cancelled") } catch {
                        self.outcomes.append("\(error)")
                    }
                }
            }

            func end() { cell.end() }

            /// The results of the tasks, sorted.
            var results: [String] { outcomes.sorted() }
        }

        /// - Parameter expected: the possible results of the tasks, sorted. Each occurs in some order.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        private func explore(
            _ bound: Int, isAsync: Bool = true, _ expected: Set<[String]>, _ threads: @Sendable (World) -> Void...,
            name: String = #function, check: @escaping @Sendable (World) -> String? = { _ in nil }
        ) async throws {
            let seen = Notes<Set<[String]>>([])
            try await Explorer({ World(isAsync: isAsync) }, threads) { world in
                seen.value.insert(world.results)
                return expected.contains(world.results) ? check(world) : "the tasks got \(world.results)"
            }.explore(bound, name)
            expect(seen.value, is: expected)
        }

        @Test(arguments: [true, false])
        func `all waiters get the instance`(isAsync: Bool) async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            try await explore(
                2, isAsync: isAsync, [["object", "object"]], { $0.wait(0) }, { $0.wait(1) }, { $0.finish() })
        }

        @Test func `all waiters get the error of a creation task`() async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            try await explore(
                2, [["error", "error"]], { $0.wait(0) }, { $0.wait(1) },
                { $0.finish(ResolutionError.requiresAsync("")) })
        }

        /// The tasks that come first or last get the instance. A cancelled task may get it.
        @Test(arguments: [true, false])
        func `the cancellation of one waiter does not affect the other`(isAsync: Bool) async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            try await explore(
                2, isAsync: isAsync, [["object", "object"], ["cancelled", "object"]], { $0.wait(0) }, { $0.wait(1) },
                steps({ $0.tasks[0].cancel() }, { $0.finish() }))
            try await explore(
                2, isAsync: isAsync, [["object"], ["cancelled"]], { $0.wait(0) }, { $0.finish() },
                { $0.tasks[0].cancel() })
        }

        @Test func `no task waits for a creation task whose scope has ended`() async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            try await explore(
                2, [["object"], ["error"]], { $0.wait(0) }, { $0.finish() }, { $0.end() },
                check: { world in
                    if world.cell.kept != nil { return "something is kept after the end" }
                    return world.hooks == (world.isKept ? 1 : 0) ? nil : "\(world.hooks) hooks ran"
                })
            // The creation task itself never ends.
            try await explore(3, [["error", "error"]], { $0.wait(0) }, { $0.wait(1) }, { $0.end() })
        }

        /// Two services that need each other, and whose creation tasks have begun. Only one thread runs at a time.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        private final class Pair: @unchecked Sendable {
            let cells = [InstanceCell(), InstanceCell()], cycles = [ResolutionCycle(), ResolutionCycle()]
            let creations = [CreationTask(), CreationTask()], claims: [InstanceCell.Claim]
            let cancelled = VirtualTask(), outerWaits = Latch()
            var found: [String] = []

            init() {
                claims = [0, 1].map { [cells, cycles, creations] index in
                    let step = ResolutionStep(hop: "\(index)")
                    cycles[index].making.value = [step]
                    return cells[index].begin(step, in: cycles[index], task: creations[index])
                }
            }

            /// Waits for the other service as the creation task of this one.
            func wait(_ me: Int, by task: VirtualTask = VirtualTask(), waits: @escaping @Sendable () -> Void = {}) {
                task.run(in: cycles[me]) { [self] in
                    do {
                        let outcome = try await cells[1 - me].wait(for: claims[1 - me].creation!) { waits() }
                        guard case .crashed(let error) = outcome else { return }
                        found.append("\(me) waits")
                        cells[me].finish(claims[me], without: .crashed(error))
                    } catch is CancellationError { return found.append("\(me) is cancelled") } catch {
                        found.append("\(me) finds")
                        cells[me].finish(claims[me], without: .crashed(error))
                    }
                    creations[me].finish()
                }
            }

            /// Finishes the creation of a service.
            func finish(_ me: Int) {
                _ = cells[me].finish(claims[me], with: Notes(me), strength: .strong)
                creations[me].finish()
            }
        }

        @Test func `two creation tasks that need each other both end with an error`() async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            try await Explorer({ Pair() }, [{ $0.wait(0) }, { $0.wait(1) }]) { pair in
                pair.found.count == 2 && !pair.found.contains { $0.hasSuffix("cancelled") } ? nil : "\(pair.found)"
            }.explore(4)
        }

        /// The inner creation task closes the cycle in every order: it begins when its waiter waits.
        @Test func `the inner of two nested creation tasks detects the dependency cycle`() async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            let outer: @Sendable (Pair) -> Void = { pair in pair.wait(0) { pair.outerWaits.open() } }
            try await Explorer({ Pair() }, [outer, steps({ $0.outerWaits.wait() }, { $0.wait(1) })]) { pair in
                pair.found == ["1 finds", "0 waits"] ? nil : "\(pair.found)"
            }.explore(4)
        }

        /// One creation task waits for the other and is cancelled. Then the other waits for it.
        @Test func `a cancelled wait causes no false dependency cycle`() async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            let waits: @Sendable (Pair) -> Void = steps({ $0.wait(0, by: $0.cancelled) }, { $0.wait(1) })
            try await Explorer({ Pair() }, [waits, { $0.cancelled.cancel() }, { $0.finish(0) }]) { pair in
                pair.found == ["0 is cancelled"] ? nil : "\(pair.found)"
            }.explore(3)
        }

        /// A thread creates a service that a creation task needs, and resolves the creation task's service. The thread
        /// cannot wait. It gets a cycle error if the creation task waits for it, or the unfinished object if the
        /// creation task waits in a property block.
        @Test(arguments: [false, true])
        func `a thread and a creation task that need each other both end`(hasProperties: Bool) async throws {
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
            let all = Notes<Set<String>>([])
            try await Explorer {
                let cells = [InstanceCell(), InstanceCell()], thread = ResolutionCycle(), creation = ResolutionCycle()
                // A creation task resolves synchronous calls on a thread.
                let worker = ResolutionCycle(creation: creation.node)
                let ends = Notes<[String]>([]), steps = [ResolutionStep(hop: "0"), ResolutionStep(hop: "1")]
                (creation.making.value, thread.making.value) = ([steps[0]], [steps[1]])
                if hasProperties { worker.objects.value[1] = ends }
                let byTask = cells[0].begin(steps[0], in: creation, identity: 1, task: CreationTask())
                let byThread = cells[1].begin(steps[1], in: thread), running = cells[1].running!
                return Scenario(threads: [
                    {
                        do {
                            let found = try cells[0].unfinished(for: thread)
                            ends.value.append(found == nil ? "refused" : found === ends ? "found" : "another")
                        } catch { ends.value.append("cycle") }
                        cells[1].finish(byThread, without: .failed)
                    },
                    {
                        if hasProperties {
                            if case .create? = try? cells[1].enter(worker, subject: steps[1]) {
                                ends.value.append("failed")
                            }
                        } else {
                            VirtualTask().run(in: creation) {
                                let outcome = try? await cells[1].wait(for: running)
                                if case .failed? = outcome { ends.value.append("failed") }
                            }
                        }
                        cells[0].finish(byTask, without: .failed)
                    },
                ]) {
                    all.value.formUnion(ends.value)
                    return ends.value.contains("failed") && ends.value.count == 2
                        ? nil : "they ended with \(ends.value)"
                }
            }.explore(4)
            expect(all.value, is: ["failed", "refused", hasProperties ? "found" : "cycle"])
        }
    }
}
