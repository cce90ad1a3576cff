/// A server over sockets. Its handlers run in tasks that threads of the system start: they inherit nothing from the task that
/// calls `run`, as in a framework with event loops.
final class Server: Sendable {
    private struct State {
        var isStopping = false
        var accepted = 0
        var connections: [Int: (socket: Socket, task: Task<Void, Never>)] = [:]
        var end: CheckedContinuation<Void, Never>?
    }

    private let listener: Listener, responder: any AsyncResponder
    private let state = Box(State()), refuses = Gate()

    var port: UInt16 { listener.port }

    init(_ responder: any AsyncResponder) throws {
        listener = try Listener()
        self.responder = responder
    }

    /// Returns when the server was told to stop and the last request is answered.
    func run() async throws {
        await listener.accept { self.serve($0) }
        refuses.open()
        await withCheckedContinuation { continuation in
            let isOver = state.update { state in
                if !state.connections.isEmpty { state.end = continuation }
                return state.connections.isEmpty
            }
            if isOver { continuation.resume() }
        }
    }

    /// Ends the connections that wait for a request. Requests that run go on. Returns when no client can connect any more.
    func stop() async {
        let sockets = state.update { state in
            state.isStopping = true
            return state.connections.values.map(\.socket)
        }
        listener.close()
        for socket in sockets { socket.stopReading() }
        await refuses.pass()
    }

    /// Stops, and cancels the tasks of the requests that run.
    func stopAtOnce() async {
        await stop()
        for task in state.value.connections.values.map(\.task) { task.cancel() }
    }

    private func serve(_ socket: Socket) {
        state.update { state in
            guard !state.isStopping else { return socket.close() }
            state.accepted += 1
            let number = state.accepted
            // The task ends under the same lock, after it has been added.
            let task = Task {
                await talk(over: socket)
                socket.close()
                finish(number)
            }
            state.connections[number] = (socket, task)
        }
    }

    private func finish(_ number: Int) {
        let end = state.update { state -> CheckedContinuation<Void, Never>? in
            state.connections[number] = nil
            guard state.connections.isEmpty else { return nil }
            defer { state.end = nil }
            return state.end
        }
        end?.resume()
    }

    /// Answers the requests of a connection, one after the other in one task.
    private func talk(over socket: Socket) async {
        var reader = MessageReader(socket)
        do {
            while let request = try await Request(from: &reader) {
                let response = try await responder.respond(to: request)
                let isLast = state.value.isStopping
                try await response.send(over: socket, isLast: isLast)
                if isLast { return }
            }
        } catch {
            // The client has hung up, or its body could not be written to the end. Closing the connection tells it.
        }
    }
}
