/// An argument whose hash and comparison run code of the test: after a call has found its registration, and before the
/// scope is asked. All hashes are equal, so that arguments are compared.
struct CallingArgument: Hashable, Sendable {
    var number = 0
    var onCompare: @Sendable () -> Void = {}
    var onHash: @Sendable () -> Void = {}

    static func == (left: CallingArgument, right: CallingArgument) -> Bool {
        left.onCompare()
        right.onCompare()
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { onHash() }
}
