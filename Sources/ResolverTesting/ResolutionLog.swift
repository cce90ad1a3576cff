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
/// entry is made before the service is. Entries are read once, by one task at a time.
public final class ResolutionLog: Sendable {
    /// A service was asked for.
    public struct Entry: Sendable {
        /// By which type.
        public let type: Any.Type
        /// By which name.
        public let name: Resolver.Name?
        /// Where.
        public let callSite: SourceLocation
        /// Whether anything is registered for it.
        public let isRegistered: Bool
    }

    @TaskLocal static var innermost: ResolutionLog?

    /// That of the running test, if it has the trait `.resolver(.logged)`.
    public static var current: ResolutionLog? { innermost }

    /// The entries that nobody has read yet, and those to come.
    public let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation

    init() {
        (entries, continuation) = AsyncStream.makeStream()
    }

    func add(_ resolution: Resolution) {
        continuation.yield(
            Entry(
                type: resolution.type, name: resolution.name, callSite: resolution.callSite,
                isRegistered: resolution.registered != nil))
    }

    /// Waits for an entry, and reads all up to it.
    ///
    /// - Returns: nil if the task is cancelled meanwhile.
    @discardableResult
    public func next(where isMeant: (Entry) -> Bool = { _ in true }) async -> Entry? {
        for await entry in entries where isMeant(entry) { return entry }
        return nil
    }
}
