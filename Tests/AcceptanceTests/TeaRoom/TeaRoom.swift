import Resolver

/// The tea room above the shop: the root of a tree of scopes, which finds what the shop has.
final class TeaRoom: ScopeNode, Counter.Parent {
    @ChildScope({ Counter(parent: $0 as TeaRoom) }) var counter: Counter
    @ChildScope({ Terrace(parent: $0 as TeaRoom) }) var terrace: Terrace
    @ChildScope({ Kitchen(room: $0 as TeaRoom) }, .retained) var kitchen: Kitchen

    init() {
        super.init(fallback: .root)
        resolver.register { TeaMenu(cup: 320) }.kept(by: .container)
        Journal.note(.made, "TeaRoom", scope: "tree")
    }

    deinit { Journal.note(.released, "TeaRoom", scope: "tree") }

    var cup: Int { resolver.resolve(TeaMenu.self).cup }
}

/// What a cup of tea costs.
final class TeaMenu {
    let cup: Int
    init(cup: Int) { self.cup = cup }
}

/// The room keeps it, so it does not keep the room.
final class Kitchen {
    private unowned let room: TeaRoom

    init(room: TeaRoom) {
        self.room = room
        Journal.note(.made, "Kitchen", scope: "tree")
    }

    deinit { Journal.note(.released, "Kitchen", scope: "tree") }
}

/// Out there, a cup costs more.
final class Terrace: ScopeNode {
    init(parent: TeaRoom) {
        super.init(parent: parent)
        resolver.register { TeaMenu(cup: 380) }.kept(by: .container)
        Journal.note(.made, "Terrace", scope: "tree")
    }

    deinit { Journal.note(.released, "Terrace", scope: "tree") }
}
