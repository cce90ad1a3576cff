import Resolver

/// Contexts of customers and pages: a session that has an id, services of its own and an end by itself, and screens that
/// come and go in it.
///
/// A context is for what is registered for one customer, what ends with the time, what others want to be told of, or what
/// there are several of at once. Where everything is registered beforehand and `reset()` is all there is to say, a cache of
/// your own is enough: see `logInAndOut`.
func signInAtTheTerminal() throws {
    section("Signing in at the terminal")
    let data: ShopData = Resolver.resolve(), terminal = Terminal(), events = Box<[ScopeEvent]>([])
    let observation = ScopeContext.shared.observe { events.append($0) }

    step("Before the first customer signs in")
    claim("no session is current", ScopeContext.shared.currentID(for: .session) == nil)
    claim("@Inject finds no member and no basket", terminal.member == nil && terminal.basket == nil)

    step("Ada signs in and fills her basket")
    terminal.signIn(try data.customer("ada"))
    claim("the session is hers", ScopeContext.shared.currentID(for: .session) == "ada")
    claim("@Inject finds her", terminal.member?.customer.name == "Ada")
    terminal.basket?.lines = [Order.Line(sku: "pot", count: 1)]
    claim(
        "and one basket, which is hers",
        terminal.basket?.lines.count == 1 && terminal.basket?.member === terminal.member)
    Resolver.resolve(WishList.self).skus.append("kettle")
    claim("her wish list, registered when the shop opened, is kept", Resolver.resolve(WishList.self).skus == ["kettle"])
    claim("one of each was made", Journal.made.value == ["Member", "Basket", "WishList"])

    step("Pages come and go")
    do {
        let basket = terminal.basket
        let (pots, kettles) = (Page("pot"), Page("kettle"))
        pots.appear()
        weak let picturesOfPots = pots.pictures
        claim("the page has pictures, and keeps them", picturesOfPots != nil && pots.pictures === picturesOfPots)
        kettles.appear()
        weak let picturesOfKettles = kettles.pictures
        claim("the next page has others, and the first are released", picturesOfKettles != nil && picturesOfPots == nil)
        pots.disappear()
        claim(
            "the late end of the first page did not end the next one",
            ScopeContext.shared.currentID(for: .screen) == "kettle" && kettles.pictures === picturesOfKettles
                && Journal.released.value == ["Pictures"])
        claim("all pages have the same basket", terminal.basket === basket && basket?.lines.count == 1)
    }

    step("Ada signs out")
    weak let member = terminal.member
    weak let basket = terminal.basket
    weak let wishes = Resolver.existing(WishList.self)
    claim("only the session held her instances", member != nil && basket != nil && wishes != nil)
    terminal.signOut()
    claim("when clear() returned, they were released", member == nil && basket == nil && wishes == nil)
    claim(
        "the page's first, then the session's, the youngest first",
        Journal.released.value == ["Pictures", "WishList", "Basket", "Member"])
    claim("@Inject finds no member and no basket", terminal.member == nil && terminal.basket == nil)

    step("Boris signs in for a minute, and walks away")
    let seconds = Box(0.0)
    Resolver.clock = ResolverClock { seconds.value }
    terminal.signIn(try data.customer("boris"), for: 60)
    claim("he has a basket, which is empty", terminal.basket?.lines.isEmpty == true)
    seconds.set(60)
    claim("after a minute there is no member", terminal.member == nil && ScopeContext.shared.current(.session) == nil)
    claim("his instances were released", Journal.released.value == ["Basket", "Member"])
    Resolver.clock = .monotonic

    step("The events that an observer received")
    observation.cancel()
    for event in events.value { quote("\(event)") }
}
