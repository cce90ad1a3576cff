import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A TCP connection on the loopback interface. A task that waits for it is suspended and blocks no thread.
final class Socket: Sendable {
    struct Failure: Error { let number: Int32 }

    private let descriptor: Int32
    private let isClosed = Box(false)
    private static let queue = DispatchQueue(label: "sockets")

    /// - Parameter descriptor: a nonblocking socket.
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a server.
    ///
    /// - Throws: `Failure` with `ECONNREFUSED` if none listens.
    convenience init(connectingTo port: UInt16) async throws {
        self.init(try Loopback.makeSocket())
        do {
            guard Loopback.withAddress(port, { connect(descriptor, $0, $1) }) != 0 else { return }
            guard errno == EINPROGRESS else { throw Failure(number: errno) }
            await fires(DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Socket.queue))
            var number: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
            guard number == 0 else { throw Failure(number: number) }
        } catch {
            close()
            throw error
        }
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
    func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
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
    func stopReading() {
        isClosed.update { isClosed in
            if !isClosed { shutdown(descriptor, Int32(SHUT_RD)) }
        }
    }

    func close() {
        isClosed.update { isClosed in
            if !isClosed { Loopback.close(descriptor) }
            isClosed = true
        }
    }

    /// Closes the connection so that the other side gets an error, even if it only writes.
    func hangUp() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close()
    }

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

/// Accepts connections on a free port.
final class Listener: Sendable {
    let port: UInt16

    private let descriptor: Int32, source: Box<any DispatchSourceProtocol>

    init() throws {
        let descriptor = try Loopback.makeSocket()
        guard Loopback.withAddress(0, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, SOMAXCONN) == 0
        else { throw Socket.Failure(number: errno) }
        self.descriptor = descriptor
        port = try Loopback.port(of: descriptor)
        source = Box(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "accept")))
    }

    /// Calls `body` on a thread that belongs to no task, for each connection. Returns when the listener has closed.
    func accept(_ body: @escaping @Sendable (Socket) -> Void) async {
        await withCheckedContinuation { continuation in
            let source = source.value
            source.setEventHandler { [descriptor] in
                while case let accepted = Loopback.accept(descriptor), accepted >= 0 { body(Socket(accepted)) }
            }
            source.setCancelHandler { [descriptor] in
                Loopback.close(descriptor)
                continuation.resume()
            }
            source.activate()
        }
    }

    /// Refuses further connections.
    func close() { source.value.cancel() }
}

/// The differences between systems, and functions whose names the types above use otherwise.
private enum Loopback {
    static func makeSocket() throws -> Int32 {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        return try prepared(socket(AF_INET, stream, 0))
    }

    static func accept(_ listener: Int32) -> Int32 {
        #if canImport(Darwin)
            let accepted = Darwin.accept(listener, nil, nil)
        #elseif canImport(Glibc)
            let accepted = Glibc.accept(listener, nil, nil)
        #else
            let accepted = Musl.accept(listener, nil, nil)
        #endif
        return accepted < 0 ? accepted : (try? prepared(accepted)) ?? -1
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Musl.close(descriptor)
        #endif
    }

    /// Makes a socket nonblocking.
    private static func prepared(_ descriptor: Int32) throws -> Int32 {
        guard descriptor >= 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw Socket.Failure(number: errno) }
        return descriptor
    }

    static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    static func port(of descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0 else { throw Socket.Failure(number: errno) }
        return UInt16(bigEndian: address.sin_port)
    }
}
