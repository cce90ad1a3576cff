import Resolver
import ResolverTesting
import Testing

@Suite struct StopTests {
    @Test func `a stop under load answers running requests and leaves no instance`() async {
        await #expect(processExitsWith: .success) {
            let areInside = Rendezvous(101), mayLeave = Gate(), areWarm = Rendezvous(51), answered = Box(0)
            let shop = try Shop([
                "/held": { _ in
                    let needs: OrderNeeds = try await Resolver.resolveAsync()
                    await areInside.arriveAndPass()
                    await mayLeave.pass()
                    return try Shop.response(needs.transaction, needs.log)
                }
            ])
            let users = (0..<20).map { "user \($0)" }
            try await shop.logIn(users)
            async let held: Void = all(0..<100) { number in
                let user = users[number % 20]
                let answer = try await shop.get("/held", id: "held \(number)", user: user)
                expect(answer.text, is: Shop.text("held \(number)", user))
                expect(answer.isLast, is: true)
            }
            async let busy: Void = all(0..<50) { number in
                let client = try shop.connect(), user = users[number % 20]
                for round in 1... {
                    let id = "busy \(number), \(round)", path = ["/order", "/needs", "/stream", "/task"][round % 4]
                    // There is no answer: the server stopped before it had read the request.
                    guard let answer = try? await client.get(path, id: id, user: user, rows: 2) else { break }
                    answered.increment()
                    expect(answer.text, is: path == "/stream" ? "\(id) 1 \(id) 2 " : Shop.text(id, user))
                    expect(answer.isWhole, is: true)
                    expect(shop.books.account.ends[id], is: ["committed"])
                    // The connection has served each path.
                    if round == 4 { await areWarm.arriveAndPass() }
                    if answer.isLast { break }
                }
            }
            await areInside.arriveAndPass()
            await areWarm.arriveAndPass()
            shop.server.stop()
            expect(try? await shop.get("/order", id: "late").status, is: nil)
            mayLeave.open()
            await held
            await busy
            try await shop.closed()
            let account = shop.books.account
            expect(account.endings, is: ["committed": 100 + answered.value])
            expect(account.made["RequestInfo"], is: 100 + answered.value)
            expect(account.carts, is: Dictionary(uniqueKeysWithValues: users.map { ($0, [0]) }))
            expect(account.ended[.cleared], is: 20)
            expect(Resolver.existing(Orders.self) == nil, is: true)
        }
    }

    @Test func `an immediate stop cancels running and pending requests`() async {
        await #expect(processExitsWith: .success) {
            let areInside = Rendezvous(151), never = Gate(), mayLeave = Gate()
            func handler(whenCancelled answer: @escaping @Sendable () async throws -> Response) -> Handler {
                { _ in
                    let _: Transaction = try await Resolver.resolveAsync()
                    await areInside.arriveAndPass()
                    try? await never.passUnlessCancelled()
                    return try await answer()
                }
            }
            let shop = try Shop([
                "/obeys": handler { throw CancellationError() }, "/fails": handler { throw Refusal() },
                "/answers": handler {
                    await mayLeave.pass()
                    return Response("at last")
                },
            ])
            try await shop.logIn(["ada"])
            async let answers: Void = all(0..<50) { number in
                let texts = ["/obeys": "CancellationError", "/fails": "Refusal", "/answers": "at last"]
                await all(texts) { path, text in
                    expect(try await shop.get(path, id: "\(path) \(number)").text, is: text)
                }
            }
            // These requests are over before their transactions begin.
            async let lateAnswers: Void = all(0..<50) { number in
                expect(try await shop.get("/order", id: "late \(number)").text, is: "CancellationError")
            }
            await areInside.arriveAndPass()
            await shop.books.until { $0.waiting == 50 }
            shop.server.stopAtOnce()
            await lateAnswers
            shop.books.mayBegin.open()
            await shop.books.until { $0.begun == 200 && $0.endedTransactions == 150 }
            mayLeave.open()
            await answers
            try await shop.closed()
            let account = shop.books.account
            for number in 0..<50 {
                expect(account.ends["/obeys \(number)"], is: ["rolled back: cancelled"])
                expect(account.ends["/fails \(number)"], is: ["rolled back: cancelled"])
                expect(account.ends["/answers \(number)"], is: ["committed"])
                expect(account.ends["late \(number)"]?.first?.hasPrefix("rolled back"), is: true)
            }
        }
    }

    /// A test of XCTest runs on a thread, which may wait for its tasks.
    @Test func `servers of two concurrent tests belong to their tests`() async {
        await #expect(processExitsWith: .success) {
            let areOpen = Rendezvous(2)
            Threads.run(2) { number in
                Resolver.withTestResolver {
                    let test = Resolver.main, isOver = Gate(), failure = Box<(any Error)?>(nil)
                    Task {
                        do { try await useShop(number, in: test, areOpen) } catch { failure.set(error) }
                        isOver.open()
                    }
                    isOver.wait()
                    expect(failure.value.map { "\($0)" }, is: nil)
                }
            }
            expect(Resolver.optional(RequestLog.self) == nil, is: true)
            expect(ScopeContext.shared.openScopes().count, is: 0)
        }
    }
}

private func useShop(_ number: Int, in test: Resolver, _ areOpen: Rendezvous) async throws {
    let shop = try Shop(in: test)
    try await shop.logIn(["ada"])
    await areOpen.arriveAndPass()
    await all(0..<100) { request in
        let id = "request \(request) of \(number)"
        expect(try await shop.get("/order", id: id).text, is: Shop.text(id, "ada"))
        expect(shop.books.account.ends[id], is: ["committed"])
    }
    expect(ScopeContext.shared.openScopes().map(\.id), is: ["ada"])
    try await shop.stop()
    expect(shop.books.account.endings, is: ["committed": 100])
    expect(shop.books.account.made["Database"], is: 1)
}
