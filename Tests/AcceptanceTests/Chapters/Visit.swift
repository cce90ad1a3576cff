import Resolver

/// A request that was served, and what was to be seen of its context.
struct Visit: Sendable, CustomStringConvertible {
    let request: WebRequest, answer: Answer, seen: Seen
    /// When it had been served, in the task that had served it.
    let idAfterwards: String?
    let wasClosed: Bool

    var description: String {
        let lines = request.lines.map { "\($0.count) × \($0.sku)" }.joined(separator: ", ")
        return "\(request.id): \(request.customer), \(request.asks) of \(lines): \(answer.status) \(answer.text)"
    }

    struct Seen: Sendable {
        let id: String?, context: RequestContext?, log: RequestLog?
        let customer: Customer?, transaction: Transaction?
        /// What a child task sees of it.
        let childsID: String?
        let childsContext: RequestContext?
    }
}

extension Visit {
    typealias Handler = @Sendable (_ request: WebRequest, _ look: @Sendable () async -> Seen) async -> (Answer, Seen)

    init(_ request: WebRequest, _ serve: Handler) async {
        self.request = request
        (answer, seen) = await serve(request) { await Seen() }
        wasClosed = seen.transaction?.isClosed == true
        idAfterwards = ScopeContext.shared.currentID(for: .request)
    }

    /// All requests at once, each in a child task of one group; in their order.
    static func all(_ requests: [WebRequest], _ serve: @escaping Handler) async -> [Visit] {
        await withTaskGroup(of: (Int, Visit).self) { group in
            for (number, request) in requests.enumerated() {
                group.addTask { (number, await Visit(request, serve)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

extension Visit.Seen {
    init() async {
        async let childsID = ScopeContext.shared.currentID(for: .request)
        async let childsContext = try? Resolver.optionalAsync(RequestContext.self)
        await self.init(
            id: ScopeContext.shared.currentID(for: .request), context: Resolver.existing(), log: Resolver.existing(),
            customer: Resolver.existing(), transaction: Resolver.existing(), childsID: childsID,
            childsContext: childsContext)
    }
}
