import Resolver

extension Resolver {
    /// What every request to the web shop has of its own, whatever it asks, and what they all use. The rest a handler
    /// registers, as it depends on the request.
    static func registerWebShop() {
        register { RequestLog() }
            .scoped(to: .request)
            .noted(for: .request)
        register { resolver in
            try await Transaction(
                of: resolver.resolveAsync(), log: resolver.tryResolve(), depot: resolver.resolveAsync(),
                accounts: resolver.tryResolve())
        }
        .scoped(to: .request)
        .noted(for: .request)
        .onRelease { transaction in await transaction.close() }

        register { resolver in try await Depot(resolver.resolveAsync()) }.kept(by: .application)
        register { Accounts() }.kept(by: .application)
        register { resolver in
            let data: ShopData = try resolver.tryResolve()
            return try Doorkeeper(
                crowd: data.requests.count, log: resolver.tryResolve(), context: resolver.optional())
        }
        .kept(by: .application)
        .accepting(.captive, because: "it writes into a log of its own, as it is of no request")
    }
}
