import Foundation

/// One end of a TCP connection that carries lines of text. Its calls block.
final class Line: Sendable {
    private let socket: Int32

    /// Takes over a connected socket.
    init(_ socket: Int32) {
        self.socket = socket
        // Writing to a closed connection throws an error instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Calls a port of this machine.
    convenience init(to port: UInt16) throws {
        try self.init(Loopback.makeSocket())
        try Loopback.withAddress(port) { try check(connect(socket, $0, $1)) }
    }

    deinit {
        close(socket)
    }

    func say(_ text: String) throws {
        var bytes = Array((text + "\n").utf8)[...]
        while !bytes.isEmpty {
            bytes = bytes.dropFirst(try check(bytes.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }))
        }
    }

    /// The next line, without its end, or nil if the other side has hung up.
    func listen() throws -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        // Lines are short: one byte at a time needs no buffer for what follows.
        while try check(read(socket, &byte, 1)) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Ends the connection, and wakes the readers on both sides.
    func hangUp() {
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
