import Foundation
import Resolver
import Testing

typealias Handler = @Sendable (Request) async throws -> Response

/// The server of a shop, its books, and the task that serves.
struct Shop: Sendable {
    let books: Books, sessions = Sessions()
    let server: Server

    private let serving: Task<Void, any Error>, observation: ResolverObservation

    /// Opens a shop.
    ///
    /// - Parameters:
    ///   - handlers: further paths, whose handlers run in the context of their request.
    ///   - test: the resolver of the test that the shop belongs to. Without one it belongs to the process.
    init(_ handlers: [String: Handler] = [:], books: Books = Books(), in test: Resolver? = nil) throws {
        self.books = books
        signal(SIGPIPE, SIG_IGN)
        #if canImport(Darwin)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            setrlimit(RLIMIT_NOFILE, &limit)
        #endif
        Resolver.registerShop(books)
        if test == nil { Resolver.report = { error in books.note { $0.reported.append(error.code) } } }
        observation = ScopeContext.shared.observe { books.note($0) }

        let inRequest = Responder(handlers.merging(Shop.handlers) { own, _ in own })
            .behind(TransactionMiddleware(), on: ["/order", "/task"])
            .behind(RequestScopeMiddleware(books: books))
            .behind(SessionMiddleware(sessions: sessions))
        let all = Responder(Shop.paths(sessions, books), else: inRequest).behind(ErrorMiddleware())
        // The handlers are tasks of the server, which do not belong to the test by themselves.
        let inTest = test.map { test in
            Responder { request in try await test.run { try await all.respond(to: request) } }
        }
        server = Server(inTest ?? all)
        serving = Task { [server] in try await serve(server) }
    }

    /// Returns when the server has ended and everything is released, and checks the books.
    func closed(
        unexpected: [String] = [], reported: [ResolutionError.Code] = [], transactionsPerID: Int = 1
    ) async throws {
        try await serving.value
        let account = books.account
        expect(ScopeContext.shared.openScopes().map { "\($0.kind) \($0.id)" }, is: [])
        expect(account.opened, is: account.endedScopes)
        expect(account.begun, is: account.endedTransactions)
        expect(account.ends.filter { $0.value.count != transactionsPerID }, is: [:])
        expect(account.openAtTheEnd, is: [0])
        expect(account.unexpected, is: unexpected)
        expect(account.reported, is: reported)
        // A task that created an instance may retain it for a moment after it has returned it.
        await books.until { $0.made == $0.released }
    }

    func stop(unexpected: [String] = [], reported: [ResolutionError.Code] = []) async throws {
        server.stop()
        try await closed(unexpected: unexpected, reported: reported)
    }

    func connect() throws -> Client { try Client(server.connect()) }

    /// Sends one request over a connection of its own.
    func get(_ path: String, id: String, user: String = "ada", rows: Int? = nil) async throws -> Answer {
        try await connect().get(path, id: id, user: user, rows: rows)
    }

    func logIn(_ users: some Sequence<String>) async throws {
        let client = try connect()
        for user in users { expect(try await client.get("/login", id: "login", user: user).status, is: 200) }
    }
}

extension Shop {
    /// The paths without a context of a request.
    private static func paths(_ sessions: Sessions, _ books: Books) -> [String: Handler] {
        [
            "/login": { request in
                _ = await sessions.session(of: request.user)
                return Response()
            },
            "/logout": { request in
                await sessions.logOut(request.user)
                return Response()
            },
            "/stream": { request in Response { writer in try await writeBody(of: request, to: &writer, books) } },
        ]
    }

    private static let handlers: [String: Handler] = [
        "/order": { _ in try await order() },
        // Like Vapor, runs the handler in its own task.
        "/task": { _ in try await Task { try await order() }.value },
        "/needs": { _ in
            async let first = Resolver.resolveAsync(OrderNeeds.self), second = Resolver.resolveAsync(OrderNeeds.self)
            let (needs, others) = try await (first, second)
            expect(needs.transaction === others.transaction, is: true)
            expect(needs.log === others.log, is: true)
            return try response(needs.transaction, needs.log)
        },
        "/fail": { _ in
            let _: Transaction = try await Resolver.resolveAsync()
            throw Refusal()
        },
        "/cart": { _ in try Response("\(Resolver.tryResolve(Cart.self).add())") },
    ]

    private static func order() async throws -> Response {
        let controller = OrderController()
        try await controller.orders.add(in: controller.transaction)
        return try response(controller.transaction, controller.log)
    }

    /// Everything that a handler knows about its request and its user.
    static func response(_ transaction: Transaction, _ log: RequestLog) throws -> Response {
        let cart: Cart = try Resolver.tryResolve(), user: User = try Resolver.tryResolve()
        let request = [transaction.id, log.info.id, ScopeContext.shared.currentID(for: .request) ?? "none"]
        let session = [user.id, cart.user.id, ScopeContext.shared.currentID(for: .session) ?? "none"]
        return Response((request + session).joined(separator: " "))
    }

    /// The text of `response` if everything belongs to this request and this user.
    static func text(_ id: String, _ user: String) -> String {
        (Array(repeating: id, count: 3) + Array(repeating: user, count: 3)).joined(separator: " ")
    }
}

// MARK: Responders

struct Responder: AsyncResponder {
    private let handler: Handler

    init(_ handler: @escaping Handler) { self.handler = handler }

    init(_ handlers: [String: Handler], else next: Responder? = nil) {
        self.init { request in try await (handlers[request.path] ?? next?.handler)?(request) ?? Response(status: 404) }
    }

    func respond(to request: Request) async throws -> Response { try await handler(request) }

    func behind(_ middleware: any AsyncMiddleware, on paths: Set<String>? = nil) -> Responder {
        Responder { request in
            if let paths, !paths.contains(request.path) { return try await handler(request) }
            return try await middleware.respond(to: request, chainingTo: self)
        }
    }
}

/// Answers an error, so that the connection stays open.
struct ErrorMiddleware: AsyncMiddleware {
    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        do {
            return try await next.respond(to: request)
        } catch let error as ResolutionError {
            return Response("\(error.code)", status: 500)
        } catch { return Response("\(type(of: error))", status: 500) }
    }
}
