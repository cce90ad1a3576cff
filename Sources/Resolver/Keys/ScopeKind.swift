/// A kind of scope that services can belong to: screen, session, request, or a custom kind.
///
///     extension ScopeKind {
///         static let job = ScopeKind("job", rank: 15, binding: .execution)
///     }
public struct ScopeKind: Hashable, Sendable {
    /// The code for which a scope of this kind is current.
    public enum Binding: Hashable, Sendable {
        /// The whole process. One scope is current at a time, for all code.
        case process
        /// The task that set the scope, or the thread outside of tasks. Inside `withScope`, also child tasks.
        case execution
    }

    /// The name of the kind, used in descriptions.
    public let name: String
    /// The lifetime of the kind relative to others. An instance of a higher rank cannot capture an instance of a lower rank.
    public let rank: Int
    /// The code for which a scope of this kind is current after `setCurrent`.
    public let binding: Binding
    /// A number shared by equal kinds, which makes comparison fast.
    let number: Int

    /// Creates a kind of scope.
    ///
    /// The rank of `request` is 10, of `screen` 20, and of `session` 30. `Int.max`, the rank of singletons, counts as one less, and
    /// `Int.min` as one more.
    @inline(never)
    public init(_ name: String, rank: Int, binding: Binding) {
        // For `CaptiveDependencyGuard`, the lowest rank means that nothing is hidden.
        let rank = max(.min + 1, min(rank, .max - 1))
        self.name = name
        self.rank = rank
        self.binding = binding
        number = ScopeKind.known.withLock { known in
            let index = known.firstIndex { $0.name == name && $0.rank == rank && $0.binding == binding }
            if index == nil { known.append((name, rank, binding)) }
            return index ?? known.count - 1
        }
    }

    /// All kinds, indexed by their numbers.
    private static let known = Guarded<[(name: String, rank: Int, binding: Binding)]>([])

    /// Returns whether name, rank and binding are equal.
    public static func == (lhs: ScopeKind, rhs: ScopeKind) -> Bool { lhs.number == rhs.number }

    /// Hashes the number, which stands for name, rank and binding.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// A screen, open for seconds or minutes.
    public static let screen = ScopeKind("screen", rank: 20, binding: .process)
    /// The session of a logged-in user, open for minutes or hours.
    public static let session = ScopeKind("session", rank: 30, binding: .process)
    /// A request to a server, or another short unit of work.
    public static let request = ScopeKind("request", rank: 10, binding: .execution)

    /// The kinds that the library defines.
    public static let builtIn = [screen, session, request]
}

extension ScopeKind: CustomStringConvertible {
    public var description: String { name }

    /// The constant of the kind, as a message writes it; nil if the name is not an identifier. The constant usually has the name of the
    /// kind.
    private var constant: String? {
        let isIdentifier = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && name.first?.isNumber == false
        return isIdentifier ? ".\(name)" : nil
    }

    /// The modifier for a service of the kind, as a message advises it.
    package var modifier: String { constant.map { ".scoped(to: \($0))" } ?? ".scoped(to:) and the kind '\(name)'" }

    /// The block that opens a scope of the kind, as a message advises it.
    var block: String {
        constant.map { "Resolver.withScope(\($0), id: …) { … }" } ?? "Resolver.withScope with the kind '\(name)'"
    }
}
