import Resolver

/// What has to be closed is closed when its scope lets go of it.
func lockUp() async throws {
    section("Locking up")

    step("The last one to leave resets the application scope")
    let (supplier, wholesaler): (Supplier, Wholesaler) = (Resolver.resolve(), Resolver.resolve())
    claim("the line to the supplier was open all day", wholesaler.calls.count == 1 && wholesaler.hangUps.count == 0)
    ResolverScope.application.reset()
    let supplies = Journal.shared.releasedInThisStep.filter { ["StockList", "Supplier", "Wholesaler"].contains($0) }
    claim("each service is released before those that it needs", supplies == ["StockList", "Supplier", "Wholesaler"])
    claim("the supplier heard the shop hang up", await Threads.result { wholesaler.hangUps.reaches(1) })
    claim("no call returns the line any more", Resolver.existing(Supplier.self) == nil)
    let price = try? await supplier.price(of: "pot")
    claim("a caller that still has it gets no answer", price == nil)
}
