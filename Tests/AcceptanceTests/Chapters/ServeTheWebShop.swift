import Resolver

/// Contexts of requests: however many are served at once, each has what is its own.
func serveTheWebShop() async throws {
    section("Serving the web shop")
    let data: ShopData = Resolver.resolve(), captives = Box<[ScopeEvent]>([])
    let observation = ScopeContext.shared.observe { event in
        if case .captive = event { captives.append(event) }
    }
    await serveByHand(data)
    observation.cancel()
    lookAtTheDoor(data, captives.value)
    await serveInScopes(data)
}

private func serveByHand(_ data: ShopData) async {
    let count = data.requests.count
    step("\(count) requests at once; each handler sets its request and clears it")
    Presence.leaving.set(Rendezvous(3 * count))
    do {
        let visits = await Visit.all(data.requests) { await WebServer.serveByHand($0) }
        for visit in visits where !visit.isGood { quote(visit.description) }
        await visits.claimIsolation()
        claim("child tasks had no request", visits.allSatisfy { $0.childsID == nil && $0.childsContext == nil })
        visits.claimBusiness(data, times: 1)
    }
    claim(
        "a context, a log and a transaction were made for each, and a log for the doorkeeper",
        ofRequests(Journal.made) == [count, count + 1, count])
    claim("clear() has released all but the doorkeeper's", ofRequests(Journal.released) == [count, count, count])
    await claimThatNothingIsLeft()
    claim(
        "the transactions, whose asynchronous hook clear() does not wait for, were closed",
        Resolver.resolve(Accounts.self).closed.value == count)
}

private func lookAtTheDoor(_ data: ShopData, _ captives: [ScopeEvent]) {
    step("The doorkeeper, who was engaged during the first request")
    let doorkeeper: Doorkeeper = Resolver.resolve()
    claim("is the only one", Journal.count(of: Doorkeeper.self) == 1)
    claim("has captured no request's context", doorkeeper.context == nil)
    claim("writes into a log of its own", doorkeeper.log.lines.value.sorted() == data.requests.map(\.id).sorted())
    claim(
        "events report the log and the context that were not captured",
        captives
            == ["RequestLog", "RequestContext"].map {
                .captive(.request, service: "AcceptanceTests.\($0)", consumer: "AcceptanceTests.Doorkeeper")
            })
}

private func serveInScopes(_ data: ShopData) async {
    let count = data.requests.count
    step("The same requests again, each inside withScope")
    Presence.leaving.set(Rendezvous(3 * count))
    do {
        let visits = await Visit.all(data.requests) { await WebServer.serveInScope($0) }
        await visits.claimIsolation()
        claim(
            "child tasks had the request they belong to",
            visits.allSatisfy { $0.childsID == $0.request.id && $0.childsContext === $0.context })
        visits.claimBusiness(data, times: 2)
        claim("when withScope returned, the transaction had been closed", visits.allSatisfy(\.wasClosed))
    }
    claim("a context, a log and a transaction were made for each", ofRequests(Journal.made) == [count, count, count])
    claim("withScope has released all", ofRequests(Journal.released) == [count, count, count])
    await claimThatNothingIsLeft()
}

private func ofRequests(_ services: [String]) -> [Int] {
    ["RequestContext", "RequestLog", "Transaction"].map { type in services.count { $0 == type } }
}

private func claimThatNothingIsLeft() async {
    claim("no request is open", !ScopeContext.shared.openScopes().contains { $0.kind == .request })
    // Tasks may hold what they have made, or returned, until they are gone themselves.
    await Presence.leaving.value.gate.pass()
    claim("no context, log or transaction is alive but the doorkeeper's log", Presence.alive.value == 1)
}
