import Resolver

// Reading a live child scope, and making one.

private final class House {
    lazy var room: Weak<Room> = Weak(of: self) { Room($0) }
    @ChildScope({ Room($0 as House) }) var wrapped: Room
    @ChildScope({ Yard($0 as House) }, .retained) var yard: Yard

    // Without the library, and without thread safety.
    weak var weakRoom: Room?
    lazy var lazyYard = Yard(self)

    var roomByHand: Room {
        if let room = weakRoom { return room }
        let room = Room(self)
        weakRoom = room
        return room
    }
}

private final class Room {
    let house: House
    init(_ house: House) { self.house = house }
}

private final class Yard {
    unowned let house: House
    init(_ house: House) { self.house = house }
}

extension WorkloadGroup {
    static func scopeTrees() -> WorkloadGroup {
        let house = House()
        // The closures that measure retain them.
        let held = [house.room.value, house.wrapped, house.roomByHand]
        let byHand = Workload.Side("weak load") {
            for _ in 0..<$0 { sink(house.roomByHand) }
            sink(held[2])
        }
        return WorkloadGroup(
            title: "Scope trees",
            workloads: [
                Workload(
                    .init("Weak.value") {
                        for _ in 0..<$0 { sink(house.room.value) }
                        sink(held[0])
                    },
                    byHand: byHand),
                Workload(
                    .init("@ChildScope") {
                        for _ in 0..<$0 { sink(house.wrapped) }
                        sink(held[1])
                    },
                    byHand: byHand),
                Workload(
                    .init("@ChildScope, retained") { for _ in 0..<$0 { sink(house.yard) } },
                    byHand: .init("lazy var") { for _ in 0..<$0 { sink(house.lazyYard) } }),
                making(),
            ])
    }

    private static func making() -> Workload {
        let house = House()
        return Workload(
            .init("a child without references") { for _ in 0..<$0 { sink(house.room.value) } },
            byHand: .init("weak load, init, weak store") { for _ in 0..<$0 { sink(house.roomByHand) } })
    }
}
