/// Held by what belongs to a request, to see that it goes: counts those that have come, and those that have gone.
final class Presence: Sendable {
    static let come = Tally(), gone = Tally()

    init() { Presence.come.add() }

    deinit { Presence.gone.add() }
}
