extension Resolver {
    /// A name that distinguishes several registrations of one type.
    ///
    /// Names are exact: `"api"` and `"API"` are two names. A registration without a name is the unnamed registration. Two names are
    /// equal if their strings are equal, as Swift compares strings (canonical equivalence).
    public struct Name: ExpressibleByStringLiteral, Hashable, Sendable {
        /// The string of the name, as it was written.
        public let rawValue: String
        /// The hash of the string, computed once. Lookup by a stored name hashes no string.
        @usableFromInline let hash: UInt64

        /// Creates a name from a string.
        @inlinable
        public init(_ rawValue: String) {
            self.rawValue = rawValue
            self.hash = NameHash.of(rawValue)
        }

        /// Creates a name from a string literal.
        @inlinable
        public init(stringLiteral: String) {
            self.init(stringLiteral)
        }

        /// Returns a name for a string, or nil, the unnamed registration, for nil.
        public static func name(fromString string: String?) -> Name? {
            string.map { Name($0) }
        }

        /// Returns whether both names are the same string.
        @inlinable
        public static func == (lhs: Name, rhs: Name) -> Bool {
            lhs.hash == rhs.hash && lhs.rawValue == rhs.rawValue
        }

        /// Hashes the string.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(rawValue)
        }
    }
}

/// The hash of a name: equal for equal strings, and cheap, because a name written as a literal is hashed at every call.
///
/// Nearly all names are ASCII, where equal strings have equal bytes. The standard library's hash would first normalize the
/// string. Only three other characters are equal to an ASCII character (the kelvin sign to K, the Greek question mark to the
/// semicolon, the Greek varia to the grave accent), and Unicode guarantees that no more are added.
@usableFromInline
enum NameHash {
    @inlinable
    static func of(_ string: String) -> UInt64 {
        var string = string
        return string.withUTF8 { ofASCII($0) } ?? ofOther(string)
    }

    /// Returns the FNV-1a hash of the bytes, or nil if a byte is not ASCII.
    @inlinable
    static func ofASCII(_ bytes: some Sequence<UInt8>) -> UInt64? {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var all: UInt8 = 0
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            all |= byte
        }
        return all < 0x80 ? hash : nil
    }

    @usableFromInline
    static func ofOther(_ string: String) -> UInt64 {
        let letters = string.unicodeScalars.map { scalar -> UInt8 in
            switch scalar.value {
            case 0x212A: UInt8(ascii: "K")
            case 0x037E: UInt8(ascii: ";")
            case 0x1FEF: UInt8(ascii: "`")
            case let value: value < 0x80 ? UInt8(value) : 0xFF
            }
        }
        return ofASCII(letters) ?? UInt64(truncatingIfNeeded: string.hashValue)
    }
}
