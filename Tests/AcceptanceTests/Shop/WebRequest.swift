import Resolver

/// A request to the web shop. The client chooses the id, so two requests may have the same.
struct WebRequest: Decodable, Equatable {
    enum Question: String, Decodable { case price, stock, order }

    let id: String, customer: String, asks: Question
    let lines: [Order.Line]
    /// What is right to answer.
    let answer: Answer
}

/// What the web shop answers, with a status as in HTTP.
struct Answer: Decodable, Equatable {
    let status: Int, text: String

    var isGood: Bool { status == 200 }
}

extension Answer {
    init(_ error: any Error) {
        let cause = (error as? ResolutionError)?.underlying ?? error
        switch cause as? ShopError {
        case .unknownCustomer(let id): self.init(status: 403, text: "who is \(id)?")
        case .unknownProduct(let sku): self.init(status: 404, text: "there is no \(sku)")
        case .soldOut(let sku): self.init(status: 409, text: "\(sku) is sold out")
        default: self.init(status: 500, text: "\(cause)")
        }
    }
}
