import Testing

/// A table of weak references by key.
@Suite struct WeakTableTests {
    private struct State { var table = WeakTable<Int>() }

    private let alive = Guarded(0), state = Guarded(State())

    @Test func `a weak table does not retain its objects`() {
        var probe: Probe? = Probe(alive)
        state.withLock { if let probe { $0.table.insert(probe, for: 1) } }
        expect(state.withLock { $0.table[1] } === probe)
        expect(state.withLock { $0.table[2] }, is: nil)
        probe = nil
        expect(alive.value, is: 0)
        expect(state.withLock { $0.table[1] }, is: nil)
        expect(state.withLock { $0.table.contains(1) }, "until the dead are removed")
    }

    @Test func `removeDead removes only released objects`() {
        let held = (0..<20).map { _ in Probe(alive) }
        state.withLock { state in
            for (key, probe) in held.enumerated() { state.table.insert(probe, for: key) }
            for key in 20..<40 { withExtendedLifetime(Probe(alive)) { state.table.insert($0, for: key) } }
        }
        expect(state.withLock { $0.table.isFull })
        state.removeDead(from: \.table)
        expect((0..<40).filter { key in state.withLock { $0.table.contains(key) } }, is: Array(0..<20))
        expect(!state.withLock { $0.table.isFull }, "there is room for as many again")
        withExtendedLifetime(held) {}
    }

    @Test func `removeDead keeps a key that was inserted again`() {
        state.withLock { state in withExtendedLifetime(Probe(alive)) { state.table.insert($0, for: 1) } }
        let probe = Probe(alive)
        state.withLock { $0.table.insert(probe, for: 1) }
        state.removeDead(from: \.table)
        expect(state.withLock { $0.table[1] } === probe)
    }
}
