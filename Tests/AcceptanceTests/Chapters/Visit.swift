import Resolver

/// A request that was served, and what was to be seen of its context.
struct Visit: Sendable, CustomStringConvertible {
    let request: WebRequest, answer: String
    let id: String?, context: RequestContext?, log: RequestLog?, customer: Customer?, transaction: Transaction?
    /// What a child task saw.
    let childsID: String?, childsContext: RequestContext?
    /// When the request had been served, in the task that had served it.
    private(set) var idAfterwards: String?, wasClosed = false

    init(_ request: WebRequest, answer: String) async {
        async let childsID = ScopeContext.shared.currentID(for: .request)
        async let childsContext = try? Resolver.optionalAsync(RequestContext.self)
        (self.request, self.answer) = (request, answer)
        id = ScopeContext.shared.currentID(for: .request)
        (context, log) = (Resolver.existing(), Resolver.existing())
        (customer, transaction) = (Resolver.existing(), Resolver.existing())
        self.childsID = await childsID
        self.childsContext = await childsContext
    }

    var isGood: Bool { answer.hasPrefix("200") }

    var description: String {
        let lines = request.lines.map { "\($0.count) × \($0.sku)" }.joined(separator: ", ")
        return "request \(request.id): \(request.from), \(request.asks) of \(lines): \(answer)"
    }

    /// Serves all requests at once, each in a child task of one group. Returns the visits in the order of the requests.
    static func all(
        _ requests: [WebRequest], _ serve: @escaping @Sendable (WebRequest) async -> Visit
    ) async throws -> [Visit] {
        try await Tasks.results(requests.count) { number in
            var visit = await serve(requests[number])
            visit.idAfterwards = ScopeContext.shared.currentID(for: .request)
            visit.wasClosed = visit.transaction?.isClosed.value == true
            return (number, visit)
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
