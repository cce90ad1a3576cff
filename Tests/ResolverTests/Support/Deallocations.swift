/// Counts deallocations. A creation task holds its instance for a moment after its callers have it, so a test that expects
/// all instances of creation tasks to be deallocated waits for the last.
final class Deallocations: Sendable {
    private let additions: AsyncStream<Void>
    private let addition: AsyncStream<Void>.Continuation
    private let total = Box(0)

    init() { (additions, addition) = AsyncStream.makeStream() }

    var count: Int { total.value }

    func add() {
        total.increment()
        addition.yield()
    }

    /// Returns when `count` deallocations have been added since the last wait.
    func wait(for count: Int) async {
        for await _ in additions.prefix(count) {}
    }
}
