import Resolver
import Testing

/// Child scopes as properties of their parent.
@Suite struct ChildScopeTests {
    /// Its stored properties are constant, hence the `@unchecked`.
    final class House: @unchecked Sendable {
        let made = Box(0)
        let log: Box<[String]>
        @ChildScope({ Room($0 as House) }) var room: Room
        @ChildScope({ Cellar($0 as House) }, .retained) var cellar: Cellar

        init(_ log: Box<[String]> = Box([])) {
            self.log = log
        }

        deinit { log.append("House") }
    }

    final class Room: @unchecked Sendable {
        let house: House
        @ChildScope({ Shelf($0 as Room) }) var shelf: Shelf

        init(_ house: House) {
            self.house = house
            house.made.increment()
        }

        deinit { house.log.append("Room") }
    }

    final class Shelf: Sendable {
        let room: Room
        init(_ room: Room) { self.room = room }
        deinit { room.house.log.append("Shelf") }
    }

    final class Cellar: Sendable {
        unowned let house: House
        let log: Box<[String]>

        init(_ house: House) {
            self.house = house
            log = house.log
        }

        deinit { log.append("Cellar") }
    }

    @Test func `a child is created when it is first read`() {
        let house = House()
        #expect(house.$room.current == nil)
        #expect(house.made.value == 0)
        #expect(house.room.house === house)
        #expect(house.made.value == 1)
    }

    @Test func `a leaf is released before its parents`() {
        let log = Box<[String]>([])
        var house: House? = House(log)
        var room = house?.room
        var shelf = room?.shelf
        house = nil
        room = nil
        #expect(log.value == [])
        #expect(shelf?.room.house.$room.current === shelf?.room)
        shelf = nil
        #expect(log.value == ["Shelf", "Room", "House"])
    }

    @Test func `a used child is released with its parent`() {
        let log = Box<[String]>([])
        do {
            let house = House(log)
            _ = house.room.shelf
        }
        #expect(log.value == ["Shelf", "Room", "House"])
    }

    @Test func `a retained child ends with its parent`() {
        let log = Box<[String]>([])
        do {
            let house = House(log)
            #expect(house.cellar === house.cellar)
            #expect(log.value == [])
        }
        #expect(log.value == ["House", "Cellar"])
    }

    @Test func `release ends a retained child at once`() {
        let log = Box<[String]>([])
        let house = House(log)
        _ = house.cellar
        house.$cellar.release()
        #expect(log.value == ["Cellar"])
        #expect(house.$cellar.current == nil)
        #expect(house.cellar.house === house)
    }

    @Test func `sixty four threads get one child`() {
        for _ in 0..<50 {
            let house = House()
            let got = Box<[Room]>([])
            Threads.run(64) { _ in got.append(house.room) }
            #expect(Set(got.value.map(ObjectIdentifier.init)).count == 1)
            #expect(house.made.value == 1)
        }
    }

    class Villa: @unchecked Sendable {
        @ChildScope({ Garden($0 as Villa) }) var garden: Garden
    }

    final class Palace: Villa, @unchecked Sendable {}

    final class Garden: Sendable {
        let villa: Villa
        init(_ villa: Villa) { self.villa = villa }
    }

    @Test func `a subclass inherits the child`() {
        let palace = Palace()
        let garden = palace.garden
        #expect(garden.villa === palace)
        #expect(palace.garden === garden)
    }

    @Test func `two parents have two children`() {
        let (first, second) = (House(), House())
        let rooms = (first.room, second.room)
        #expect(rooms.0 !== rooms.1)
        #expect(rooms.0.house === first)
        #expect(rooms.1.house === second)
    }

    final class Ring: Sendable {
        let other: Ring?
        init(_ other: Ring?) { self.other = other }
    }

    final class Owner: @unchecked Sendable {
        @ChildScope({ Ring(($0 as Owner).ring) }) var ring: Ring
    }

    @Test func `a ChildScope property that needs itself is a dependency cycle`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            _ = Owner().ring
        }
        let text = try result.errorText
        #expect(text.contains("ChildScopeTests.swift"))
        #expect(text.contains("child scope of type ResolverTests.ChildScopeTests.Ring"))
    }
}
