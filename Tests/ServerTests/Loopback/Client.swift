/// A connection of a client, which sends one request after the other.
final class Client {
    private let socket: Socket
    private var reader: MessageReader

    /// - Throws: `Socket.Failure` if the server does not listen.
    init(port: UInt16) async throws {
        socket = try await Socket(connectingTo: port)
        reader = MessageReader(socket)
    }

    deinit { socket.close() }

    /// - Throws: `Socket.Failure` if the connection ends before the answer has begun.
    func get(_ path: String, id: String, user: String = "ada", rows: Int? = nil) async throws -> Answer {
        try await send(Request(path, id: id, user: user, rows: rows))
        let (status, headers) = try await head()
        let isLast = headers["connection"] == "close"
        if let length = headers["content-length"].flatMap({ Int($0) }) {
            let text = try await reader.text(of: length)
            return Answer(status: status, rows: [text ?? ""], isWhole: text != nil, isLast: isLast)
        }
        var rows: [String] = []
        while let row = try? await self.row() {
            if row.isEmpty { return Answer(status: status, rows: rows, isWhole: true, isLast: isLast) }
            rows.append(row)
        }
        return Answer(status: status, rows: rows, isWhole: false, isLast: isLast)
    }

    /// Reads the first row of a stream and hangs up. Returns the row.
    func getFirstRow(_ path: String, id: String) async throws -> String? {
        try await send(Request(path, id: id))
        _ = try await head()
        let row = try await row()
        socket.hangUp()
        return row
    }

    func send(_ request: Request) async throws { try await socket.write(request.bytes) }

    private func head() async throws -> (status: Int, headers: [String: String]) {
        guard let (start, headers) = try await reader.head() else { throw Socket.Failure(number: 0) }
        let parts = start.split(separator: " ")
        guard parts.count > 1, let status = Int(parts[1]) else { throw MessageReader.Malformed() }
        return (status, headers)
    }

    /// A chunk of the body, which is empty after the last row. nil if the connection ends before.
    private func row() async throws -> String? {
        guard let line = try await reader.line(), let length = Int(line, radix: 16) else { return nil }
        let row = try await reader.text(of: length)
        _ = try await reader.line()
        return row
    }
}
