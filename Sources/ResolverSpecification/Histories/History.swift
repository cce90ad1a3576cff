import ConcurrencySupport

/// The calls that several threads make to containers at the same time.
struct History: Sendable {
    /// One call. Its number is the source line of its registration, so an instance shows which call registered it.
    enum Call: Sendable {
        case register(HistoryKind, isAsync: Bool)
        /// Registers the first service as a duty too.
        case implement
        case ask(container: Int, HistoryKind, SyncFunction, argument: Int?)
        case askAsync(container: Int, HistoryKind)
        /// Opens a request, registers the service for it alone, and resolves it.
        case inRequest(container: Int, HistoryKind)
        case reset(container: Int, ResetPart)
        case resetEverywhere

        /// Whether the call affects one of the two services.
        func concerns(_ service: HistoryKind) -> Bool {
            switch self {
            case .register(let kind, _), .ask(_, let kind, _, _), .askAsync(_, let kind), .inRequest(_, let kind):
                (kind == .second) == (service == .second)
            case .implement: service == .first
            case .reset, .resetEverywhere: true
            }
        }
    }

    let lifetime: Lifetime
    /// Whether one instance is kept for each argument.
    let keepsForEachArgument: Bool
    /// The calls before the threads begin.
    let setup: [Call]
    let threads: [[Call]]

    /// Whether services are created in tasks, which may hold an instance a moment longer than its callers.
    var hasTasks: Bool {
        (setup + threads.joined()).contains { call in
            if case .register(_, isAsync: true) = call { return true }
            return false
        }
    }
}

/// The services of histories: two classes and their common protocol.
enum HistoryKind: String, Sendable {
    case first, second, duty
}

/// An instance: the call that registered it, and its number among the instances of that registration.
class HistoryItem: Duty, @unchecked Sendable {
    let registration: Int
    let number: Int
    /// How many instances there are in the history.
    private let alive: Box<Int>

    required init(_ registration: Int, _ number: Int, _ alive: Box<Int>) {
        (self.registration, self.number, self.alive) = (registration, number, alive)
        alive.increment()
    }

    deinit { alive.increment(by: -1) }
}

final class FirstItem: HistoryItem, @unchecked Sendable {}
final class SecondItem: HistoryItem, @unchecked Sendable {}

/// The result of a call.
enum Outcome: Hashable, Sendable, CustomStringConvertible {
    case instance(registration: Int, number: Int)
    case nothing
    case failed(String)
    case done

    var description: String {
        switch self {
        case .instance(let registration, let number): "instance \(number) of \(registration)"
        case .nothing: "nil"
        case .failed(let code): code
        case .done: "done"
        }
    }
}

/// A call that was made, with its times.
struct Observation: Sendable, CustomStringConvertible {
    let call: History.Call
    /// The number of the call in the whole history.
    let number: Int
    let thread: Int
    let began: Int
    let ended: Int
    let outcome: Outcome

    var description: String { "\(began)-\(ended) thread \(thread), \(number): \(call) -> \(outcome)" }
}

extension History {
    /// - Parameter hasAsync: whether some services are made asynchronously.
    init(seed: UInt64, hasAsync: Bool) {
        var random = RandomNumbers(seed: seed)
        lifetime = random.any([.cached, .application, .container, .custom, .shared, .cached, .unique])
        keepsForEachArgument = random.once(in: 4)
        let kinds: [HistoryKind] = [.first, .second]
        let areAsync = random.once(in: 3) && hasAsync
        var setup: [Call] = kinds.flatMap { kind -> [Call] in
            random.once(in: 6) ? [] : [.register(kind, isAsync: areAsync && random.once(in: 2))]
        }
        if random.once(in: 2) { setup.append(.implement) }
        self.setup = setup
        // A call is one atomic step only if it finds and keeps in one place. A call through a container above, or through an
        // alias, finds a registration first, which may be hidden or removed before the call continues.
        let hasRemovals = random.once(in: 2)
        let parts: [ResetPart] = hasRemovals ? [.scopes, .registrations, .all] : [.scopes]
        let count = 2 + random.below(2)
        threads = (0..<count).map { _ in
            (0..<(2 + random.below(3))).map { _ in
                let container = random.once(in: 3) ? random.below(3) : 0
                let kind: HistoryKind = !hasRemovals && random.once(in: 4) ? .duty : random.any(kinds)
                switch random.below(12) {
                case 0, 1: return .register(random.any(kinds), isAsync: areAsync && random.once(in: 2))
                case 2: return .reset(container: container, random.any(parts))
                case 3: return .resetEverywhere
                case 4: return .inRequest(container: container, random.any(kinds))
                case 5 where areAsync, 6 where areAsync: return .askAsync(container: container, kind)
                case 7: return .ask(container: container, kind, .existing, argument: nil)
                default:
                    let argument = random.once(in: 3) ? random.below(2) : nil
                    return .ask(container: container, kind, .tryResolve, argument: argument)
                }
            }
        }
    }
}
