import Resolver

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

/// Stands by the door of the shop: customers sign in, one after the other, look at products and fill a basket.
final class Terminal {
    /// Nil while no customer is signed in.
    @Inject var member: Member?
    @Inject var basket: Basket?

    /// - Parameter seconds: after which the customer counts as gone.
    func signIn(_ customer: Customer, for seconds: Double? = nil) {
        ScopeContext.shared.setCurrent(.session, id: customer.id, expiresAfter: seconds.map { .seconds($0) })
        Resolver.registerScoped(Member.self, scope: .session) { Member(customer) }.noted(as: "session context")
        Resolver.registerScoped(Basket.self, scope: .session) { try Basket(of: Resolver.tryResolve()) }
            .noted(as: "session context")
    }

    func signOut() { ScopeContext.shared.clear(.session, cascade: true) }
}

/// A page of the terminal, told when it comes and goes.
final class Page {
    let sku: String
    private var scope: ScopeHandle?

    init(_ sku: String) { self.sku = sku }

    /// The page's own, whichever page is on the screen by now.
    var pictures: Pictures? { scope?.optional() }

    func appear() { scope = ScopeContext.shared.setCurrent(.screen, id: sku) }

    /// Ends its own scope and no other: the next page has appeared by now.
    func disappear() { scope?.end() }
}
