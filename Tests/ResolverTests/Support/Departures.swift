/// Who has gone. What a flight has made it holds itself for a moment after it has landed, so somebody who asks for all that
/// were made in flights has to wait for the last.
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
