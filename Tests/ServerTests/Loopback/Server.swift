import Dispatch

/// A server over sockets. Its handlers run in tasks that threads of the system start: they inherit nothing from the task that
/// calls `run` or `connect`, as in a framework with event loops.
final class Server: Sendable {
    private struct State {
        var isStopping = false
        var connections: [ObjectIdentifier: (socket: Socket, task: Task<Void, Never>)] = [:]
    }

    private let responder: any AsyncResponder
    private let state = Box(State()), isRunning = Gate(), isStopping = Gate()

    init(_ responder: any AsyncResponder) { self.responder = responder }

    /// Returns when the server was told to stop and the last request is answered.
    func run() async throws {
        isRunning.open()
        await isStopping.pass()
        for connection in state.value.connections.values { await connection.task.value }
    }

    /// Returns the client's end of a connection, which ends at once if the server was told to stop.
    func connect() throws -> Socket {
        let (ours, theirs) = try Socket.pair()
        DispatchQueue.global().async { self.serve(ours) }
        return theirs
    }

    /// Ends the connections that wait for a request. Requests that run go on.
    func stop() {
        let sockets = state.update { state in
            state.isStopping = true
            return state.connections.values.map(\.socket)
        }
        for socket in sockets { socket.stopReading() }
        isStopping.open()
    }

    /// Stops, and cancels the tasks of the requests that run.
    func stopAtOnce() {
        stop()
        for connection in state.value.connections.values { connection.task.cancel() }
    }

    private func serve(_ socket: Socket) {
        state.update { state in
            guard !state.isStopping else { return }
            let number = ObjectIdentifier(socket)
            // The task ends under the same lock, after it has been added.
            let task = Task {
                await isRunning.pass()
                await talk(over: socket)
                socket.hangUp()
                self.state.update { $0.connections[number] = nil }
            }
            state.connections[number] = (socket, task)
        }
    }

    /// Answers the requests of a connection, one after the other in one task.
    private func talk(over socket: Socket) async {
        var lines = socket.lines.makeAsyncIterator()
        do {
            while let request = await Request(from: &lines) {
                let response = try await responder.respond(to: request)
                let isLast = state.value.isStopping
                try await response.send(over: socket, isLast: isLast)
                if isLast { return }
            }
        } catch {
            // The client has hung up, or its rows could not be written to the end. The end of the connection tells it.
        }
    }
}
