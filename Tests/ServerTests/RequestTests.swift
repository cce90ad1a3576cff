import Resolver
import Testing

@Suite struct RequestTests {
    @Test func `three hundred concurrent requests get their own services`() async {
        await #expect(processExitsWith: .success) {
            let areInside = Rendezvous(301), mayLeave = Gate()
            let shop = try Shop([
                "/meet": { _ in
                    let needs: OrderNeeds = try await Resolver.resolveAsync()
                    await areInside.arriveAndPass()
                    await mayLeave.pass()
                    let controller = OrderController()
                    expect(controller.transaction === needs.transaction, is: true)
                    expect(controller.log === needs.log, is: true)
                    return try Shop.response(controller.transaction, controller.log)
                }
            ])
            let users = (0..<30).map { "user \($0)" }
            try await shop.logIn(users)
            async let answers: Void = all(0..<300) { number in
                let user = users[number % 30]
                let answer = try await shop.get("/meet", id: "request \(number)", user: user)
                expect(answer.text, is: Shop.text("request \(number)", user))
                expect(shop.books.account.ends["request \(number)"], is: ["committed"])
            }
            await areInside.arriveAndPass()
            let open = ScopeContext.shared.openScopes()
            expect(Set(open.filter { $0.kind == .session }.map(\.id)), is: Set(users))
            expect(Set(open.filter { $0.kind == .request }.map(\.id)), is: Set((0..<300).map { "request \($0)" }))
            expect(shop.books.account.begun, is: 300)
            expect(shop.books.account.endings, is: [:])
            mayLeave.open()
            await answers
            try await shop.stop()
            expect(shop.books.account.endings, is: ["committed": 300])
        }
    }

    @Test func `a transaction commits or rolls back as its request ends`() async {
        await #expect(processExitsWith: .success) {
            let shop = try Shop()
            try await shop.logIn(["ada"])
            await all(0..<80) { number in
                let client = try shop.connect()
                func check(_ path: String, _ name: String, _ status: Int, _ ends: [String]?) async throws -> String {
                    let answer = try await client.get(path, id: "\(name) \(number)")
                    expect(answer.status, is: status)
                    expect(shop.books.account.ends["\(name) \(number)"], is: ends)
                    return answer.text
                }
                _ = try await check("/order", "good", 200, ["committed"])
                expect(try await check("/fail", "bad", 500, ["rolled back: threw"]), is: "Refusal")
                // The transaction cannot begin, which fails this request only.
                expect(try await check("/order", "refused", 500, nil), is: "factoryFailed")
                // An error of the commit does not change the answer.
                _ = try await check("/order", "conflict", 200, ["conflict"])
                // The connection goes on.
                _ = try await check("/needs", "next", 200, ["committed"])
            }
            try await shop.stop(reported: Array(repeating: .releaseFailed, count: 80))
            expect(shop.books.account.endings, is: ["committed": 160, "rolled back: threw": 80, "conflict": 80])
        }
    }
}
