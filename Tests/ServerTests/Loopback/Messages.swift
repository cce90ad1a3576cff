/// A request, which is four lines.
struct Request: Sendable {
    let path: String, id: String, user: User
    /// The number of rows that the client wants. nil means that the client reads until it closes the connection.
    let rows: Int?

    init(_ path: String, id: String, user: String, rows: Int? = nil) {
        (self.path, self.id, self.user, self.rows) = (path, id, User(id: user), rows)
    }

    /// Reads the next request of a connection, and nil at its end.
    init?(from lines: inout AsyncStream<String>.Iterator) async {
        guard let path = await lines.next(), let id = await lines.next(), let user = await lines.next(),
            let rows = await lines.next()
        else { return nil }
        self.init(path, id: id, user: user, rows: Int(rows))
    }

    var text: String { "\(path)\n\(id)\n\(user.id)\n\(rows.map { "\($0)" } ?? "")\n" }
}

/// A line with the status, a line for each row, which begins with a plus, and a line with a period.
struct Response: Sendable {
    let status: Int
    /// Writes the rows after the responder has returned.
    private let write: @Sendable (inout ResponseWriter) async throws -> Void

    init(status: Int = 200, _ write: @escaping @Sendable (inout ResponseWriter) async throws -> Void) {
        (self.status, self.write) = (status, write)
    }

    init(_ text: String = "", status: Int = 200) {
        self.init(status: status) { writer in try await writer.write(Row(text: text)) }
    }

    /// - Throws: the error of the code that writes the rows, or of the connection. The client gets no other answer then.
    func send(over socket: Socket, isLast: Bool) async throws {
        try await socket.write("\(status) \(isLast)\n")
        var writer = ResponseWriter(socket: socket)
        try await write(&writer)
        try await socket.write(".\n")
    }
}

struct ResponseWriter: BodyWriter {
    let socket: Socket

    mutating func write(_ row: Row) async throws { try await socket.write("+\(row.text)\n") }
}

/// What a client gets for a request.
struct Answer: Sendable {
    let status: Int
    /// The server accepts no further request on the connection.
    let isLast: Bool
    var rows: [String] = []
    /// False if the connection ended in the middle of the rows.
    var isWhole = false

    var text: String { rows.joined() }
}
