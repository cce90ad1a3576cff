import Resolver

/// What has to be closed is closed when its scope releases it.
func lockUp() {
    section("Locking up")

    step("The last one to leave resets the application scope")
    claim("no session and no page is open", ScopeContext.shared.openScopes().isEmpty)
    let wholesaler: Wholesaler = Resolver.resolve()
    let (calls, hangUps) = (wholesaler.calls, wholesaler.hangUps)
    claim("the line to the supplier was open all day", calls.value == 1 && hangUps.value == 0)
    ResolverScope.application.reset()
    let supplies = Journal.released.value.filter { ["Supplier", "Wholesaler"].contains($0) }
    claim("the line is released before the wholesaler that it needs", supplies == ["Supplier", "Wholesaler"])
    claim("the supplier heard the shop hang up", hangUps.value == 1)
    claim("no call returns the line any more", Resolver.existing(Supplier.self) == nil)
}
