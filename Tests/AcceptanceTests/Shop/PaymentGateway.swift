/// A way to get the money.
protocol PaymentGateway: AnyObject {
    /// What has been charged so far, in cents.
    var charged: Box<Int> { get }
}

/// At once.
final class CardGateway: PaymentGateway { let charged = Box(0) }

/// At the end of the month.
final class InvoiceGateway: PaymentGateway { let charged = Box(0) }
