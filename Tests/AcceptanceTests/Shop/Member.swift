/// Who has signed in at the terminal.
final class Member: Sendable {
    let customer: Customer
    init(_ customer: Customer) { self.customer = customer }
}

/// What a member has put aside to buy.
final class Basket {
    let member: Member
    var lines: [Order.Line] = []

    init(of member: Member) { self.member = member }
}

/// What a member would like to be given.
final class WishList { var skus: [String] = [] }

/// What a page of the terminal shows.
final class Pictures {}
