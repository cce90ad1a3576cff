import CResolverSupport
import Testing

/// The orders, with few preemptions, in which threads read, fill and empty a slot.
@Suite(.disabled(if: Sanitizer.current == .thread, "one thread runs at a time, so there is no race to see"))
struct SlotInterleavingTests {
    private final class Instance: Sendable {}

    /// A slot, objects that may be in it, and what was taken out. Only one thread runs at a time.
    private final class Memory: @unchecked Sendable {
        let word = AtomicWord(0)
        let objects = [Instance(), Instance()]
        private let counts: [UInt]
        private var taken: [Unmanaged<AnyObject>] = []

        var slot: FastSlot { FastSlot(word: word) }

        init() {
            counts = objects.map(Memory.count)
        }

        deinit { word.deallocate() }

        private static func count(_ object: Instance) -> UInt {
            UInt(resolver_reference_count(Unmanaged.passUnretained(object).toOpaque()))
        }

        /// Fills the slot with an object, of which it owns so many references.
        func fill(_ index: Int, credits: UInt32) {
            let address = Unmanaged.passUnretained(objects[index]).toOpaque()
            resolver_retain(address, credits)
            word.store(UInt64(UInt(bitPattern: address)) | UInt64(credits) << 48)
        }

        /// What a hit does.
        func read() {
            if let object = slot.take() { taken.append(object) }
        }

        /// What a reset does.
        func empty() {
            slot.invalidate()?.release()
        }

        /// What the next first make does.
        func publish(_ index: Int) {
            _ = slot.publish(objects[index])
        }

        func readTwice() {
            read()
            read()
        }

        func emptyAndPublish(_ index: Int) {
            empty()
            publish(index)
        }

        /// What is wrong when nothing is held any more but `objects`.
        func problem() -> String? {
            let strange = taken.contains { object in !objects.contains { $0 === object.takeUnretainedValue() } }
            for object in taken { object.release() }
            empty()
            let left = zip(objects.map(Memory.count), counts).map { Int($0) - Int($1) }
            if strange { return "an object that was never in the slot" }
            return left == [0, 0] ? nil : "references that nobody returns, or that were returned twice: \(left)"
        }
    }

    private func explore(
        preemptions: Int, _ fill: @escaping (Memory) -> Void, _ threads: @Sendable (Memory) -> Void...
    ) throws {
        try Explorer {
            let memory = Memory()
            fill(memory)
            return Scenario(threads: threads.map { body in { body(memory) } }, check: memory.problem)
        }.explore(preemptions: preemptions)
    }

    @Test func aReadBesideAResetTakesAReferenceOrNone() throws {
        try explore(preemptions: 4, { $0.publish(0) }, { $0.read() }, { $0.empty() })
    }

    @Test func twoReadsBesideAReset() throws {
        try explore(
            preemptions: 3, { $0.publish(0) },
            { $0.readTwice() }, { $0.read() }, { $0.empty() })
    }

    @Test func readsBesideAResetAndTheNextInstance() throws {
        try explore(
            preemptions: 3, { $0.publish(0) },
            { $0.readTwice() },
            { $0.emptyAndPublish(1) })
    }

    @Test func aReadThatBeganAtAnEmptySlotLeavesNoTraceInTheNextInstance() throws {
        try explore(
            preemptions: 4, { $0.publish(0) }, { $0.read() }, { $0.read() },
            { memory in
                memory.emptyAndPublish(1)
                memory.empty()
            })
    }

    /// With 4096 credits or fewer the next reader adds to them.
    @Test(arguments: [4097, 4096, 4095] as [UInt32])
    func aReaderRefillsTheSlotBesideOthersAndAReset(credits: UInt32) throws {
        try explore(preemptions: 3, { $0.fill(0, credits: credits) }, { $0.read() }, { $0.read() }, { $0.empty() })
    }

    @Test(arguments: [4097, 4096] as [UInt32])
    func aRefillMeetsTheNextInstance(credits: UInt32) throws {
        try explore(
            preemptions: 3, { $0.fill(0, credits: credits) }, { $0.read() },
            { $0.emptyAndPublish(1) })
    }

    /// The same object again: its address tells nothing, its credits do.
    @Test func aRefillMeetsTheSameInstanceAgain() throws {
        try explore(
            preemptions: 3, { $0.fill(0, credits: 4096) }, { $0.read() },
            { memory in
                memory.empty()
                memory.fill(0, credits: 4096)
            }, { $0.read() })
    }

    @Test func aCellFillsAndEmptiesItsSlotsUnderItsLock() throws {
        try Explorer {
            let memory = Memory()
            let slots = Guarded(FastSlots())
            let publish: @Sendable () -> Void = {
                slots.withLock { slots in
                    guard !slots.contains(memory.slot) else { return }
                    if memory.slot.publish(memory.objects[0]) { slots.add(memory.slot) }
                }
            }
            let reset: @Sendable () -> Void = { slots.withLock { $0.invalidate() }.release() }
            return Scenario(threads: [publish, reset, { memory.read() }, publish], check: memory.problem)
        }.explore(preemptions: 2)
    }

    @Test(arguments: 2...3)
    func oneOfSeveralThreadsPublishesAReference(threads: Int) throws {
        try Explorer {
            let word = AtomicWord(0)
            let reference = PublishedReference<Instance>(at: word)
            let found = Notes<[Instance]>([])
            let set: @Sendable () -> Void = { found.value.append(reference.setIfEmpty(Instance())) }
            return Scenario(threads: Array(repeating: set, count: threads)) {
                let isOne = found.value.allSatisfy { $0 === found.value.first }
                reference.exchange(nil)
                word.deallocate()
                return isOne ? nil : "two instances"
            }
        }.explore(preemptions: 3)
    }
}
