/// A request to the web shop. The client chooses the id, so two requests may have the same.
struct WebRequest: Decodable, Equatable {
    enum Question: String, Decodable { case price, stock, order }

    let id: String, from: String, asks: Question
    let lines: [Order.Line]
    /// What is right to answer, after a status as in HTTP.
    let answer: String
}
