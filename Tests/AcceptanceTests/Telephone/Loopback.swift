import Foundation

/// TCP sockets that are heard on this machine alone.
enum Loopback {
    static func makeSocket() throws -> Int32 {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        return try check(socket(AF_INET, stream, 0))
    }

    /// Hands `body` the address of a port, as the system wants it.
    @discardableResult
    static func withAddress<Result>(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return try withUnsafeBytes(of: &address) { bytes in
            try bytes.withMemoryRebound(to: sockaddr.self) { try body($0.baseAddress!, socklen_t(bytes.count)) }
        }
    }

    /// The port that a socket is bound to.
    static func port(of socket: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutableBytes(of: &address) { bytes in
            _ = try bytes.withMemoryRebound(to: sockaddr.self) { try check(getsockname(socket, $0.baseAddress, &size)) }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// What a function of the system returned.
///
/// - Throws: `POSIXError` if that says that it failed.
@discardableResult
func check<Count: SignedInteger>(_ returned: Count) throws -> Count {
    guard returned >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return returned
}
