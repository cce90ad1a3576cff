import Resolver

// A class with three injected services, which a scope keeps.

final class Account: Sendable { let value = 1 }
final class Basket: Sendable { let value = 1 }
final class Catalogue: Sendable { let value = 1 }

final class Screen {
    @Injected var account: Account
    @Injected var basket: Basket
    @Injected var catalogue: Catalogue
}

private final class ScreenByHand {
    static let account = Account()
    static let basket = Basket()
    static let catalogue = Catalogue()

    var account = ScreenByHand.account
    var basket = ScreenByHand.basket
    var catalogue = ScreenByHand.catalogue
}

extension Resolver {
    static func registerInjected() {
        register { Account() }.scope(.cached)
        register { Basket() }.scope(.cached)
        register { Catalogue() }.scope(.cached)
    }
}

extension WorkloadGroup {
    static func injected() -> Workload {
        Workload(
            .init("class with 3 @Injected, cached") { for _ in 0..<$0 { sink(Screen()) } },
            byHand: .init("the same from static lets") { for _ in 0..<$0 { sink(ScreenByHand()) } },
            atMost: 2.2, stretch: 1.6)
    }
}
