import Resolver

/// Contexts of requests: however many are served at once, each has what is its own.
func serveTheWebShop() async throws {
    section("Serving the web shop")
    let data: ShopData = Resolver.resolve(), captives = Box<[ScopeEvent]>([])
    let observation = ScopeContext.shared.observe { event in if case .captive = event { captives.append(event) } }
    let count = data.requests.count

    step("\(count) requests at once; each handler sets its request and clears it")
    try await serve(data, times: 1, { await WebServer.serveByHand($0) }) { visits in
        for visit in visits where !visit.isGood { quote(visit.description) }
        claim("child tasks had no request", visits.allSatisfy { $0.childsID == nil && $0.childsContext == nil })
    }
    claim(
        "the transactions, whose asynchronous hook clear() does not wait for, were closed",
        Resolver.resolve(Accounts.self).closed.value == count)
    observation.cancel()

    step("The doorkeeper, who was engaged during the first request")
    let doorkeeper: Doorkeeper = Resolver.resolve()
    claim("is the only one", Journal.count(of: Doorkeeper.self) == 1)
    claim("has captured no request's context", doorkeeper.context == nil)
    claim("writes into a log of its own", doorkeeper.log.lines.value.sorted() == data.requests.map(\.id).sorted())
    claim(
        "events report the log and the context that were not captured",
        captives.value
            == ["RequestLog", "RequestContext"].map {
                .captive(.request, service: "AcceptanceTests.\($0)", consumer: "AcceptanceTests.Doorkeeper")
            })

    step("The same requests again, each inside withScope")
    try await serve(data, times: 2, { await WebServer.serveInScope($0) }) { visits in
        claim(
            "child tasks had the request they belong to",
            visits.allSatisfy { $0.childsID == $0.request.id && $0.childsContext === $0.context })
        claim("when withScope returned, the transaction had been closed", visits.allSatisfy(\.wasClosed))
    }
}

/// Serves all requests at once, and claims what holds for each way to do so.
///
/// - Parameters:
///   - times: how often the shop has been asked the same.
///   - look: claims what holds for this way.
private func serve(
    _ data: ShopData, times: Int, _ serve: @escaping @Sendable (WebRequest) async -> Visit, look: ([Visit]) -> Void
) async throws {
    let count = data.requests.count
    Presence.leaving.set(Rendezvous(3 * count))
    do {
        let visits = try await Visit.all(data.requests, serve)
        await visits.claimIsolation()
        try visits.claimBusiness(data, times: times)
        look(visits)
    }
    func ofRequests(_ services: [String]) -> [Int] {
        ["RequestContext", "RequestLog", "Transaction"].map { type in services.count { $0 == type } }
    }
    let doorkeepers = Journal.made.count { $0 == "Doorkeeper" }
    claim(
        "a context, a log and a transaction were made for each, and a log for each new doorkeeper",
        ofRequests(Journal.made) == [count, count + doorkeepers, count])
    claim("all but the doorkeeper's were released", ofRequests(Journal.released) == [count, count, count])
    claim("no request is open", !ScopeContext.shared.openScopes().contains { $0.kind == .request })
    // Tasks may hold what they have made, or returned, until they are gone themselves.
    await Presence.leaving.value.gate.pass()
    claim("no context, log or transaction is alive but the doorkeeper's log", Presence.alive.value == 1)
}
