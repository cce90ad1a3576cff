/// What can go wrong in a shop.
enum ShopError: Error, Equatable {
    case unknownCustomer(String)
    case unknownCoupon(String)
    case couponClosed(String)
    case couponTooSmall(String, from: Int)
    case soldOut(String)
    case unknownProduct(String)
    case lineEngaged
    case hungUp
    case noSuchPage(Int)

    /// What the web shop answers, with a status as in HTTP.
    var answer: String {
        switch self {
        case .unknownCustomer(let id): "403 who is \(id)?"
        case .unknownProduct(let sku): "404 no such \(sku)"
        case .soldOut(let sku): "409 no \(sku) left"
        default: "500 \(self)"
        }
    }
}
