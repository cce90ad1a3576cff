/// Held by what belongs to a request, to see that it is released.
final class Presence: Sendable {
    static let alive = Box(0)
    /// Those whose release is awaited.
    static let leaving = Box(Rendezvous(0))

    init() { Presence.alive.increment() }

    deinit {
        Presence.alive.update { $0 -= 1 }
        Presence.leaving.value.arrive()
    }
}
