import Resolver

/// Cached scope: kept until it is reset. Names: two price lists that have nothing to do with each other.
func changeThePrices() {
    section("Changing the prices")

    step("The sale is decided")
    let season: Season = Resolver.resolve(), retail: PriceList = Resolver.resolve(name: .retail)
    let trade: PriceList = Resolver.resolve(name: .trade)
    season.percentOff = 20
    claim("there are two lists, one for each name", retail !== trade)
    claim("a list that is kept still has the old price", retail.price(of: "pot") == 3900)
    claim("asking again changes nothing", Resolver.resolve(PriceList.self, name: .retail) === retail)

    step("The cached scope is reset")
    ResolverScope.cached.reset()
    claim("it released both lists", Journal.released.value == ["PriceList", "PriceList"])
    let cheaper: PriceList = Resolver.resolve(name: .retail)
    claim("the next resolve made a new list", cheaper !== retail && Journal.made.value == ["PriceList"])
    claim("a pot is \(cheaper.price(of: "pot")) cents now", cheaper.price(of: "pot") == 3900 * 80 / 100)
    claim("the season, an application service, was not reset with it", Resolver.resolve(Season.self) === season)
}
