import Resolver
import Testing

@Suite struct SessionTests {
    @Test func `a session lasts from the login to the logout`() async {
        await #expect(processExitsWith: .success) {
            let shop = try Shop()
            await all((0..<30).map { "user \($0)" }) { user in
                @Sendable func get(_ path: String, _ id: String) async throws -> Answer {
                    try await shop.get(path, id: "\(id) of \(user)", user: user)
                }
                expect(try await get("/cart", "early").status, is: 401)
                // All requests find the session that the first login begins.
                await all(0..<3) { _ in expect(try await get("/login", "login").status, is: 200) }
                let counts = Box<[String]>([])
                await all(1...10) { number in counts.append(try await get("/cart", "\(number)").text) }
                expect(Set(counts.value), is: Set((1...10).map { "\($0)" }))

                expect(try await get("/logout", "logout").status, is: 200)
                expect(shop.books.account.carts[user], is: [10])
                expect(try await get("/cart", "late").status, is: 401)
                expect(try await get("/login", "again").status, is: 200)
                expect(try await get("/cart", "new").text, is: "1")
            }
            expect(shop.books.account.ended[.ended], is: 30 + 30 * 11)
            try await shop.stop()
            expect(shop.books.account.carts.filter { $0.value != [10, 1] }, is: [:])
            expect(shop.books.account.carts.count, is: 30)
            expect(shop.books.account.ended, is: [.ended: 30 + 30 * 11, .cleared: 30])
        }
    }

    @Test func `a request whose user logs out and in again gets no service of either session`() async {
        await #expect(processExitsWith: .success) {
            let areInside = Rendezvous(51), mayGoOn = Gate()
            let shop = try Shop([
                "/held": { _ in
                    let transaction: Transaction = try await Resolver.resolveAsync()
                    await areInside.arriveAndPass()
                    await mayGoOn.pass()
                    expect(Resolver.existing(Transaction.self) === transaction, is: true)
                    return try Response("\(Resolver.tryResolve(Cart.self).add())")
                }
            ])
            try await shop.logIn(["ada", "ben"])
            async let answers: Void = all(0..<50) { number in
                let user = number % 2 == 0 ? "ada" : "ben"
                let answer = try await shop.get("/held", id: "held \(number)", user: user)
                expect(answer.status, is: user == "ada" ? 500 : 200)
                let end = shop.books.account.ends["held \(number)"]
                expect(end, is: [user == "ada" ? "rolled back: threw" : "committed"])
                if user == "ada" { expect(answer.text, is: "scopeDeclined") }
            }
            await areInside.arriveAndPass()
            let client = try shop.connect()
            expect(try await client.get("/cart", id: "before").text, is: "1")
            expect(try await client.get("/logout", id: "logout").status, is: 200)
            expect(shop.books.account.carts, is: ["ada": [1]])
            expect(try await client.get("/login", id: "login").status, is: 200)
            mayGoOn.open()
            await answers
            expect(try await client.get("/cart", id: "after").text, is: "1")
            let service = ScopeEvent.resolvedInEndedScope(.init(kind: .session, id: "ada"), service: "ServerTests.Cart")
            try await shop.stop(unexpected: Array(repeating: "\(service)", count: 25))
            expect(shop.books.account.carts, is: ["ada": [1, 1], "ben": [25]])
        }
    }

    @Test func `an expired session ends and the next login begins another`() async {
        await #expect(processExitsWith: .success) {
            let now = Box(0.0)
            Resolver.clock = ResolverClock { now.value }
            let shop = try Shop(), client = try shop.connect()
            try await shop.logIn(["ada"])
            expect(try await client.get("/cart", id: "1").text, is: "1")
            now.set(1799)
            try await shop.logIn(["ada"])
            expect(try await client.get("/cart", id: "2").text, is: "2")
            now.set(1800)
            expect(try await client.get("/cart", id: "3").status, is: 401)
            try await shop.logIn(["ada"])
            expect(try await client.get("/cart", id: "4").text, is: "1")
            // No call waits for the hooks of a session that has expired.
            await shop.books.until { $0.carts == ["ada": [2]] }
            try await shop.stop()
            expect(shop.books.account.carts, is: ["ada": [2, 1]])
            expect(shop.books.account.ended[.expired], is: 1)
        }
    }
}
