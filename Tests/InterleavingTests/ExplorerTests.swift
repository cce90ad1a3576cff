import Testing

extension InterleavingTests {
    /// The explorer finds known errors, and none in correct code.
    @Suite struct ExplorerTests {
        private static func counting(_ add: @escaping @Sendable (AtomicWord) -> Void, threads: Int) -> () -> Scenario {
            {
                let word = AtomicWord(0)
                return Scenario(threads: (0..<threads).map { _ in { add(word) } }) {
                    defer { word.deallocate() }
                    let sum = word.load()
                    return sum == threads ? nil : "\(threads) were added, and \(sum) are there"
                }
            }
        }

        private static var losingUpdates: () -> Scenario { counting({ $0.store($0.load() + 1) }, threads: 2) }

        @Test func `the explorer finds a lost update with one preemption`() async throws {
            let explorer = Explorer(.sequential, scenario: Self.losingUpdates)
            try await explorer.explore(exactly: 0)
            let failure = try await explorer.failure(within: 2)
            expect(failure.message, is: "2 were added, and 1 are there")
            // One thread is stopped between its two steps, and the other runs as a whole.
            expect(failure.order, is: "001110")
            expect(failure.steps[4].hasPrefix("  thread 1: store at InterleavingTests/ExplorerTests.swift:"))
            await expect(explorer.replay(failure.order)?.message, is: failure.message)
            await expect(explorer.replay("000111"), is: nil)
            await expect(explorer.replay("0000")?.message.hasPrefix("the order does not fit"), is: true)
        }

        @Test func `a random failure is shrunk to one preemption`() async throws {
            let explorer = Explorer(
                .sequential, scenario: Self.counting({ for _ in 0..<5 { $0.store($0.load() + 1) } }, threads: 3))
            let failure = try await #require(throws: Explorer.Failure.self) { try await explorer.sample(200, seed: 1) }
            let switches = zip(failure.order, failure.order.dropFirst()).count { $0 != $1 }
            // One thread stops in the middle and continues at the end. The others run as a whole in between.
            expect(switches <= 3)
            await expect(explorer.replay(failure.order)?.message, is: failure.message)
        }

        @Test func `a correct program is correct in every order`() async throws {
            let add = { @Sendable (word: AtomicWord) in
                var known = word.load()
                while !word.replace(&known, by: known + 1) {}
            }
            try await expect(Explorer(.sequential, scenario: Self.counting(add, threads: 2)).explore(exactly: 9) >= 20)
            try await Explorer(.weak, scenario: Self.counting(add, threads: 3)).explore(exactly: 2)
            try await Explorer(.weak, scenario: Self.counting(add, threads: 4)).sample(200, seed: 2)
        }

        @Test func `the explorer runs every order once`() async throws {
            // Two threads with two steps: the start and the addition. There are six orders. In four of them at most one
            // thread is preempted.
            let orders = Explorer(.sequential, scenario: Self.counting({ _ = $0.add(1) }, threads: 2))
            try await expect(orders.explore(exactly: 0), is: 2)
            try await expect(orders.explore(exactly: 1), is: 4)
            try await expect(orders.explore(exactly: 9), is: 6)
        }

        @Test func `the explorer finds threads that do not end`() async throws {
            let explorer = Explorer {
                let word = AtomicWord(0)
                return Scenario(threads: [{ while word.load() == 0 {} }]) { nil }
            }
            try await expect(explorer.failure(within: 0).message, is: "the threads do not end")
        }

        @Test func `the explorer finds locks that are taken in two orders`() async throws {
            func explorer(isOrdered: Bool) -> Explorer {
                Explorer {
                    let locks = [Guarded(0), Guarded(0)]
                    let take: @Sendable (Int) -> Void = { first in
                        locks[first].withLock { _ in locks[1 - first].withLock { _ in } }
                    }
                    return Scenario(threads: [{ take(0) }, { take(isOrdered ? 0 : 1) }]) { nil }
                }
            }
            try await expect(explorer(isOrdered: false).failure(within: 1).message, is: "threads [0, 1] wait for ever")
            try await explorer(isOrdered: true).explore(exactly: 4)
        }

        @Test func `the explorer finds a wake-up before the sleep`() async throws {
            func explorer(asksUnderLock: Bool) -> Explorer {
                Explorer {
                    let waiting = Guarded<(isDone: Bool, latch: Latch?)>((false, nil)), latch = Latch()
                    return Scenario(threads: [
                        {
                            let isDone = waiting.withLock { state in
                                if asksUnderLock { state.latch = latch }
                                return state.isDone
                            }
                            if isDone { return }
                            if !asksUnderLock { waiting.withLock { $0.latch = latch } }
                            latch.wait()
                        },
                        {
                            waiting.withLock { state in
                                state.isDone = true
                                return state.latch
                            }?.open()
                        },
                    ]) { nil }
                }
            }
            try await expect(explorer(asksUnderLock: false).failure(within: 1).message, is: "threads [0] wait for ever")
            try await explorer(asksUnderLock: true).explore(exactly: 5)
        }

        @Test func `the explorer finds a reused address`() async throws {
            /// A stack of nodes 1 and 2: `top` is the first node, `next` the node below each. `isCounted` stores a
            /// number of changes beside the top.
            func explorer(isCounted: Bool) -> Explorer {
                Explorer {
                    let (top, next) = (AtomicWord(1), [AtomicWord(0), AtomicWord(2), AtomicWord(0)])
                    let popped = Notes<[UInt64]>([])
                    let change: @Sendable (UInt64) -> UInt64 = { isCounted ? ($0 >> 8 + 1) << 8 : 0 }
                    let pop: @Sendable () -> UInt64 = {
                        var known = top.load()
                        while known & 255 != 0 {
                            let below = next[Int(known & 255)].load()
                            if top.replace(&known, by: change(known) | below) { return known & 255 }
                        }
                        return 0
                    }
                    let push: @Sendable (UInt64) -> Void = { node in
                        var known = top.load()
                        repeat {
                            next[Int(node)].store(known & 255)
                        } while !top.replace(&known, by: change(known) | node)
                    }
                    return Scenario(threads: [
                        { popped.value.append(pop()) },
                        {
                            let first = pop()
                            popped.value.append(pop())
                            if first != 0 { push(first) }
                        },
                    ]) {
                        while popped.value.count < 6, let node = Optional(pop()), node != 0 {
                            popped.value.append(node)
                        }
                        let nodes = popped.value.filter { $0 != 0 }.sorted()
                        return nodes == [1, 2] ? nil : "popped \(nodes)"
                    }
                }
            }
            try await expect(explorer(isCounted: false).failure(within: 2).message, is: "popped [1, 2, 2]")
            try await explorer(isCounted: true).explore(exactly: 4)
        }

        @Test func `the explorer finds a read of a released object`() async throws {
            // A slot with this error would retain after the load.
            let explorer = Explorer {
                let (word, references, wasGone) = (AtomicWord(1), AtomicWord(1), Notes(false))
                let read: @Sendable () -> Void = {
                    guard word.load() != 0 else { return }
                    if references.add(1) == 1 { wasGone.value = true }
                    _ = references.subtract(1)
                }
                return Scenario(threads: [read, { if word.exchange(0) != 0 { _ = references.subtract(1) } }]) {
                    defer { for word in [word, references] { word.deallocate() } }
                    return wasGone.value ? "it was gone" : nil
                }
            }
            try await expect(explorer.failure(within: 2).message, is: "it was gone")
        }

        /// One thread writes a value and sets a flag; another thread reads both.
        private static func tell(_ memory: Memory.Model) -> Explorer {
            Explorer(memory) {
                let word = AtomicWord(0), made = Notes<Payload?>(nil), wasMissing = Notes(false)
                return Scenario(threads: [
                    {
                        made.value = Payload()
                        word.store(1)
                    },
                    { if word.load() == 1, made.value?.isThere == false { wasMissing.value = true } },
                ]) {
                    defer { word.deallocate() }
                    return wasMissing.value ? "it was not there" : nil
                }
            }
        }

        @Test func `a value stored before a release is visible after the acquire`() async throws {
            try await Self.tell(.weak).explore(exactly: 5)
            try await Self.tell(.sequential).explore(exactly: 5)
        }

        @Test(arguments: [Memory.Operation.load, .store])
        func `a value may be missing if release or acquire is relaxed`(_ operation: Memory.Operation) async throws {
            let failure = try await Self.tell(.weak(relaxed: [operation])).failure(within: 1)
            expect(failure.message, is: "it was not there")
            expect(failure.order.contains("b"))
            expect(failure.steps.contains { $0.contains("gets an old value, 1 before the newest") })
            await expect(Self.tell(.weak(relaxed: [operation])).replay(failure.order)?.message, is: failure.message)
        }

        /// Double-checked locking: the first read is without the lock.
        @Test func `the explorer finds an object that is published before it is finished`() async throws {
            func explorer(_ memory: Memory.Model) -> Explorer {
                Explorer(memory) {
                    let (word, lock) = (AtomicWord(0), Guarded(0)), made = Notes<Payload?>(nil),
                        wasMissing = Notes(false)
                    let get: @Sendable () -> Void = {
                        if word.load() == 0 {
                            lock.withLock { _ in
                                if made.value != nil { return }
                                made.value = Payload()
                                word.store(1)
                            }
                        }
                        if made.value?.isThere != true { wasMissing.value = true }
                    }
                    return Scenario(threads: [get, get]) {
                        defer { word.deallocate() }
                        return wasMissing.value ? "it was not finished" : nil
                    }
                }
            }
            try await expect(explorer(.weak(relaxed: [.store])).failure(within: 2).message, is: "it was not finished")
            try await explorer(.weak).explore(exactly: 4)
        }

        /// Each thread announces itself and reads the other's flag. With plain loads both may miss each other, as on
        /// processors with store buffers. An addition of zero reads the newest value.
        @Test func `two threads may miss each other behind their store buffers`() async throws {
            func explorer(_ look: @escaping @Sendable (AtomicWord) -> UInt64) -> Explorer {
                Explorer(.weak) {
                    let words = [AtomicWord(0), AtomicWord(0)], seen = Notes(0)
                    let threads = (0..<2).map { me -> @Sendable () -> Void in
                        {
                            _ = words[me].exchange(1)
                            if look(words[1 - me]) == 1 { seen.value += 1 }
                        }
                    }
                    return Scenario(threads: threads) {
                        for word in words { word.deallocate() }
                        return seen.value == 0 ? "neither has seen the other" : nil
                    }
                }
            }
            try await expect(explorer { $0.load() }.failure(within: 2).message, is: "neither has seen the other")
            try await explorer { $0.add(0) }.explore(exactly: 6)
        }
    }
}
