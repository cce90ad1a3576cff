/// A connection of a client, which sends one request after the other.
final class Client {
    private let socket: Socket
    private var lines: AsyncStream<String>.Iterator

    init(_ socket: Socket) { (self.socket, lines) = (socket, socket.lines.makeAsyncIterator()) }

    /// - Throws: `Socket.Failure` if the connection ends before the answer has begun.
    func get(_ path: String, id: String, user: String = "ada", rows: Int? = nil) async throws -> Answer {
        var answer = try await begin(Request(path, id: id, user: user, rows: rows))
        while !answer.isWhole, let line = await lines.next() {
            if line == "." { answer.isWhole = true } else { answer.rows.append(String(line.dropFirst())) }
        }
        return answer
    }

    /// Reads the first row of a stream and hangs up. Returns the row.
    func getFirstRow(_ path: String, id: String) async throws -> String? {
        _ = try await begin(Request(path, id: id, user: "ada"))
        let line = await lines.next()
        socket.hangUp()
        return line.map { String($0.dropFirst()) }
    }

    private func begin(_ request: Request) async throws -> Answer {
        try await socket.write(request.text)
        let head = await lines.next()?.split(separator: " ")
        guard let head, let status = Int(head[0]) else { throw Socket.Failure(number: 0) }
        return Answer(status: status, isLast: head[1] == "true")
    }
}
