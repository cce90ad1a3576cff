import Resolver

/// An instance of a trial's service, with the number of its registration.
final class Product: Role, Sendable {
    let registration: Int, number: Int
    private let ledger: ProductLedger

    init(_ registration: Int, _ ledger: ProductLedger) {
        (self.registration, self.ledger, number) = (registration, ledger, ledger.open())
    }

    deinit {
        ledger.close()
        ledger.interruption.reach(.deinitializer)
    }
}

/// The creations and releases of one trial's products.
final class ProductLedger: Sendable {
    private struct State {
        var made = 0
        var alive = 0
        var released: [Int: Int] = [:]
        var kept: Set<Int> = []
    }

    let interruption = Interruption()
    private let state = Box(State())

    fileprivate func open() -> Int {
        state.update { state in
            state.made += 1
            state.alive += 1
            return state.made
        }
    }

    fileprivate func close() { state.update { $0.alive -= 1 } }

    func release(_ product: Product) { state.update { $0.released[product.number, default: 0] += 1 } }

    func note(kept product: Product) { state.update { _ = $0.kept.insert(product.number) } }

    var alive: Int { state.value.alive }

    /// The failure after all owners were released, or nil.
    var failure: String? {
        let state = state.value
        if state.alive != 0 { return "\(state.alive) products were not released" }
        if let twice = state.released.values.first(where: { $0 > 1 }) { return "a hook ran \(twice) times" }
        let missing = state.kept.filter { state.released[$0] == nil }.count
        return missing == 0 ? nil : "\(missing) hooks did not run"
    }
}

/// Runs a closure in one callback, once.
final class Interruption: Sendable {
    private struct State {
        var callback: Trial.Callback?
        /// The number of passes before the closure runs.
        var passes = 0
        var act: (@Sendable () -> Void)?
    }

    private let state = Box(State())

    func arm(_ callback: Trial.Callback, _ act: @escaping @Sendable () -> Void) {
        let isSecond = callback == .secondClock
        state.set(State(callback: isSecond ? .clock : callback, passes: isSecond ? 1 : 0, act: act))
    }

    /// - Returns: whether the callback was reached.
    @discardableResult func disarm() -> Bool { state.exchange(State()).act == nil }

    func reach(_ callback: Trial.Callback) {
        let act: (@Sendable () -> Void)? = state.update { state in
            guard state.callback == callback else { return nil }
            if state.passes > 0 {
                state.passes -= 1
                return nil
            }
            defer { state = State() }
            return state.act
        }
        act?()
    }
}
