extension Resolver {
    /// Tells several registrations of one type apart.
    ///
    /// Names are exact: `"api"` and `"API"` are two names, and no name is the unnamed registration. Two names are equal
    /// when their strings are, as Swift compares strings (canonical equivalence).
    public struct Name: ExpressibleByStringLiteral, Hashable, Sendable {
        /// The name as it was written.
        public let rawValue: String
        /// Computed once, so that a lookup by a stored name hashes no string.
        @usableFromInline let hash: UInt64

        /// Makes a name from a string.
        @_alwaysEmitIntoClient
        public init(_ rawValue: String) {
            self.rawValue = rawValue
            self.hash = NameHash.of(rawValue)
        }

        /// Makes a name from a string literal.
        @_alwaysEmitIntoClient
        public init(stringLiteral: String) {
            self.init(stringLiteral)
        }

        /// Makes a name from a string that may be missing; no string is no name, the unnamed registration.
        public static func name(fromString string: String?) -> Name? {
            string.map { Name($0) }
        }

        /// Whether both names are the same string.
        @_alwaysEmitIntoClient
        public static func == (lhs: Name, rhs: Name) -> Bool {
            lhs.hash == rhs.hash && lhs.rawValue == rhs.rawValue
        }

        /// Hashes the string.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(rawValue)
        }
    }
}
