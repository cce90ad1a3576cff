import Foundation

/// A working day of a small shop: `swift run`. Whatever it prints, it checks; if anything is not so, it exits with 1.
@main
struct Tour {
    @MainActor
    static func main() async throws {
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
        Narrator.shared.summary()
        exit(Narrator.shared.isAllTrue ? EXIT_SUCCESS : EXIT_FAILURE)
    }
}
