import Resolver

/// What has to be closed is closed when its scope releases it.
func lockUp() async throws {
    section("Locking up")

    step("The last one to leave resets the application scope")
    let (supplier, wholesaler): (Supplier, Wholesaler) = (Resolver.resolve(), Resolver.resolve())
    let (calls, hangUps) = (wholesaler.calls, wholesaler.hangUps)
    claim("the line to the supplier was open all day", calls.value == 1 && hangUps.value == 0)
    ResolverScope.application.reset()
    let supplies = Journal.released.filter { ["StockList", "Supplier", "Wholesaler"].contains($0) }
    claim("each service is released before those that it needs", supplies == ["StockList", "Supplier", "Wholesaler"])
    claim("the supplier heard the shop hang up", hangUps.value == 1)
    claim("no call returns the line any more", Resolver.existing(Supplier.self) == nil)
    claim("a caller that still has it gets no answer", await (try? supplier.offer(of: "pot")) == nil)
}
