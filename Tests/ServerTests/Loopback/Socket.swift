import Foundation

/// One end of a connection between a client and the server. A task that waits for it is suspended and blocks no thread.
final class Socket: Sendable {
    struct Failure: Error { let number: Int32 }

    /// The lines that arrive, until the other side hangs up.
    let lines: AsyncStream<String>

    private let descriptor: Int32, channel: DispatchIO
    private static let queue = DispatchQueue(label: "sockets")

    private init(_ descriptor: Int32) {
        let channel = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: Socket.queue) { _ in
            close(descriptor)
        }
        channel.setLimit(lowWater: 1)
        (self.descriptor, self.channel) = (descriptor, channel)
        lines = AsyncStream { continuation in
            let arrived = Box<[UInt8]>([])
            channel.read(offset: 0, length: .max, queue: Socket.queue) { isLast, data, _ in
                arrived.append(contentsOf: data ?? .empty)
                while let line = arrived.update({ $0.removeLine() }) { continuation.yield(line) }
                if isLast { continuation.finish() }
            }
        }
    }

    deinit { channel.close(flags: .stop) }

    static func pair() throws -> (Socket, Socket) {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Failure(number: errno) }
        return (Socket(ends[0]), Socket(ends[1]))
    }

    /// - Throws: `Failure` if the other side has hung up.
    func write(_ text: String) async throws {
        let data = Data(text.utf8).withUnsafeBytes { DispatchData(bytes: $0) }
        let number = await withCheckedContinuation { continuation in
            channel.write(offset: 0, data: data, queue: Socket.queue) { isLast, _, number in
                if isLast { continuation.resume(returning: number) }
            }
        }
        if number != 0 { throw Failure(number: number) }
    }

    /// A task that reads gets the lines that have already arrived, and then the end.
    func stopReading() { shutdown(descriptor, Int32(SHUT_RD)) }

    /// The other side gets the end when it reads, and an error when it writes.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

extension [UInt8] {
    /// Removes the first line and returns it without its end. nil if it has not arrived completely.
    fileprivate mutating func removeLine() -> String? {
        guard let end = firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { removeFirst(end + 1) }
        return String(decoding: self[..<end], as: UTF8.self)
    }
}
