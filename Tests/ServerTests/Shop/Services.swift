import Resolver

struct User: Sendable { let id: String }

struct Row: Sendable { let text: String }

struct Refusal: Error {}

/// A service of the app that transactions use.
final class Database: Sendable {
    let books: Books
    private let life: Life
    private let isClosed = Box(false)

    private init(_ books: Books) {
        self.books = books
        life = Life(of: "Database", in: books)
    }

    static func connect(_ books: Books) async throws -> Database {
        await Task.yield()
        return Database(books)
    }

    /// - Throws: `Refusal` if the database is closed.
    func use() throws { if isClosed.value { throw Refusal() } }

    func close() async {
        await Task.yield()
        isClosed.set(true)
        books.note { $0.openAtTheEnd.append($0.begun - $0.endedTransactions) }
    }
}

/// The values of a request.
final class RequestInfo: Sendable {
    let id: String, rows: Int?
    private let life: Life

    init(_ request: Request, _ books: Books) {
        (id, rows) = (request.id, request.rows)
        life = Life(of: "RequestInfo", in: books)
    }
}

final class RequestLog: Sendable {
    let info: RequestInfo
    private let life: Life

    init(_ info: RequestInfo, _ books: Books) {
        self.info = info
        life = Life(of: "RequestLog", in: books)
    }
}

/// Belongs to a request, and lasts until the request ends.
final class Transaction: Sendable {
    let id: String
    private let database: Database, life: Life

    private init(_ id: String, _ database: Database) throws {
        (self.id, self.database) = (id, database)
        try database.use()
        database.books.note { $0.begun += 1 }
        life = Life(of: "Transaction", in: database.books)
    }

    /// - Throws: `Refusal` if the id of the request says so.
    static func begin(_ database: Database, _ info: RequestInfo) async throws -> Transaction {
        await Task.yield()
        if info.id.hasPrefix("late") { await database.books.waitToBegin() }
        if info.id.hasPrefix("refused") { throw Refusal() }
        return try Transaction(info.id, database)
    }

    /// - Throws: `Refusal` if the id of the request says so.
    func commit() async throws {
        for _ in 0..<100 { await Task.yield() }
        guard !id.hasPrefix("conflict") else {
            end("conflict")
            throw Refusal()
        }
        end("committed")
    }

    func rollBack(because reason: ReleaseReason) async {
        await Task.yield()
        // Without the error.
        end("rolled back: \("\(reason)".prefix { $0 != "(" })")
    }

    private func end(_ how: String) { database.books.note { $0.ends[id, default: []].append(how) } }
}

final class Orders: Sendable {
    private let database: Database, life: Life

    init(database: Database) {
        self.database = database
        life = Life(of: "Orders", in: database.books)
    }

    func add(in transaction: Transaction) async throws {
        try database.use()
        await Task.yield()
    }
}

/// Belongs to a session, and is saved when the session ends.
final class Cart: Sendable {
    let user: User
    private let database: Database
    private let count = Box(0)
    private let life: Life

    init(of user: User, _ database: Database) {
        (self.user, self.database) = (user, database)
        life = Life(of: "Cart", in: database.books)
    }

    func add() -> Int { count.increment() }

    /// - Throws: `Refusal` if the database is closed.
    func save() async throws {
        // A caller that does not wait would overtake this.
        for _ in 0..<100 { await Task.yield() }
        try database.use()
        database.books.note { $0.carts[user.id, default: []].append(count.value) }
    }
}

/// Reads the rows of a streamed body. Belongs to the context of the body.
final class Reader: Sendable {
    private let transaction: Transaction, info: RequestInfo
    private let number = Box(0)
    private let life: Life

    init(_ transaction: Transaction, _ info: RequestInfo, _ books: Books) {
        (self.transaction, self.info) = (transaction, info)
        life = Life(of: "Reader", in: books)
    }

    /// - Throws: `Refusal` after some rows, if the id of the request says so.
    func next() async throws -> Row? {
        await Task.yield()
        let number = number.increment()
        if let rows = info.rows, number > rows { return nil }
        if number == 3, info.id.hasPrefix("broken") { throw Refusal() }
        return Row(text: "\(transaction.id) \(number) ")
    }
}
