/// A kind of context that services can belong to: screen, session, request, or one of your own.
///
///     extension ScopeKind {
///         static let job = ScopeKind("job", rank: 15, binding: .execution)
///     }
public struct ScopeKind: Hashable, Sendable {
    /// Whom a scope of this kind is current for.
    public enum Binding: Hashable, Sendable {
        /// For the whole process: there is one at a time, set in one place and seen everywhere.
        case process
        /// For the task that set it, or the thread outside of tasks; inside `withScope`, also for child tasks.
        case execution
    }

    /// How it is printed.
    public let name: String
    /// How long it lives, compared with others: an instance that belongs to a higher rank is not given what belongs to a
    /// lower one.
    public let rank: Int
    /// Whom a scope of this kind is current for after `setCurrent`.
    public let binding: Binding
    /// A number that all equal kinds have, and that is quicker to compare.
    let number: Int

    /// A kind of your own. `request` has rank 10, `screen` 20, `session` 30.
    public init(_ name: String, rank: Int, binding: Binding) {
        self.name = name
        self.rank = rank
        self.binding = binding
        number = ScopeKind.known.withLock { known in
            let index = known.firstIndex { $0.name == name && $0.rank == rank && $0.binding == binding }
            if index == nil { known.append((name, rank, binding)) }
            return index ?? known.count - 1
        }
    }

    /// All that there are, by their numbers.
    private static let known = Guarded<[(name: String, rank: Int, binding: Binding)]>([])

    /// Whether name, rank and binding are equal.
    public static func == (lhs: ScopeKind, rhs: ScopeKind) -> Bool {
        lhs.number == rhs.number
    }

    /// Hashes all of them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }

    /// What is on the screen, for seconds or minutes.
    public static let screen = ScopeKind("screen", rank: 20, binding: .process)
    /// A user who has logged in, for minutes or hours.
    public static let session = ScopeKind("session", rank: 30, binding: .process)
    /// One request to a server, or another short piece of work.
    public static let request = ScopeKind("request", rank: 10, binding: .execution)

    /// The kinds that the library knows.
    public static let builtIn = [screen, session, request]
}

extension ScopeKind: CustomStringConvertible {
    public var description: String { name }
}
