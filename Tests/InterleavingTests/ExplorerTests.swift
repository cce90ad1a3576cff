import Testing

/// Does the explorer find what there is to find?
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

    @Test func itFindsALostUpdateWithOnePreemption() throws {
        let explorer = Explorer(Self.losingUpdates)
        try explorer.explore(preemptions: 0)
        let failure = try #require(throws: Explorer.Failure.self) { try explorer.explore(preemptions: 2) }
        #expect(failure.message == "2 were added, and 1 are there")
        // One thread is stopped between its two steps, the other runs as a whole.
        #expect(failure.order == "001110")
        #expect(failure.steps[4].hasPrefix("  thread 1: store at InterleavingTests/ExplorerTests.swift:"))
        #expect(explorer.replay(failure.order)?.message == failure.message)
        #expect(explorer.replay("000111") == nil)
        #expect(explorer.replay("0000")?.message.hasPrefix("the order does not fit") == true)
    }

    @Test func itFindsTheSameByChance() {
        #expect(throws: Explorer.Failure.self) { try Explorer(Self.losingUpdates).sample(200, seed: 1) }
    }

    @Test func whatIsRightIsRightInEveryOrder() throws {
        let add = { @Sendable (word: AtomicWord) in
            var known = word.load()
            while !word.replace(&known, by: known + 1) {}
        }
        #expect(try Explorer(Self.counting(add, threads: 2)).explore(preemptions: 9) >= 20)
        try Explorer(Self.counting(add, threads: 3)).explore(preemptions: 2)
        try Explorer(Self.counting(add, threads: 4)).sample(200, seed: 2)
    }

    @Test func itRunsEveryOrderOnce() throws {
        // Two threads of two steps: they begin, and add. Six orders; in four of them at most one thread is stopped.
        let orders = Explorer(Self.counting({ _ = $0.add(1) }, threads: 2))
        #expect(try orders.explore(preemptions: 0) == 2)
        #expect(try orders.explore(preemptions: 1) == 4)
        #expect(try orders.explore(preemptions: 9) == 6)
    }

    @Test func itFindsThreadsThatDoNotEnd() throws {
        let explorer = Explorer {
            let word = AtomicWord(0)
            return Scenario(threads: [{ while word.load() == 0 {} }]) { nil }
        }
        let failure = try #require(throws: Explorer.Failure.self) { try explorer.explore(preemptions: 0) }
        #expect(failure.message == "the threads do not end")
    }

    @Test func itFindsThreadsThatWaitForEachOther() throws {
        let explorer = Explorer {
            let (one, other) = (Guarded(0), Guarded(0))
            return Scenario(threads: [
                { one.withLock { _ in other.withLock { _ in } } }, { other.withLock { _ in one.withLock { _ in } } },
            ]) { nil }
        }
        let failure = try #require(throws: Explorer.Failure.self) { try explorer.explore(preemptions: 1) }
        #expect(failure.message == "threads [0, 1] wait for ever")
    }

    @Test func itFindsAnObjectThatIsReadWhenItHasGone() {
        // What a slot would do that retained after it has loaded.
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
        #expect(throws: Explorer.Failure.self) { try explorer.explore(preemptions: 2) }
    }
}
