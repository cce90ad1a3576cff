import Foundation
import Resolver

struct ShopData: Decodable {
    let products: [Product]
    let customers: [Customer], coupons: [CouponTerms], orders: [Order]

    static func shipped() throws -> ShopData {
        try JSONDecoder().decode(ShopData.self, from: Data(PackageResources.shop_json))
    }

    func customer(_ id: String) throws -> Customer { try customers.known(id, as: \.id) }

    func couponTerms(_ code: String) throws -> CouponTerms { try coupons.known(code, as: \.code) }

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
}

struct Product: Decodable {
    let sku: String, name: String, stock: Int
    /// What customers and firms pay, in cents.
    let retail: Int, trade: Int
}

struct Customer: Decodable {
    let id: String, name: String, prices: String, pays: String

    var priceList: Resolver.Name { Resolver.Name(prices) }
    var wayToPay: Resolver.Name { Resolver.Name(pays) }
}

struct CouponTerms: Decodable {
    let code: String, percentOff: Int, isOpen: Bool
    /// The least total the coupon is good for, in cents.
    let from: Int
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

/// What can go wrong in a shop.
enum ShopError: Error, Equatable {
    case unknown(String), couponClosed(String), couponTooSmall(String, from: Int)
}

extension Array {
    /// Returns the first element with this text.
    func known(_ text: String, as property: KeyPath<Element, String>) throws -> Element {
        guard let element = first(where: { $0[keyPath: property] == text }) else { throw ShopError.unknown(text) }
        return element
    }
}
