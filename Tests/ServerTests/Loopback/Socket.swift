import Foundation

/// One end of a connection between a client and the server. A task that waits for it is suspended and blocks no thread.
final class Socket: Sendable {
    struct Failure: Error { let number: Int32 }

    private let descriptor: Int32
    private static let queue = DispatchQueue(label: "sockets")

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Returns both ends of a new connection.
    static func pair() throws -> (Socket, Socket) {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Failure(number: errno) }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return (Socket(ends[0]), Socket(ends[1]))
    }

    /// Returns the bytes that have arrived, and an empty array at the end.
    func read() async throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count >= 0 { return Array(bytes.prefix(count)) }
            try await wait(after: errno, DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Socket.queue))
        }
    }

    /// - Throws: `Failure` if the other side has hung up.
    func write(_ text: String) async throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try await wait(
                    after: errno, DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Socket.queue))
            }
        }
    }

    /// A task that reads gets the bytes that have already arrived, and then the end.
    func stopReading() { shutdown(descriptor, Int32(SHUT_RD)) }

    /// The other side gets the end when it reads, and an error when it writes.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func wait(after number: Int32, _ source: @autoclosure () -> any DispatchSourceProtocol) async throws {
        switch number {
        case EINTR: return
        case EAGAIN: await fires(source())
        default: throw Failure(number: number)
        }
    }

    /// Returns when the source has fired and no longer watches the socket.
    private func fires(_ source: any DispatchSourceProtocol) async {
        await withCheckedContinuation { continuation in
            let fired = Box(source)
            source.setEventHandler { fired.value.cancel() }
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }
}

/// The lines that arrive on a connection.
struct Lines {
    let socket: Socket
    private var arrived: [UInt8] = []

    init(of socket: Socket) { self.socket = socket }

    /// The next line, without its end. nil at the end of the connection.
    mutating func next() async throws -> String? {
        while true {
            if let end = arrived.firstIndex(of: UInt8(ascii: "\n")) {
                defer { arrived.removeFirst(end + 1) }
                return String(decoding: arrived[..<end], as: UTF8.self)
            }
            let bytes = try await socket.read()
            if bytes.isEmpty { return nil }
            arrived += bytes
        }
    }
}
