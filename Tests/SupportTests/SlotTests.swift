import Testing

/// A slot of the fast path, which is read without a lock.
@Suite struct SlotTests {
    private let alive = Guarded(0)

    private func withSlot(_ body: (FastSlot) -> Void) {
        let word = AtomicWord.block(of: 1)
        body(FastSlot(word: word))
        word.deallocateBlock()
    }

    @Test func `an empty slot returns no object`() {
        withSlot { slot in
            expect(slot.take(), is: nil)
            expect(slot.invalidate(), is: nil)
        }
    }

    @Test func `a slot returns its object and retains it until its references are returned`() {
        withSlot { slot in
            var probe: Probe? = Probe(alive)
            expect(probe.map { slot.publish($0) }, is: true)
            expect(slot.take()?.takeRetainedValue() === probe)
            probe = nil
            expect(alive.value, is: 1)
            let credits = slot.invalidate()
            expect(slot.take(), is: nil)
            expect(alive.value, is: 1, "until its references are returned")
            credits?.release()
            expect(alive.value, is: 0)
        }
    }

    @Test(arguments: [1, 28_671, 28_672, 28_673, 100_000])
    func `each reference is returned once`(after takes: Int) {
        withSlot { slot in
            expect(slot.publish(Probe(alive)))
            var taken = (0..<takes).compactMap { _ in slot.take()?.takeRetainedValue() }
            expect(taken.count, is: takes)
            slot.invalidate()?.release()
            expect(alive.value, is: 1, "those who took it have it")
            taken = []
            expect(alive.value, is: 0)
        }
    }

    @Test func `readers concurrent with publishing get live objects`() {
        withSlot { slot in
            let alive = alive
            Threads.run(others: 3) {
                // One thread at a time fills and empties a slot.
                for _ in 0..<5000 {
                    let old = slot.invalidate()
                    _ = slot.publish(Probe(alive))
                    old?.release()
                }
            } repeating: {
                withExtendedLifetime(slot.take()?.takeRetainedValue() as? Probe) {}
            }
            expect(alive.value, is: 1)
            slot.invalidate()?.release()
            expect(alive.value, is: 0)
        }
    }

    @Test func `slots of one cell are emptied together`() {
        withSlot { first in
            withSlot { second in
                var slots = FastSlots()
                let probe = Probe(alive)
                for slot in [first, second] where slot.publish(probe) { slots.add(slot) }
                expect(slots.contains(first) && slots.contains(second))
                slots.remove(first)
                expect(!slots.contains(first))
                slots.add(first)
                slots.invalidate().release()
                expect(!slots.contains(first) && !slots.contains(second))
                expect(first.take() == nil && second.take() == nil)
                withExtendedLifetime(probe) {}
            }
        }
        expect(alive.value, is: 0)
    }
}
