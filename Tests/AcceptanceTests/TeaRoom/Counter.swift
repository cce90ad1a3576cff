import Resolver

/// The place where tea is made, in a tea room or for any parent that has the price of a cup.
final class Counter: ScopeNode, Slip.Parent {
    protocol Parent: ScopeNode { var cup: Int { get } }

    private let room: any Parent
    @ChildScope({ Slip(parent: $0 as Counter) }) var slip: Slip

    init(parent: any Parent) {
        room = parent
        super.init(parent: parent)
        resolver.register { Kettle() }.kept(by: .container)
        Journal.note(.made, "Counter", scope: "tree")
    }

    deinit { Journal.note(.released, "Counter", scope: "tree") }

    var cup: Int { room.cup }
}

final class Kettle {}

/// The scope of the guests' slips; it needs a price and knows nothing of containers.
final class Slip {
    protocol Parent { var cup: Int { get } }

    private let counter: any Parent

    init(parent: any Parent) {
        counter = parent
        Journal.note(.made, "Slip", scope: "tree")
    }

    deinit { Journal.note(.released, "Slip", scope: "tree") }

    func row(for guest: String, cups: Int) -> Row { Row(text: "\(guest): \((cups * counter.cup).asMoney)", slip: self) }

    /// As a view would, it holds its scope.
    struct Row { let text: String, slip: Slip }
}
