import Foundation
import Resolver

struct ShopData: Decodable {
    let products: [Product]
    let customers: [Customer], coupons: [CouponTerms], orders: [Order]

    static func shipped() throws -> ShopData {
        try JSONDecoder().decode(ShopData.self, from: Data(PackageResources.shop_json))
    }

    func customer(_ id: String) throws -> Customer {
        guard let customer = customers.first(where: { $0.id == id }) else { throw ShopError.unknownCustomer(id) }
        return customer
    }

    /// A number of each product.
    func numbers(_ number: (Product) -> Int) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: products.map { ($0.sku, number($0)) })
    }

    /// A price list, in cents.
    func prices(_ list: String) -> [String: Int] { numbers { list == "trade" ? $0.trade : $0.retail } }

    /// What the lines cost the customer without a coupon, in cents.
    func total(of lines: [Order.Line], for id: String) throws -> Int {
        let prices = try prices(customer(id).prices)
        return lines.total { prices[$0] ?? 0 }
    }

    func couponTerms(_ code: String) throws -> CouponTerms {
        guard let terms = coupons.first(where: { $0.code == code }) else { throw ShopError.unknownCoupon(code) }
        return terms
    }
}

struct Product: Decodable {
    let sku: String, name: String, stock: Int
    /// What customers and firms pay, and what the wholesaler asks, in cents.
    let retail: Int, trade: Int, cost: Int
    /// How many the wholesaler has.
    let supply: Int
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
    struct Line: Equatable { let sku: String, count: Int }

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
