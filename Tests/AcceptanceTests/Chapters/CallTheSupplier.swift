import Foundation
import Resolver

/// Services that take time to make: asynchronous factories, and what is made on an actor.
func callTheSupplier() async throws {
    section("Calling the supplier")
    askWithoutWaiting()
    await callTooEarly()
    try await callAtOnce()
    try await askForPrices()
    try await listTheStock()
    try await dressTheWindow()
}

private func askWithoutWaiting() {
    step("A synchronous call for the supplier")
    let wholesaler: Wholesaler = Resolver.resolve()
    let error = quotedFailure { try Resolver.tryResolve(Supplier.self) }
    claim("the error says that the service is asynchronous", error?.code == .requiresAsync)
    claim("the call did not ring the wholesaler", wholesaler.calls.value == 0)
}

private func callTooEarly() async {
    step("Eight ask at once, before the supplier's office hours")
    let answers = await callers(8)
    let errors = answers.compactMap { answer in
        if case .failure(let error as ResolutionError) = answer { error } else { nil }
    }
    claim("all eight calls throw factoryFailed", errors.map(\.code) == Array(repeating: .factoryFailed, count: 8))
    claim(
        "the cause is the refused connection",
        errors.allSatisfy { ($0.underlying as? POSIXError)?.code == .ECONNREFUSED })
    claim("no instance is kept", Resolver.existing(Supplier.self) == nil && Journal.made == [])
}

private func callAtOnce() async throws {
    step("They try again when the supplier has opened")
    let wholesaler: Wholesaler = Resolver.resolve()
    wholesaler.open()
    let suppliers = try await callers(8).map { try $0.get() }
    claim("all eight got through, on one line", Set(suppliers.map(ObjectIdentifier.init)).count == 1)
    claim("at the supplier's, the telephone rang once", wholesaler.calls.value == 1)
    claim("a synchronous call returns the same instance now", Resolver.resolve(Supplier.self) === suppliers[0])
    claim("the line was made once", Journal.made == ["Supplier"])
}

/// Returns the results of this many concurrent calls for the supplier.
private func callers(_ count: Int) async -> [Result<Supplier, any Error>] {
    await withTaskGroup(of: Result<Supplier, any Error>.self) { group in
        for _ in 0..<count {
            group.addTask {
                do { return .success(try await Resolver.resolveAsync()) } catch { return .failure(error) }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

private func askForPrices() async throws {
    step("Two questions at a time")
    let supplier: Supplier = Resolver.resolve()
    async let sencha = supplier.offer(of: "sencha"), kettle = supplier.offer(of: "kettle")
    let prices = try await [sencha.price, kettle.price]
    claim("sencha costs the shop \(prices[0].asMoney), a kettle \(prices[1].asMoney)", prices == [410, 4700])
}

private func listTheStock() async throws {
    step("A list of what could be ordered")
    let list: StockList = try await Resolver.resolveAsync()
    let data: ShopData = Resolver.resolve()
    claim("it has the supplier's stock of every product", list.counts == data.offers.mapValues(\.stock))
    claim("no other call was needed for it", Resolver.resolve(Wholesaler.self).calls.value == 1)
    claim("it is kept, so a synchronous call returns it", Resolver.resolve(StockList.self) === list)
}

/// Runs on no actor.
private func dressTheWindow() async throws {
    step("The shop window, which belongs to the main actor")
    let error = quotedFailure { try Resolver.tryResolve(ShopWindow.self) }
    claim("it is not made elsewhere", error?.code == .wrongIsolation)
    let window: ShopWindow = try await Resolver.resolveAsync()
    claim("an asynchronous call makes it there", Journal.made == ["ShopWindow"])
    let catalogue: Catalogue = Resolver.resolve()
    claim("it shows all products", await window.labels == catalogue.products.map(\.name))
    claim("after that, every call returns it", Resolver.resolve(ShopWindow.self) === window)
}
