import Resolver

/// A time to live, under a clock that is moved by hand.
func quoteAPrice() {
    section("Quoting a price")

    let minutes = Box(0.0)
    Resolver.main.clock = ResolverClock { 60 * minutes.value }

    step("A customer wants to know what a tea set costs, and comes back every 19 minutes")
    let quote: Quote = Resolver.resolve()
    claim("it costs \(quote.total.asMoney)", quote.total == (3900 + 4 * 1200) * 80 / 100)
    minutes.set(19)
    claim("after 19 minutes the quote holds", Resolver.resolve(Quote.self) === quote)
    minutes.set(38)
    claim("and after 38, as each use prolongs it", Resolver.resolve(Quote.self) === quote)
    claim("one quote was made", Journal.made == ["Quote"])

    step("The customer is away for 20 minutes")
    minutes.set(58)
    claim("the quote is no longer returned", Resolver.existing(Quote.self) == nil)
    claim("it is not released yet, because no call has run since", Journal.released == [])
    let next: Quote = Resolver.resolve()
    claim("the next resolve released it and made another", next !== quote)
    claim("once each", (Journal.released, Journal.made) == (["Quote"], ["Quote"]))
    claim("the old one can be read while a reference exists", quote.total == next.total)

    step("The shop tidies up")
    minutes.set(78)
    Resolver.main.purgeExpired()
    claim("purgeExpired() released the unused quote, and nothing else", Journal.released == ["Quote"])
}
