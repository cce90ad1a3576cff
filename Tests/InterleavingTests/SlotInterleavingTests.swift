import CResolverSupport
import Testing

extension InterleavingTests {
    /// Threads that read, refill, fill and empty a slot.
    @Suite struct SlotInterleavingTests {
        /// An object whose property a reader reads.
        private final class Instance: @unchecked Sendable {
            var payload: Payload?

            init(isMade: Bool = true) { if isMade { payload = Payload() } }
        }

        /// A slot, its possible objects, and the taken references. Only one thread runs at a time.
        private final class World: @unchecked Sendable {
            let word = AtomicWord(0)
            /// The second object is created by the thread that publishes it.
            private let objects = [Instance(), Instance(isMade: false)]
            private let counts: [UInt]
            private var taken: [Unmanaged<AnyObject>] = []
            private var wasUnfinished = false

            var slot: FastSlot { FastSlot(word: word) }

            init(_ fill: (World) -> Void = { _ in }) {
                counts = objects.map(World.count)
                fill(self)
            }

            deinit { word.deallocate() }

            private static func count(_ object: Instance) -> UInt {
                UInt(resolver_reference_count(Unmanaged.passUnretained(object).toOpaque()))
            }

            private func object(_ index: Int) -> Instance {
                if objects[index].payload == nil { objects[index].payload = Payload() }
                return objects[index]
            }

            /// Fills the slot with an object and this many references.
            func fill(_ index: Int, credits: UInt32) {
                let address = Unmanaged.passUnretained(object(index)).toOpaque()
                resolver_retain(address, credits)
                word.store(UInt64(UInt(bitPattern: address)) | UInt64(credits) << 48)
            }

            var isFilled: Bool { word.address.pointee & FastSlot.pointer != 0 }

            /// Performs a hit.
            func read() {
                guard let object = slot.take() else { return }
                taken.append(object)
                let instance = object.takeUnretainedValue() as? Instance
                if instance?.payload?.isThere != true { wasUnfinished = true }
            }

            /// Performs a reset.
            func empty() { slot.invalidate()?.release() }

            /// Performs the next first creation.
            func publish(_ index: Int) { _ = slot.publish(object(index)) }

            /// Returns the failure if anything but `objects` is still retained.
            func problem() -> String? {
                let strange = taken.contains { object in !objects.contains { $0 === object.takeUnretainedValue() } }
                for object in taken { object.release() }
                empty()
                let left = zip(objects.map(World.count), counts).map { Int($0) - Int($1) }
                if strange { return "an object that was never in the slot" }
                if wasUnfinished { return "an object that its reader could not see" }
                return left == [0, 0] ? nil : "references that are never returned, or returned twice: \(left)"
            }
        }

        private static func explorer(
            _ memory: Memory.Model, _ fill: @escaping (World) -> Void, _ threads: [@Sendable (World) -> Void]
        ) -> Explorer { Explorer({ World(fill) }, threads, memory) { $0.problem() } }

        private func explore(
            _ bound: Int, _ fill: @escaping (World) -> Void, _ threads: @Sendable (World) -> Void...,
            name: String = #function
        ) async throws { try await Self.explorer(.weak, fill, threads).explore(bound, name) }

        @Test func `a read concurrent with a reset takes a reference or none`() async throws {
            try await explore(4, { $0.publish(0) }, { $0.read() }, { $0.empty() })
        }

        @Test func `two reads concurrent with a reset keep the reference count`() async throws {
            try await explore(3, { $0.publish(0) }, steps({ $0.read() }, { $0.read() }), { $0.read() }, { $0.empty() })
        }

        @Test func `reads concurrent with a reset and the next instance keep the reference count`() async throws {
            try await explore(
                3, { $0.publish(0) }, steps({ $0.read() }, { $0.read() }), steps({ $0.empty() }, { $0.publish(1) }))
        }

        @Test func `a read that began at an empty slot leaves no trace in the next instance`() async throws {
            try await explore(
                3, { $0.publish(0) }, { $0.read() }, { $0.read() },
                steps({ $0.empty() }, { $0.publish(1) }, { $0.empty() }))
        }

        /// With 4096 credits or fewer the next reader refills the slot.
        @Test(arguments: [4097, 4096, 4095] as [UInt32])
        func `a refill concurrent with reads and a reset keeps the reference count`(credits: UInt32) async throws {
            try await explore(3, { $0.fill(0, credits: credits) }, { $0.read() }, { $0.read() }, { $0.empty() })
        }

        @Test(arguments: [4097, 4096] as [UInt32])
        func `a refill concurrent with the next instance keeps the reference count`(credits: UInt32) async throws {
            try await explore(
                3, { $0.fill(0, credits: credits) }, { $0.read() }, steps({ $0.empty() }, { $0.publish(1) }))
        }

        /// The same object has the same address, so only the credits differ.
        @Test func `a refill concurrent with the same instance again keeps the reference count`() async throws {
            try await explore(
                3, { $0.fill(0, credits: 4096) }, { $0.read() }, steps({ $0.empty() }, { $0.fill(0, credits: 4096) }),
                { $0.read() })
        }

        /// The fewest credits with which no reader takes a reference that the slot does not own.
        @Test func `two readers never take more references than the slot owns`() async throws {
            try await explore(
                4, { $0.fill(0, credits: 2) }, steps({ $0.read() }, { $0.read() }, { $0.read() }),
                steps({ $0.read() }, { $0.read() }))
        }

        /// Threads that fill the slots of a cell and empty them, each under the lock of the cell.
        private static func cell(of worlds: [World]) -> (publish: @Sendable () -> Void, reset: @Sendable () -> Void) {
            let slots = Guarded(FastSlots())
            return (
                publish: {
                    slots.withLock { slots in
                        for world in worlds where !slots.contains(world.slot) {
                            world.publish(0)
                            slots.add(world.slot)
                        }
                    }
                }, reset: { slots.withLock { $0.invalidate() }.release() }
            )
        }

        /// An alias has its own slot in addition to its registration's.
        @Test func `a reset empties all slots of a cell`() async throws {
            try await Explorer {
                let worlds = [World(), World()], (publish, reset) = Self.cell(of: worlds)
                let both: @Sendable () -> Void = {
                    publish()
                    reset()
                }
                return Scenario(threads: [both, { worlds[1].read() }, reset]) {
                    // The last reset came after the slots were filled.
                    worlds.contains { $0.isFilled }
                        ? "a slot answers after the reset" : worlds.lazy.compactMap { $0.problem() }.first
                }
            }.explore(2)
        }

        @Test func `a cell fills and empties its slots under its lock`() async throws {
            try await Explorer {
                let world = World(), (publish, reset) = Self.cell(of: [world])
                return Scenario(threads: [publish, reset, { world.read() }, publish], check: world.problem)
            }.explore(2)
        }

        /// A reader's view of an instance depends on two orderings: the publishing store releases, and the subtraction
        /// that takes a reference acquires. The load before it may have seen another instance.
        @Test(arguments: [Memory.Operation.store, .subtract])
        func `the explorer detects a slot without memory ordering`(_ operation: Memory.Operation) async throws {
            let explorer = Self.explorer(
                .weak(relaxed: [operation]), { $0.publish(0) },
                [{ $0.read() }, steps({ $0.empty() }, { $0.publish(1) })])
            try await expect(explorer.failure(within: 3).message, is: "an object that its reader could not see")
        }

        /// A load that sees nothing makes the call ask the cell. (The reference count needs more: the release of the
        /// `replace` that refills, and the acquire of the exchange that empties, order the return of credits after the
        /// refill.)
        @Test(arguments: [Memory.Operation.load, .exchange])
        func `a reader needs no other memory ordering`(_ operation: Memory.Operation) async throws {
            try await Self.explorer(
                .weak(relaxed: [operation]), { $0.publish(0) },
                [{ $0.read() }, steps({ $0.empty() }, { $0.publish(1) })]
            ).explore(3)
        }

        private static func publishing(_ memory: Memory.Model, threads: Int) -> Explorer {
            Explorer(memory) {
                let word = AtomicWord(0), reference = PublishedReference<Instance>(at: word)
                let found = Notes<[Instance]>([]), wasUnfinished = Notes(false)
                let set: @Sendable () -> Void = {
                    let instance = reference.setIfEmpty(Instance())
                    found.value.append(instance)
                    if instance.payload?.isThere != true { wasUnfinished.value = true }
                }
                let look: @Sendable () -> Void = {
                    if reference.current?.object.payload?.isThere == false { wasUnfinished.value = true }
                }
                return Scenario(threads: Array(repeating: set, count: threads) + [look]) {
                    let isOne = found.value.allSatisfy { $0 === found.value.first }
                    reference.exchange(nil)
                    word.deallocate()
                    return !isOne
                        ? "two instances" : wasUnfinished.value ? "an object that its reader could not see" : nil
                }
            }
        }

        @Test(arguments: 2...3)
        func `one of several threads publishes a reference`(threads: Int) async throws {
            try await Self.publishing(.weak, threads: threads).explore(3)
        }

        @Test(arguments: [Memory.Operation.load, .replace])
        func `the explorer detects a published reference without ordering`(_ operation: Memory.Operation) async throws {
            let explorer = Self.publishing(.weak(relaxed: [operation]), threads: 2)
            try await expect(explorer.failure(within: 2).message, is: "an object that its reader could not see")
        }
    }
}
