/// A way to get the money.
protocol PaymentGateway: AnyObject {
    /// What has been charged so far, in cents.
    var charged: Int { get }
    func charge(_ cents: Int)
}

/// At once.
final class CardGateway: PaymentGateway {
    private(set) var charged = 0
    func charge(_ cents: Int) { charged += cents }
}

/// At the end of the month.
final class InvoiceGateway: PaymentGateway {
    private var invoices: [Int] = []
    var charged: Int { invoices.reduce(0, +) }
    func charge(_ cents: Int) { invoices.append(cents) }
}
