/// What can go wrong in a shop.
enum ShopError: Error, Equatable {
    case unknownCustomer(String)
    case unknownCoupon(String)
    case couponClosed(String)
    case couponTooSmall(String, from: Int)
    case soldOut(String)
    case unknownProduct(String)
    case hungUp
}
