/// What several threads do with containers at the same time.
struct History: Sendable {
    /// One call. Its number stands for it as a line in the source, so that an instance tells who registered it.
    enum Call: Sendable {
        case register(HistoryKind, isAsync: Bool)
        /// The first service is registered as a duty, too.
        case implement
        case ask(container: Int, HistoryKind, Door, argument: Int?)
        case askAsync(container: Int, HistoryKind)
        /// In a request of its own: registers the service for that alone, and asks for it.
        case inRequest(container: Int, HistoryKind)
        case reset(container: Int, ResetPart)
        case resetEverywhere

        /// Whether it has to do with one of the two services.
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
    /// Whether an instance is kept for each argument.
    let keepsForEachArgument: Bool
    /// What is done before the threads begin.
    let setup: [Call]
    let threads: [[Call]]
}

/// The services of histories: two classes, and what both stand for.
enum HistoryKind: String, Sendable {
    case first, second, duty
}

/// An instance: which call registered it, and which of its instances it is.
class HistoryItem: Duty, @unchecked Sendable {
    let registration: Int
    let number: Int

    required init(_ registration: Int, _ number: Int) {
        self.registration = registration
        self.number = number
    }
}

final class FirstItem: HistoryItem, @unchecked Sendable {}
final class SecondItem: HistoryItem, @unchecked Sendable {}

/// What a call has come to.
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

/// A call that was made, and when.
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
        // A call is one step only where it finds and keeps in one place. One that goes through a container in front, or through
        // an alias, finds first, and what it has found may be hidden or removed before it goes on.
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
