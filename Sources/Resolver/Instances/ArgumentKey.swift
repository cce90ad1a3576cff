/// The arguments of a call as something that instances can be kept by: equal in type and value, never by a hash alone.
///
/// `@unchecked Sendable`: it is compared on whatever thread asks, which is what `scopeOnArguments` says of arguments.
class ArgumentKey: @unchecked Sendable {
    /// Worked out once: it is code of the user.
    let hash: Int

    fileprivate init(hash: Int) {
        self.hash = hash
    }

    fileprivate func isEqual(to other: ArgumentKey) -> Bool { false }

    /// nil if the argument is not equal to itself, as a NaN is not.
    static func of(_ argument: some Hashable) -> ArgumentKey? {
        argument == argument ? TypedArgumentKey(argument) : nil
    }

    /// nil also if `argument` is not `Hashable`. Keyed arguments are if all of them are, whatever type of dictionary they
    /// came in.
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

    /// What a keyed argument that is nil is kept by.
    private struct Nothing: Hashable {}
}

extension ArgumentKey: Hashable {
    static func == (lhs: ArgumentKey, rhs: ArgumentKey) -> Bool {
        lhs.isEqual(to: rhs)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

private final class TypedArgumentKey<Argument: Hashable>: ArgumentKey, @unchecked Sendable {
    private let argument: Argument

    init(_ argument: Argument) {
        self.argument = argument
        super.init(hash: argument.hashValue)
    }

    override func isEqual(to other: ArgumentKey) -> Bool {
        (other as? TypedArgumentKey<Argument>)?.argument == argument
    }
}
