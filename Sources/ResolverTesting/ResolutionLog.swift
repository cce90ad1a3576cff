import Resolver

/// What is asked for in a test, for the test to wait for.
///
///     @Test(.resolver(.logged))
///     func theReceiptIsMailed() async throws {
///         let log = try #require(ResolutionLog.current)
///         Shop().closeInTheBackground()
///         await log.next { $0.type == Mail.self }
///     }
///
/// It tells what the tasks of the test ask of any resolver, by any spelling but `existing`, in the order in which they do; an
/// entry is made before the service is. Each entry is read once, so tasks that wait for different things at a time take them from
/// each other.
public final class ResolutionLog: Sendable {
    /// A service was asked for.
    public struct Entry: Sendable {
        /// By which type.
        public let type: Any.Type
        /// By which name.
        public let name: Resolver.Name?
        /// Where.
        public let callSite: Resolver.SourceLocation
        /// Whether anything is registered for it.
        public let isRegistered: Bool
    }

    @TaskLocal static var innermost: ResolutionLog?

    /// That of the running test, if it has the trait `.resolver(.logged)`.
    public static var current: ResolutionLog? { innermost }

    private struct State {
        /// What has not been read yet, in order.
        var unread: [Entry] = []
        /// Who waits for the next entry, in order. There is nothing unread then.
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

    /// The test is over: no call waits any longer.
    func end() {
        let readers = state.withLock { state in
            state.hasEnded = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.continuation.resume(throwing: CancellationError()) }
    }

    /// Waits for an entry, and reads all up to it.
    ///
    /// - Returns: nil if the task is cancelled meanwhile, which leaves what comes to others; or if the test ends.
    @discardableResult
    nonisolated(nonsending) public func next(where isMeant: (Entry) -> Bool = { _ in true }) async -> Entry? {
        while let entry = try? await read() {
            if isMeant(entry) { return entry }
        }
        return nil
    }

    /// - Throws: `CancellationError` if the task is cancelled, or the test ends, before there is an entry for it.
    nonisolated(nonsending) private func read() async throws -> Entry {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Entry, any Error>? = state.withLock { state in
                    // Cancelled later, it is the handler that finds the reader.
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
