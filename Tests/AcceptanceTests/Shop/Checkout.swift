import Resolver

/// What happened to one order, written by all services that work on it.
final class AuditTrail { var lines: [String] = [] }

/// Computes what an order costs.
final class Calculator {
    let prices: PriceList, trail: AuditTrail
    init(prices: PriceList, trail: AuditTrail) { (self.prices, self.trail) = (prices, trail) }

    func total(of lines: [Order.Line]) -> Int {
        let total = lines.total(at: prices.price)
        trail.lines.append("total \(total)")
        return total
    }
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
    func complete(_ cart: Cart, coupon: (_ total: Int) throws -> Coupon?) throws -> Receipt {
        let total = calculator.total(of: cart.lines)
        let percentOff = try coupon(total)?.percentOff ?? 0
        for line in cart.lines { try stock.take(line.count, of: line.sku) }
        let due = total * (100 - percentOff) / 100
        gateway.charged.increment(by: due)
        trail.lines.append("charged \(due)")
        return Receipt(number: number, due: due)
    }
}

/// What the customer takes home.
struct Receipt { let number: OrderNumber, due: Int }
