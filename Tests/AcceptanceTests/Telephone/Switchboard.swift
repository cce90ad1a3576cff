import Foundation

/// Where calls come in, at a port that the system chooses. Until it is opened, they are refused.
final class Switchboard: Sendable {
    let port: UInt16
    private let socket: Int32

    init() throws {
        socket = try Loopback.makeSocket()
        try Loopback.withAddress(0) { [socket] in try check(bind(socket, $0, $1)) }
        port = try Loopback.port(of: socket)
    }

    deinit {
        close(socket)
    }

    func open() throws {
        try check(listen(socket, 16))
    }

    /// Blocks until a call arrives.
    func nextCall() throws -> Line {
        try Line(check(accept(socket, nil, nil)))
    }
}
