/// A discount that has been found to hold for one order.
struct Coupon {
    let percentOff: Int

    init(_ terms: CouponTerms, on total: Int) throws {
        guard terms.isOpen else { throw ShopError.couponClosed(terms.code) }
        guard total >= terms.from else { throw ShopError.couponTooSmall(terms.code, from: terms.from) }
        percentOff = terms.percentOff
    }
}
