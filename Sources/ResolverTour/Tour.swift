import Foundation

/// A working day of a small shop: `swift run`. Whatever it prints, it checks; if anything is not so, it exits with 1.
@main
struct Tour {
    static func main() throws {
        openTheShop()
        try takeTheOrders()
        try logInAndOut()
        leafThroughTheCatalogue()
        changeThePrices()
        quoteAPrice()
        sendTheMail()
        openBranches()
        try rehearse()
        try rehearseApart()
        rushHour()
        makeMistakes()
        closeTheBooks()
        exit(Narrator.shared.isAllTrue ? EXIT_SUCCESS : EXIT_FAILURE)
    }
}
