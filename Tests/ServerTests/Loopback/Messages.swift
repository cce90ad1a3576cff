/// A request of HTTP/1.1, without a body.
struct Request: Sendable {
    let path: String
    let headers: [String: String]

    var id: String { headers["x-request-id"] ?? "" }
    var user: User { User(id: headers["x-user"] ?? "") }

    init(_ path: String, id: String, user: String = "ada", rows: Int? = nil) {
        self.path = path
        headers = ["x-request-id": id, "x-user": user, "x-rows": rows.map { "\($0)" }].compactMapValues(\.self)
    }

    /// Reads the next request of a connection, and nil at its end.
    init?(from reader: inout MessageReader) async throws {
        guard let (start, headers) = try await reader.head() else { return nil }
        let parts = start.split(separator: " ")
        guard parts.count == 3 else { throw MessageReader.Malformed() }
        (path, self.headers) = (String(parts[1]), headers)
    }

    var bytes: [UInt8] {
        Array("GET \(path) HTTP/1.1\r\n\(headers.map { "\($0): \($1)\r\n" }.joined())\r\n".utf8)
    }
}

struct Response: Sendable {
    enum Body: Sendable {
        case text(String)
        /// A body of unknown length, written after the responder has returned.
        case stream(@Sendable (inout ResponseWriter) async throws -> Void)
    }

    var status = 200
    let body: Body

    init(_ text: String = "", status: Int = 200) {
        self.status = status
        body = .text(text)
    }

    init(stream: @escaping @Sendable (inout ResponseWriter) async throws -> Void) { body = .stream(stream) }

    /// - Throws: the error of the code that writes the body, or of the connection. The client gets no other answer
    ///   then.
    func send(over socket: Socket, isLast: Bool) async throws {
        var head = "HTTP/1.1 \(status) Status\r\n"
        if isLast { head += "Connection: close\r\n" }
        switch body {
        case .text(let text):
            try await socket.write(Array("\(head)Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8))
        case .stream(let write):
            try await socket.write(Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8))
            var writer = ResponseWriter(socket: socket)
            try await write(&writer)
            try await socket.write(Array("0\r\n\r\n".utf8))
        }
    }
}

/// Writes each row as a chunk.
struct ResponseWriter: BodyWriter {
    let socket: Socket

    mutating func write(_ row: Row) async throws {
        try await socket.write(Array("\(String(row.text.utf8.count, radix: 16))\r\n\(row.text)\r\n".utf8))
    }
}

/// What a client gets for a request.
struct Answer: Sendable {
    let status: Int, rows: [String]
    /// False if the connection ended in the middle of the body.
    let isWhole: Bool
    /// The server accepts no further request on the connection.
    let isLast: Bool

    var text: String { rows.joined() }
}

/// Splits the bytes of a connection into messages.
struct MessageReader {
    struct Malformed: Error {}

    private let socket: Socket
    private var arrived: [UInt8] = []

    init(_ socket: Socket) { self.socket = socket }

    /// The first line of a message and its headers, whose names are in lower case. nil at the end of the connection.
    mutating func head() async throws -> (start: String, headers: [String: String])? {
        guard let start = try await line() else { return nil }
        var headers: [String: String] = [:]
        while let line = try await line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Malformed() }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return (start, headers)
    }

    /// The next line, without its end. nil at the end of the connection.
    mutating func line() async throws -> String? {
        while true {
            if let end = arrived.firstIndex(of: UInt8(ascii: "\n")) {
                defer { arrived.removeFirst(end + 1) }
                return String(decoding: arrived[..<end].filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            }
            guard try await readMore() else { return nil }
        }
    }

    /// A part of the body. nil if the connection ends before.
    mutating func text(of count: Int) async throws -> String? {
        while arrived.count < count { guard try await readMore() else { return nil } }
        defer { arrived.removeFirst(count) }
        return String(decoding: arrived.prefix(count), as: UTF8.self)
    }

    private mutating func readMore() async throws -> Bool {
        let bytes = try await socket.read()
        arrived += bytes
        return !bytes.isEmpty
    }
}
