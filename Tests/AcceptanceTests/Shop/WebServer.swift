import Resolver

/// Serves the requests of the web shop, each in a context of its own.
enum WebServer {
    /// The context is current for the task that calls and for no other, from here to `clear`: for code that cannot be put
    /// into a closure.
    static func serveByHand(_ request: WebRequest) async -> Visit {
        ScopeContext.shared.setCurrent(.request, id: request.id)
        defer { ScopeContext.shared.clear(.request) }
        return await handle(request)
    }

    /// The context is current for the closure and its child tasks. When the call returns it has ended, with all that has to
    /// be awaited. This is the form to use.
    static func serveInScope(_ request: WebRequest) async -> Visit {
        await Resolver.withScope(.request, id: request.id) { await handle(request) }
    }

    /// Returns what is to be seen of the request before it ends.
    private static func handle(_ request: WebRequest) async -> Visit {
        await Resolver.registerAsyncScoped(RequestContext.self, scope: .request) {
            await RequestContext.open(for: request)
        }.noted(for: .request)
        await Resolver.registerScoped(Customer.self, scope: .request) {
            try Resolver.tryResolve(ShopData.self).customer(request.from)
        }.noted(for: .request)
        let context = try? await Resolver.resolveAsync(RequestContext.self)
        await Resolver.resolve(Doorkeeper.self).admit(context)
        do {
            let text = try await answer()
            await Resolver.existing(Transaction.self)?.commit()
            return await Visit(request, answer: "200 \(text)")
        } catch {
            await Resolver.existing(Transaction.self)?.rollBack()
            let cause = (error as? ResolutionError)?.underlying ?? error
            return await Visit(request, answer: (cause as? ShopError)?.answer ?? "500 \(cause)")
        }
    }

    /// Knows of the request what the context says.
    private static func answer() async throws -> String {
        let transaction: Transaction = try await Resolver.resolveAsync()
        let request = try await Resolver.resolveAsync(RequestContext.self).request
        Resolver.resolve(RequestLog.self).lines.append("\(request.from) asks for the \(request.asks)")
        await Task.yield()
        let customer = try Resolver.tryResolve(Customer.self)
        let prices = try Resolver.tryResolve(PriceList.self, name: customer.priceList)
        let total = request.lines.total(at: prices.price)
        switch request.asks {
        case .price: return total.asMoney
        case .stock:
            let counts = try await Resolver.resolveAsync(Depot.self).counts.value
            return request.lines.map { "\(counts[$0.sku, default: 0])" }.joined(separator: ", ")
        case .order:
            for line in request.lines {
                try transaction.reserve(line)
                await Task.yield()
            }
            transaction.owe(total)
            return total.asMoney
        }
    }
}
