import Resolver

/// A customer's visit, from logging in to logging out.
final class Session {
    let customer: Customer, cart: Cart
    init(of customer: Customer, cart: Cart) { (self.customer, self.cart) = (customer, cart) }
}

/// What the customer is about to buy.
final class Cart {
    var lines: [Order.Line] = []
    /// The session holds the cart, so the cart does not hold the session.
    @WeakLazyInjected var session: Session?
}

/// Counts the orders of the shop.
final class NumberSequence { let last = Box(1000) }

struct OrderNumber {
    let value: Int
    init(from sequence: NumberSequence) { value = sequence.last.increment() }
}

/// A way to get the money.
protocol PaymentGateway: AnyObject {
    /// What has been charged so far, in cents.
    var charged: Box<Int> { get }
}

/// At once.
final class CardGateway: PaymentGateway { let charged = Box(0) }

/// At the end of the month.
final class InvoiceGateway: PaymentGateway { let charged = Box(0) }

/// A discount that has been found to hold for one order.
struct Coupon {
    let percentOff: Int

    init(_ terms: CouponTerms, on total: Int) throws {
        guard terms.isOpen else { throw ShopError.couponClosed(terms.code) }
        guard total >= terms.from else { throw ShopError.couponTooSmall(terms.code, from: terms.from) }
        percentOff = terms.percentOff
    }
}

/// What happened to one order, for all services that work on it.
final class AuditTrail {}

/// Computes what an order costs.
final class Calculator {
    let prices: PriceList, trail: AuditTrail
    init(prices: PriceList, trail: AuditTrail) { (self.prices, self.trail) = (prices, trail) }
}

/// Turns one cart into one receipt.
final class Checkout {
    let number: OrderNumber, calculator: Calculator, trail: AuditTrail
    let gateway: any PaymentGateway
    private let stock: any Stock

    init(
        number: OrderNumber, calculator: Calculator, trail: AuditTrail, stock: any Stock, gateway: any PaymentGateway
    ) {
        (self.number, self.calculator, self.trail) = (number, calculator, trail)
        (self.stock, self.gateway) = (stock, gateway)
    }

    /// - Parameter coupon: finds the coupon for a total.
    func complete(_ cart: Cart, coupon: (_ total: Int) throws -> Coupon? = { _ in nil }) throws -> Receipt {
        let total = cart.lines.total(at: calculator.prices.price)
        let percentOff = try coupon(total)?.percentOff ?? 0
        for line in cart.lines { stock.take(line.count, of: line.sku) }
        let due = total * (100 - percentOff) / 100
        gateway.charged.increment(by: due)
        return Receipt(number: number, due: due)
    }
}

/// What the customer takes home.
struct Receipt { let number: OrderNumber, due: Int }

/// A connection that is open as long as a service uses it.
final class MailConnection { var sent: [String] = [] }

/// A receiver of all orders. The shop registers none.
protocol Analytics {}

/// Takes orders: logs the customer in, fills the cart, checks out and sends the receipt.
final class OrderDesk {
    @Injected var catalogue: Catalogue
    @Injected(name: .retail) var shelfPrices: PriceList
    @LazyInjected var mail: MailConnection
    @OptionalInjected var analytics: (any Analytics)?
    @OptionalInjected(name: .card) var cardGateway: (any PaymentGateway)?

    /// - Parameter look: sees the checkout before the customer leaves.
    func take(_ order: Order, look: (Checkout) -> Void = { _ in }) throws -> Receipt {
        let session = try Resolver.tryResolve(Session.self, args: order.customer)
        defer { ResolverScope.session.reset() }
        session.cart.lines = order.lines
        let checkout = try Resolver.tryResolve(Checkout.self)
        look(checkout)
        let receipt = try checkout.complete(session.cart) { total in
            try order.coupon.map { try Resolver.tryResolve(Coupon.self, args: ["code": $0, "total": total]) }
        }
        mail.sent.append("Receipt \(receipt.number.value) for \(session.customer.name)")
        return receipt
    }
}

/// What the shop has, to see that something does not change it.
struct Assets: Equatable {
    let charged: Int, stock: [String: Int]

    static var now: Assets {
        let card: any PaymentGateway = Resolver.resolve(name: .card)
        return Assets(charged: card.charged.value, stock: Resolver.resolve(Warehouse.self).counts)
    }
}
