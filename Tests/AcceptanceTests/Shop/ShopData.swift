import Foundation
import Resolver

/// The data file of the shop.
struct ShopData: Decodable {
    let products: [Product]
    /// Price lists by name; prices by product, in cents.
    let prices: [String: [String: Int]]
    /// What the wholesaler has, by product.
    let offers: [String: Offer]
    let customers: [Customer], coupons: [CouponTerms], orders: [Order]
    /// What the web shop is asked.
    let requests: [WebRequest]

    static func shipped() throws -> ShopData {
        try JSONDecoder().decode(ShopData.self, from: Data(PackageResources.shop_json))
    }

    func customer(_ id: String) throws -> Customer {
        guard let customer = customers.first(where: { $0.id == id }) else { throw ShopError.unknownCustomer(id) }
        return customer
    }

    /// What the lines cost the customer without a coupon, in cents.
    func total(of lines: [Order.Line], for id: String) -> Int {
        lines.total { sku in (try? customer(id)).flatMap { prices[$0.prices]?[sku] } ?? 0 }
    }

    func couponTerms(_ code: String) throws -> CouponTerms {
        guard let terms = coupons.first(where: { $0.code == code }) else { throw ShopError.unknownCoupon(code) }
        return terms
    }
}

struct Product: Decodable {
    let sku: String, name: String, stock: Int
}

struct Offer: Decodable {
    /// In cents.
    let price: Int
    let stock: Int
}

struct Customer: Decodable {
    let id: String, name: String, prices: String
    let pays: String

    var priceList: Resolver.Name { Resolver.Name(prices) }
    var wayToPay: Resolver.Name { Resolver.Name(pays) }
}

struct CouponTerms: Decodable {
    let code: String, percentOff: Int
    /// The least total the coupon is good for, in cents.
    let from: Int
    let isOpen: Bool
}

struct Order: Decodable {
    struct Line: Equatable {
        let sku: String, count: Int
    }

    let customer: String, coupon: String?, lines: [Line]
}

extension Order.Line: Decodable {
    /// Reads a line such as `2 sencha`.
    init(from decoder: any Decoder) throws {
        let words = try String(from: decoder).split(separator: " ")
        (count, sku) = (Int(words[0]) ?? 0, String(words[1]))
    }
}

extension [Order.Line] {
    func total(at price: (_ sku: String) -> Int) -> Int { reduce(0) { $0 + $1.count * price($1.sku) } }
}
