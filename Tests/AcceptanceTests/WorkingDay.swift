import Resolver

/// A working day of a small shop, from one chapter to the next. Whatever it prints, it checks.
enum WorkingDay {
    @MainActor static func run() async throws {
        Resolver.registerShop()
        openTheShop()
        try await callTheSupplier()
        try takeTheOrders()
        try logInAndOut()
        try signInAtTheTerminal()
        changeThePrices()
        try rehearse()
        lockUp()
    }
}
