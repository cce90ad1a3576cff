import Foundation

/// Another firm, which sells to the shop and can be asked by telephone what it has: a server somewhere in the network.
final class Wholesaler: Sendable {
    /// The numbers of calls and of callers that hung up.
    let calls = Tally()
    let hangUps = Tally()

    private let offers: [String: Offer]
    private let switchboard: Switchboard

    init(_ data: ShopData) throws {
        offers = data.offers
        switchboard = try Switchboard()
    }

    /// The number to call. It refuses calls before the office hours.
    var port: UInt16 { switchboard.port }

    /// Begins the office hours. They last as long as the program.
    func open() throws {
        try switchboard.open()
        Thread.detachNewThread { [self] in
            while let call = try? switchboard.nextCall() {
                calls.add()
                Thread.detachNewThread { try? self.answer(call) }
            }
        }
    }

    private func answer(_ call: Line) throws {
        try call.say("Good morning!")
        while let question = try call.listen() { try call.say(answer(question)) }
        hangUps.add()
    }

    /// Answers `price sencha` and `stock sencha`.
    private func answer(_ question: String) -> String {
        let words = question.split(separator: " ").map(String.init)
        guard words.count == 2, let offer = offers[words[1]] else { return "Pardon?" }
        switch words[0] {
        case "price": return "\(offer.price)"
        case "stock": return "\(offer.stock)"
        default: return "Pardon?"
        }
    }
}
