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
        try await serveTheWebShop()
        leafThroughTheCatalogue()
        changeThePrices()
        quoteAPrice()
        sendTheMail()
        openBranches()
        furnishTheTeaRoom()
        try rehearse()
        try rehearseApart()
        rushHour()
        makeMistakes()
        closeTheBooks()
        try await lockUp()
        countClaims()
    }
}
