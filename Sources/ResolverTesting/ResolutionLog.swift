import Resolver

/// A log of a test's requests for services, which the test can await.
///
///     @Test(.resolver(.logged))
///     func theReceiptIsMailed() async throws {
///         let log = try #require(ResolutionLog.current)
///         Shop().closeInTheBackground()
///         await log.next { $0.type == Mail.self }
///     }
///
/// It records the requests of the test's tasks to any resolver, except `existing`, in their order. An entry is added before
/// the service is made. Each entry is read once, so tasks that await different entries at once take them from each other.
public final class ResolutionLog: Sendable {
    /// A request for a service.
    public struct Entry: Sendable {
        /// The requested type.
        public let type: Any.Type
        /// The requested name.
        public let name: Resolver.Name?
        /// The place of the call.
        public let callSite: Resolver.SourceLocation
        /// Whether the service is registered.
        public let isRegistered: Bool
    }

    @TaskLocal static var innermost: ResolutionLog?

    /// The log of the running test, if it has the trait `.resolver(.logged)`.
    public static var current: ResolutionLog? { innermost }

    private struct State {
        /// The entries that were not read yet, in order.
        var unread: [Entry] = []
        /// The calls that wait for the next entry, in order. There are no unread entries then.
        var readers: [Reader] = []
        var lastNumber = 0
        var hasEnded = false
    }

    private struct Reader {
        let number: Int
        let continuation: CheckedContinuation<Entry, any Error>
    }

    private let state = Guarded(holding: State())

    init() {}

    func add(_ resolution: Resolution) {
        let entry = Entry(
            type: resolution.type, name: resolution.name, callSite: resolution.callSite,
            isRegistered: resolution.registered != nil)
        let reader: Reader? = state.withLock { state in
            if !state.readers.isEmpty { return state.readers.removeFirst() }
            state.unread.append(entry)
            return nil
        }
        reader?.continuation.resume(returning: entry)
    }

    /// Ends the log with the test. No call waits any longer.
    func end() {
        let readers = state.withLock { state in
            state.hasEnded = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.continuation.resume(throwing: CancellationError()) }
    }

    /// Waits for a matching entry, and reads all entries up to it.
    ///
    /// - Returns: nil if the test ends, or if the task is cancelled, which leaves later entries unread.
    @discardableResult
    nonisolated(nonsending) public func next(where isMeant: (Entry) -> Bool = { _ in true }) async -> Entry? {
        while let entry = try? await read() {
            if isMeant(entry) { return entry }
        }
        return nil
    }

    /// Reads one entry.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or the test ends, before there is an entry.
    nonisolated(nonsending) private func read() async throws -> Entry {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Entry, any Error>? = state.withLock { state in
                    // After this check, the cancellation handler finds the reader.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !state.unread.isEmpty { return .success(state.unread.removeFirst()) }
                    if state.hasEnded { return .failure(CancellationError()) }
                    state.readers.append(Reader(number: number, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let reader: Reader? = state.withLock { state in
                state.readers.firstIndex { $0.number == number }.map { state.readers.remove(at: $0) }
            }
            reader?.continuation.resume(throwing: CancellationError())
        }
    }
}
