/// Counts the instances that are released. A creation task holds its instance for a moment after it has finished, so a test
/// that counts the instances of creation tasks has to wait for the last release.
final class Departures: Sendable {
    private let departed: AsyncStream<Void>
    private let departure: AsyncStream<Void>.Continuation
    private let total = Box(0)

    init() {
        (departed, departure) = AsyncStream.makeStream()
    }

    var count: Int { total.value }

    func add() {
        total.increment()
        departure.yield()
    }

    /// Returns when `count` have gone since the wait before.
    func wait(for count: Int) async {
        for await _ in departed.prefix(count) {}
    }
}
