import Foundation
import Resolver

/// Services that take time to make: asynchronous factories, and what is made on an actor. Runs on no actor.
func callTheSupplier() async throws {
    section("Calling the supplier")

    step("A synchronous call for the supplier")
    let wholesaler: Wholesaler = Resolver.resolve()
    let tooEarly = failure { try Resolver.tryResolve(Supplier.self) }
    claim("the error says that the service is asynchronous", tooEarly?.code == .requiresAsync)
    claim("the call did not ring the wholesaler", wholesaler.calls.value == 0)

    step("Eight ask at once, before the supplier's office hours")
    let errors = try await callers(8).compactMap { answer in
        if case .failure(let error as ResolutionError) = answer { error } else { nil }
    }
    claim("all eight calls throw factoryFailed", errors.map(\.code) == Array(repeating: .factoryFailed, count: 8))
    claim(
        "the cause is the refused connection",
        errors.allSatisfy { ($0.underlying as? POSIXError)?.code == .ECONNREFUSED })
    claim("no instance is kept", Resolver.existing(Supplier.self) == nil && Journal.made.value == [])

    step("They try again when the supplier has opened")
    wholesaler.isOpen.set(true)
    let suppliers = try await callers(8).map { try $0.get() }, supplier = suppliers[0]
    claim("all eight got through, on one line", suppliers.allSatisfy { $0 === supplier } && suppliers.count == 8)
    claim("at the supplier's, the telephone rang once", wholesaler.calls.value == 1)
    claim("a synchronous call returns the same instance now", Resolver.resolve(Supplier.self) === supplier)
    claim("the line was made once", Journal.made.value == ["Supplier"])

    step("The shop window, which belongs to the main actor")
    let elsewhere = failure { try Resolver.tryResolve(ShopWindow.self) }
    claim("it is not made elsewhere", elsewhere?.code == .wrongIsolation)
    let window: ShopWindow = try await Resolver.resolveAsync()
    claim("an asynchronous call makes it there", Journal.made.value == ["ShopWindow"])
    claim("it shows all products", window.labels == Resolver.resolve(Catalogue.self).products.map(\.name))
    claim("after that, every call returns it", Resolver.resolve(ShopWindow.self) === window)
}

/// Returns the results of this many concurrent calls for the supplier.
private func callers(_ count: Int) async throws -> [Result<Supplier, any Error>] {
    try await Tasks.results(count) { _ in
        do { return .success(try await Resolver.resolveAsync()) } catch { return .failure(error) }
    }
}
