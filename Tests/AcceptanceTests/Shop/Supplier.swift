import Foundation

/// Whom the shop buys from, at the other end of a line that is kept open all day.
final class Supplier: Sendable {
    private let line: Line
    /// Held from a question to its answer.
    private let conversation = NSLock()

    private init(_ line: Line) {
        self.line = line
    }

    static func connect(to port: UInt16) async throws -> Supplier {
        try await Threads.result {
            let line = try Line(to: port)
            guard try line.listen() != nil else { throw ShopError.hungUp }
            return Supplier(line)
        }
    }

    /// In cents.
    func price(of sku: String) async throws -> Int { try await ask("price \(sku)") }

    func stock(of sku: String) async throws -> Int { try await ask("stock \(sku)") }

    func hangUp() { line.hangUp() }

    private func ask(_ question: String) async throws -> Int {
        try await Threads.result { [line, conversation] in
            let answer = try conversation.withLock {
                try line.say(question)
                return try line.listen()
            }
            guard let answer else { throw ShopError.hungUp }
            guard let number = Int(answer) else { throw ShopError.noAnswer(to: question) }
            return number
        }
    }
}
