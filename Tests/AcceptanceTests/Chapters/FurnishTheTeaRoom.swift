import Resolver

/// A tree of scopes: parents create features when they are used, and release them when they are not.
func furnishTheTeaRoom() {
    section("Furnishing the tea room")
    var (room, row): (TeaRoom?, Slip.Row?) = furnish()
    serveAtAFair()

    step("The tea room closes, while the last guest pays")
    weak let weakRoom = room
    room = nil
    claim("as long as there is a slip, there are a counter and a room", weakRoom != nil && row != nil)
    row = nil
    let leafToRoot = ["Slip", "Counter", "Kettle", "TeaRoom", "Kitchen", "TeaMenu"]
    claim(
        "then all are released, the leaves first and the root last, each with its services",
        weakRoom == nil && Journal.released == leafToRoot)
}

/// Returns the parts of the tea room that stay in use.
private func furnish() -> (TeaRoom, Slip.Row) {
    step("A plan of the room, and of what belongs into it")
    let room = TeaRoom(), before = room.treeDescription
    quote(before)
    claim("nothing but the room itself has been made", Journal.made == ["TeaRoom"])

    step("Two waiters come, and leave")
    do {
        let (first, second) = (room.counter, room.counter)
        claim("they stand at one counter", first === second && Journal.made == ["Counter"])
    }
    claim("when both have left, it is cleared away", Journal.released == ["Counter"])

    step("Another waiter comes")
    let counter = room.counter
    claim("the room makes a new counter", room.$counter.current === counter && Journal.made == ["Counter"])

    step("The kitchen, a retained child")
    _ = room.kitchen
    claim("only the room holds it, and keeps it", room.$kitchen.current != nil && Journal.released == [])

    step("Guests order")
    let rows = ["Ada", "Boris", "Cleo", "Dov"].enumerated().map { counter.slip.row(for: $1, cups: $0 + 1) }
    quote(rows.map(\.text).joined(separator: "\n"))
    claim("the rows of the list share one scope", rows.allSatisfy { $0.slip === rows[0].slip })

    step("The counter needs a kettle")
    let kettle: Kettle = counter.resolver.resolve()
    claim(
        "its kettle is its own, and the room has none",
        counter.resolver.resolve(Kettle.self) === kettle && room.resolver.optional(Kettle.self) == nil)

    step("The terrace opens")
    let terrace = room.terrace
    let prices = [terrace, counter].map { $0.resolver.resolve(TeaMenu.self).cup }
    claim(
        "a cup costs \(prices[0].asMoney) on the terrace, and \(prices[1].asMoney) at the counter, as in the room",
        prices == [380, room.cup])

    step("The plan again")
    let after = room.treeDescription
    quote(after)
    let children = ["Counter", "Terrace", "Kitchen"]
    claim(
        "it shows the children before and after",
        children.allSatisfy { before.contains("\($0), idle") && after.contains("\($0), live") })
    withExtendedLifetime((counter, terrace)) {}
    return (room, rows[3])
}

/// No tea room, but it says what a cup costs.
private final class Fair: ScopeNode, Counter.Parent { let cup = 200 }

private func serveAtAFair() {
    step("The same counter at a fair")
    let fair = Fair(), counter = Counter(parent: fair)
    claim("it works with any parent that has what it asks for", counter.parent === fair && counter.cup == 200)
    let row = counter.slip.row(for: "Ewa", cups: 2)
    claim("and so does a slip, two levels below", row.text == "Ewa: \(400.asMoney)")
}
