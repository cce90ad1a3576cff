import Resolver
import Testing

@Suite struct StreamTests {
    /// Waits after the first row.
    private struct SlowWriter: BodyWriter {
        let writer: ResponseWriter, hasBegun: Gate, mayGoOn: Gate

        func write(_ row: Row) async throws {
            var writer = writer
            try await writer.write(row)
            hasBegun.open()
            await mayGoOn.pass()
        }
    }

    @Test func `a stream keeps its context open until it ends`() async {
        await #expect(processExitsWith: .success) {
            let hasBegun = Gate(), mayGoOn = Gate(), books = Books()
            let slow: Handler = { request in
                // The transaction belongs to the request, not to its stream.
                let transaction: Transaction = try await Resolver.resolveAsync()
                expect(transaction.id, is: "slow")
                return Response { writer in
                    expect(ScopeContext.shared.currentID(for: .request), is: nil)
                    var slow = SlowWriter(writer: writer, hasBegun: hasBegun, mayGoOn: mayGoOn)
                    try await writeBody(of: request, to: &slow, books)
                }
            }
            let shop = try Shop(["/slow": slow], books: books)
            try await shop.logIn(["ada"])
            async let answers: Void = all(["slow"]) { id in
                let answer = try await shop.get("/slow", id: id, rows: 3)
                expect(answer.rows, is: ["slow 1 ", "slow 2 ", "slow 3 "])
                expect(answer.isWhole, is: true)
            }
            try await hasBegun.passUnlessCancelled()
            expect(ScopeContext.shared.openScopes().map(\.id), is: ["ada", "slow"])
            expect(shop.books.account.ends, is: ["slow": ["committed"]])
            expect(shop.books.account.begun, is: 2)
            // The server waits for a stream and ends nothing that the stream uses.
            shop.server.stop()
            expect(ScopeContext.shared.openScopes().map(\.id), is: ["ada", "slow"])
            mayGoOn.open()
            await answers
            expect(shop.books.account.ends, is: ["slow": ["committed", "committed"]])
            try await shop.closed(transactionsPerID: 2)
        }
    }

    @Test func `three hundred streams commit or roll back as their clients read or leave`() async {
        await #expect(processExitsWith: .success) {
            let shop = try Shop()
            await all(0..<100) { number in
                let rows = number % 50
                let whole = try await shop.get("/stream", id: "whole \(number)", rows: rows)
                expect(whole.isWhole, is: true)
                expect(whole.rows, is: (0..<rows).map { "whole \(number) \($0 + 1) " })
                // The end of a stream is written after its context has ended.
                expect(shop.books.account.ends["whole \(number)"], is: ["committed"])

                let broken = try await shop.get("/stream", id: "broken \(number)", rows: 50)
                expect(broken.isWhole, is: false)
                expect(broken.rows, is: ["broken \(number) 1 ", "broken \(number) 2 "])
                expect(shop.books.account.ends["broken \(number)"], is: ["rolled back: threw"])

                // Without a number of rows only the client can end the stream.
                let client = try shop.connect()
                expect(try await client.getFirstRow("/stream", id: "endless \(number)"), is: "endless \(number) 1 ")
            }
            try await shop.stop()
            let account = shop.books.account
            for number in 0..<100 { expect(account.ends["endless \(number)"], is: ["rolled back: threw"]) }
            expect(account.endings, is: ["committed": 100, "rolled back: threw": 200])
            expect(account.made["Reader"], is: 300)
            expect(account.ended, is: [.ended: 300])
        }
    }
}
