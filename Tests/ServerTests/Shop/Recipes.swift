import Resolver

// The recipes of Docs/ServerFrameworks.md, ServerServices.md, ServerSessions.md, RequestScope.md and EndingContexts.md.

protocol AsyncResponder: Sendable { func respond(to request: Request) async throws -> Response }

protocol AsyncMiddleware: Sendable {
    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}

protocol BodyWriter { mutating func write(_ row: Row) async throws }

extension Resolver {
    static func registerShop(_ books: Books) {
        register { try await Database.connect(books) }.scope(.application)
            .onRelease { database in await database.close() }
        register { resolver in try await Orders(database: resolver.resolveAsync()) }.scope(.application)

        register { resolver in try Cart(of: resolver.tryResolve(), resolver.tryResolve()) }
            .scoped(to: .session, required: true)
            .onRelease { cart in try await cart.save() }

        register { resolver in try RequestLog(resolver.tryResolve(), books) }.scoped(to: .request, required: true)
        register { resolver in try await Transaction.begin(resolver.resolveAsync(), resolver.tryResolve()) }
            .scoped(to: .request, required: true)
            .onRelease { transaction, reason in
                if case .returned = reason {
                    try await transaction.commit()
                } else {
                    await transaction.rollBack(because: reason)
                }
            }
        register { resolver in try await Reader(resolver.resolveAsync(), resolver.tryResolve(), books) }
            .scoped(to: .request, required: true)

        register { resolver in
            try await OrderNeeds(transaction: resolver.resolveAsync(), log: resolver.resolveAsync())
        }
    }
}

struct OrderNeeds: Sendable { let transaction: Transaction, log: RequestLog }

final class OrderController {
    @Injected var transaction: Transaction
    @Injected var log: RequestLog
    @Injected var orders: Orders
}

// MARK: Middleware

struct RequestScopeMiddleware: AsyncMiddleware {
    let books: Books

    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        try await Resolver.withScope(.request, id: request.id) {
            await Resolver.registerScoped(RequestInfo.self, scope: .request) { RequestInfo(request, books) }
            return try await next.respond(to: request)
        }
    }
}

struct TransactionMiddleware: AsyncMiddleware {
    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        let _: Transaction = try await Resolver.resolveAsync()  // an error is the answer to this request alone
        return try await next.respond(to: request)
    }
}

struct SessionMiddleware: AsyncMiddleware {
    let sessions: Sessions

    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        guard let session = await sessions.known(request.user) else { return Response(status: 401) }
        return try await session.run { try await next.respond(to: request) }
    }
}

// MARK: Sessions

actor Sessions {
    private var handles: [String: ScopeHandle] = [:]

    func session(of user: User) -> ScopeHandle {
        if let known = handles[user.id] {
            if known.isOpen { return known }
            known.end(.expired)  // without this line it ends as `dropped`, after the new one has begun
        }
        let new = ScopeContext.shared.open(.session, id: user.id, expiresAfter: 1800)
        new.register { user }
        handles[user.id] = new
        return new
    }

    /// nil before the login, after the logout, and when the time of the session is over.
    func known(_ user: User) -> ScopeHandle? { handles[user.id].flatMap { $0.isOpen ? $0 : nil } }

    func logOut(_ user: User) async { await handles.removeValue(forKey: user.id)?.endAndWait() }
}

// MARK: Streams

func writeBody(of request: Request, to writer: inout some BodyWriter, _ books: Books) async throws {
    let scope = ScopeContext.shared.open(.request, id: request.id)
    let reason: ReleaseReason
    do {
        scope.register { RequestInfo(request, books) }
        let reader = try await scope.resolveAsync(Reader.self)  // kept by the scope until the body is written
        while let row = try await reader.next() { try await writer.write(row) }
        reason = .returned
    } catch {
        reason = ReleaseReason(error)  // the client has hung up, for example
    }
    await scope.endAndWait(reason)
    if let error = reason.error { throw error }
}

// MARK: Start and stop

func serve(_ server: Server) async throws {
    let _: Orders = try await Resolver.resolveAsync()  // before the first request, with its database
    let failure: (any Error)?
    do {
        try await server.run()  // returns when the last request is answered
        failure = nil
    } catch { failure = error }
    await ScopeContext.shared.clearAllAndWait()  // the sessions that are still open
    await ResolverScope.application.resetAndWait()  // what the app keeps
    if let failure { throw failure }
}
