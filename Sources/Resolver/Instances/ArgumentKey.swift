/// The arguments of a call as a key of instances. Two keys are equal if the arguments have equal types and values.
///
/// `@unchecked Sendable`: keys are compared on any thread, which `scopeOnArguments` requires of the arguments.
class ArgumentKey: @unchecked Sendable {
    /// The hash of the arguments, computed once, because `hash(into:)` is code of the user.
    let hash: Int

    fileprivate init(hash: Int) { self.hash = hash }

    fileprivate func isEqual(to other: ArgumentKey) -> Bool { false }

    /// Returns a key, or nil if the argument is not equal to itself, as a NaN is not.
    static func of<Argument: Hashable>(_ argument: Argument) -> ArgumentKey? {
        if Argument.self == AnyHashable.self { return of(any: argument) }
        return argument == argument ? TypedArgumentKey(argument) : nil
    }

    /// Returns a key, or nil if the argument is not `Hashable` or not equal to itself.
    ///
    /// A dictionary of arguments is hashable if all its values are, whatever its static type.
    static func of(any argument: Any) -> ArgumentKey? {
        if type(of: argument) == AnyHashable.self, let hashable = argument as? AnyHashable {
            return of(any: hashable.base)
        }
        if let keyed = argument as? [String: Any?] {
            let keys = keyed.compactMapValues { value in value.map(of(any:)) ?? of(Nothing()) }
            return keys.count == keyed.count ? of(keys) : nil
        }
        return (argument as? any Hashable).flatMap { of($0) }
    }

    /// The key of a dictionary argument that is nil.
    private struct Nothing: Hashable {}
}

extension ArgumentKey: Hashable {
    static func == (lhs: ArgumentKey, rhs: ArgumentKey) -> Bool { lhs.isEqual(to: rhs) }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

private final class TypedArgumentKey<Argument: Hashable>: ArgumentKey, @unchecked Sendable {
    private let argument: Argument

    init(_ argument: Argument) {
        self.argument = argument
        super.init(hash: argument.hashValue)
    }

    override func isEqual(to other: ArgumentKey) -> Bool {
        // A copy of an optional argument would take several times as long as the comparison.
        guard let other = other as? TypedArgumentKey<Argument> else { return false }
        return other.argument == argument
    }
}
