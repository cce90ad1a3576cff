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
/// It records the requests of the test's tasks to any resolver, in order, except calls of `existing`. An entry is added before
/// the service is created. Each entry is read once, so tasks that wait at the same time get different entries.
public final class ResolutionLog: Sendable {
    /// A request for a service.
    public struct Entry: Sendable {
        /// The requested type.
        public let type: Any.Type
        /// The requested name.
        public let name: Resolver.Name?
        /// The source location of the call.
        public let callSite: Resolver.SourceLocation
        /// Whether the service is registered.
        public let isRegistered: Bool
    }

    @TaskLocal static var innermost: ResolutionLog?

    /// The log of the running test, if it has the trait `.resolver(.logged)`.
    public static var current: ResolutionLog? { innermost }

    private struct State {
        /// The entries that were not read yet, in order, after those that were.
        var unread: ArraySlice<Entry> = []
        /// The calls that wait for the next entry, in order. There are no unread entries then.
        var readers: [TaskLatch] = []
        /// The entries of readers that have not continued yet.
        var handedOut: [ObjectIdentifier: Entry] = [:]
        var hasEnded = false
    }

    private let state = Guarded(holding: State())

    init() {}

    func add(_ lookup: ResolutionEvent) {
        let entry = Entry(
            type: lookup.type, name: lookup.name, callSite: lookup.callSite!, isRegistered: lookup.registered != nil)
        let reader: TaskLatch? = state.withLock { state in
            guard !state.readers.isEmpty else {
                state.unread.append(entry)
                return nil
            }
            let reader = state.readers.removeFirst()
            state.handedOut[ObjectIdentifier(reader)] = entry
            return reader
        }
        reader?.open()
    }

    /// Ends the log with the test. No call waits any longer.
    func end() {
        let readers = state.withLock { state in
            state.hasEnded = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.open() }
    }

    /// Waits for a matching entry, and reads all entries up to it.
    ///
    /// - Returns: nil if the test ends, or if the task is cancelled, which leaves later entries unread.
    @discardableResult
    nonisolated(nonsending) public func next(where isMeant: (Entry) -> Bool = { _ in true }) async -> Entry? {
        while let entry = await read() {
            if isMeant(entry) { return entry }
        }
        return nil
    }

    /// Reads one entry, and waits for it if necessary. Calls get entries in the order in which they begin.
    ///
    /// - Returns: nil if the task is cancelled, or the test ends, before there is an entry.
    nonisolated(nonsending) private func read() async -> Entry? {
        if Task.isCancelled { return nil }
        let reader = TaskLatch()
        let unread: Entry? = state.withLock { state in
            if let entry = state.unread.popFirst() { return entry }
            if state.hasEnded { reader.open() } else { state.readers.append(reader) }
            return nil
        }
        if let unread { return unread }
        try? await withTaskCancellationHandler {
            try await reader.wait()
        } onCancel: {
            // Removed before the task continues, so that this reader gets no later entry.
            state.withLock { $0.readers.removeAll { $0 === reader } }
        }
        return state.withLock { $0.handedOut.removeValue(forKey: ObjectIdentifier(reader)) }
    }
}
