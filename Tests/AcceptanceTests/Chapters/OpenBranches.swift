import Resolver

/// Container scope: one instance for each resolver. Application scope: one for all that run the same registration.
func openBranches() {
    section("Opening two branches")

    step("The same registrations in two resolvers")
    weak var harbourTill: Till?
    let station = Resolver()
    station.registerBranch()
    let stationTill: Till = station.resolve()
    do {
        let harbour = Resolver()
        harbour.registerBranch()
        let till: Till = harbour.resolve()
        harbourTill = till
        till.take(500)
        stationTill.take(300)
        let cash = [till, stationTill].map(\.cash.value)
        claim("each branch has its own till", till !== stationTill && cash == [500, 300])
        claim("both book into one ledger", till.ledger === stationTill.ledger && till.ledger.total.value == 800)
        claim("a till stays with its branch", harbour.resolve(Till.self) === till)
    }

    step("The branch at the harbour closes")
    claim("its till is gone", harbourTill == nil)
    claim("the other branch has its till", station.resolve(Till.self) === stationTill)
    claim("the ledger remembers", station.resolve(Ledger.self).total.value == 800)

    step("The branch at the station empties its cache")
    station.cache.reset()
    claim("it has a new till", station.resolve(Till.self) !== stationTill)
}
