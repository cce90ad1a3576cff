/// An argument whose hash runs code of the test: after a call has found its registration, and before the scope is asked.
struct CallingArgument: Hashable, Sendable {
    let call: @Sendable () -> Void

    static func == (left: CallingArgument, right: CallingArgument) -> Bool { true }
    func hash(into hasher: inout Hasher) { call() }
}
