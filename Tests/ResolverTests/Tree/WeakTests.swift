import Resolver
import Testing

/// One child of one scope: creation, sharing and release.
@Suite struct WeakTests {
    /// A scope with a child that retains it, in both spellings. Its stored properties are constant, hence the
    /// `@unchecked`.
    final class House: @unchecked Sendable {
        let made = Box(0)
        let alive: Box<Int>
        lazy var room: Weak<Room> = Weak(of: self) { Room(house: $0) }
        lazy var ring: Weak<Room> = Weak({ Room(house: self) })
        lazy var unowned: Weak<Room> = Weak({ [unowned self] in Room(house: self) })

        init(_ alive: Box<Int> = Box(0)) {
            self.alive = alive
            alive.increment()
        }

        deinit { alive.update { $0 -= 1 } }
    }

    final class Room: @unchecked Sendable {
        let house: House

        init(house: House) {
            self.house = house
            house.made.increment()
            house.alive.increment()
        }

        deinit { house.alive.update { $0 -= 1 } }
    }

    @Test func `an unread Weak creates no child`() {
        let house = House()
        let slots = (0..<1000).map { _ in Weak(of: house) { Room(house: $0) } }
        #expect(slots.allSatisfy { $0.current == nil })
        #expect(house.made.value == 0)
    }

    @Test func `a Weak returns the same child while it is referenced`() {
        let house = House()
        let child = house.room.value
        #expect(house.room.value === child)
        #expect(house.room.current === child)
        #expect(child.house === house)
        #expect(house.made.value == 1)
    }

    @Test func `a child without references is released at once and created again`() {
        let house = House()
        for times in 1...3 {
            #expect(house.room.value.house === house)
            #expect(house.room.current == nil)
            #expect(house.made.value == times)
            #expect(house.alive.value == 1)
        }
    }

    @Test func `release forgets the child and does not end it`() {
        let house = House()
        let child = house.room.value
        house.room.release()
        #expect(house.room.current == nil)
        #expect(house.room.value !== child)
        #expect(house.alive.value == 2)
        #expect(child.house === house)
    }

    @Test func `release does nothing without a child`() {
        let house = House()
        house.room.release()
        #expect(house.room.value.house === house)
    }

    // MARK: References

    @Test func `a child retains its parent and the parent does not retain the child`() {
        let alive = Box(0)
        var house: House? = House(alive)
        var child: Room? = house?.room.value
        weak let scope = house
        house = nil
        #expect(scope != nil)
        #expect(child?.house === scope)
        child = nil
        #expect(scope == nil)
        #expect(alive.value == 0)
    }

    @Test func `a parent whose child was used is released`() {
        let alive = Box(0)
        do {
            let house = House(alive)
            _ = (house.room.value, house.unowned.value)
        }
        #expect(alive.value == 0)
    }

    /// The documentation warns of this leak. If this test fails, the language has changed, and the warning can be
    /// removed.
    @Test func `a provider that captures its own scope leaks it`() {
        let alive = Box(0)
        do {
            let house = House(alive)
            _ = house.ring.value
        }
        #expect(alive.value == 1)
    }

    @Test func `reading a Weak whose owner was released traps with a message`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var house: House? = House()
            let slot = house?.room
            house = nil
            Child.mustEnd()
            _ = slot?.value
        }
        let text = try result.errorText
        #expect(text.contains("WeakTests.swift"))
        #expect(
            text.contains(
                """
                RESOLVER: the child scope 'ResolverTests.WeakTests.Room' cannot be created.
                Its owner, of type 'ResolverTests.WeakTests.House', has been released.
                """))
    }

    // MARK: Threads

    @Test func `sixty four threads get one child of a Weak`() {
        for _ in 0..<50 {
            let house = House()
            _ = house.room
            let got = Box<[Room]>([])
            Threads.run(64) { _ in got.append(house.room.value) }
            #expect(Set(got.value.map(ObjectIdentifier.init)).count == 1)
            #expect(house.made.value == 1)
        }
    }

    @Test func `threads that release and read a child never get a released one`() {
        let house = House()
        _ = house.room
        Threads.run(8) { _ in
            for _ in 0..<500 where house.room.value.house !== house { Issue.record("another child") }
        }
        #expect(house.alive.value == 1)
    }

    final class Slow: @unchecked Sendable {
        let leaf: Weak<Leaf>
        init(_ provider: @escaping () -> Leaf) { leaf = Weak(provider) }
    }

    @Test func `no lock is held while the provider runs`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let (isMaking, mayEnd) = (Gate(), Gate())
            let slow = Slow {
                isMaking.open()
                mayEnd.wait()
                return Leaf()
            }
            let got = Box<[Leaf]>([])
            let asking = RunningThread { got.append(slow.leaf.value) }
            await isMaking.pass()
            Child.require(slow.leaf.current == nil, "there is no child yet")
            slow.leaf.release()
            mayEnd.open()
            asking.join()
            // The child was released before it existed: the caller has it, and the slot does not.
            Child.require(slow.leaf.current == nil, "the slot does not have it")
            Child.require(got.value.count == 1, "the caller has it")
        }
    }

    @Test func `concurrent reads wait for the child that is being created`() {
        let (isMaking, mayEnd) = (Gate(), Gate())
        let made = Box(0)
        let slow = Slow {
            made.increment()
            isMaking.open()
            mayEnd.wait()
            return Leaf()
        }
        let got = Box<[Leaf]>([])
        let first = RunningThread { got.append(slow.leaf.value) }
        isMaking.wait()
        let others = (0..<4).map { _ in RunningThread { got.append(slow.leaf.value) } }
        mayEnd.open()
        for thread in others + [first] { thread.join() }
        #expect(made.value == 1)
        #expect(Set(got.value.map(ObjectIdentifier.init)).count == 1)
    }
}
