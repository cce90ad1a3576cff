/// Opens once. Tasks that wait for it are suspended until then, cancelled or not.
final class SteadyGate: Sendable {
    /// nil once it is open.
    private let waiting = Box<[CheckedContinuation<Void, Never>]?>([])

    func open() {
        let waiting = waiting.update { waiting in
            defer { waiting = nil }
            return waiting
        }
        for continuation in waiting ?? [] { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = waiting.update { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isOpen { continuation.resume() }
        }
    }
}
