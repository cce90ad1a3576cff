/// The key of a registration: the identities of two types, and an optional name.
package struct ServiceKey: Sendable {
    /// The type by which the service is registered and requested.
    let type: ObjectIdentifier
    /// The type of the service in the source. It differs from `type` where the value that was passed is a type known at run time.
    let service: ObjectIdentifier
    let name: Resolver.Name?

    @inline(__always)
    package init<Service>(_ type: Service.Type, _ name: Resolver.Name?) { self.init(type, as: Service.self, name) }

    @inline(__always)
    package init(_ type: Any.Type, as service: Any.Type, _ name: Resolver.Name?) {
        self.init(type: ObjectIdentifier(type), service: ObjectIdentifier(service), name: name)
    }

    init(type: ObjectIdentifier, service: ObjectIdentifier, name: Resolver.Name?) {
        self.type = type
        self.service = service
        self.name = name
    }

    /// Whether `type` is the type of the service in the source.
    @inline(__always)
    var isOfOwnType: Bool { type == service }

    /// The hash. It mixes the name and the second type, if any, into the type's address, and spreads the result over all 64 bits.
    ///
    /// The steps after the mix can be undone. Before them, only a name or a second type sets the lowest bit, which is zero in an address.
    /// Two keys with the same hash are thus equal if one of them has only its own type.
    @inline(__always)
    var hash: UInt64 {
        var bits = UInt64(UInt(bitPattern: type))
        if let name { bits = (bits ^ name.hash) | 1 }
        if !isOfOwnType { bits = (bits ^ UInt64(UInt(bitPattern: service)) &<< 1) | 1 }
        bits = bits &* 0x9E37_79B9_7F4A_7C15
        return bits ^ (bits &>> 32)
    }
}

extension ServiceKey: Hashable {
    @inline(__always)
    package static func == (lhs: ServiceKey, rhs: ServiceKey) -> Bool {
        lhs.type == rhs.type && lhs.service == rhs.service && lhs.name == rhs.name
    }
}

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
        public init(stringLiteral: String) { self.init(stringLiteral) }

        /// Returns a name for a string, or nil, the unnamed registration, for nil.
        public static func name(fromString string: String?) -> Name? { string.map { Name($0) } }

        /// Returns whether both names are the same string.
        @inlinable
        public static func == (lhs: Name, rhs: Name) -> Bool { lhs.hash == rhs.hash && lhs.rawValue == rhs.rawValue }

        /// Hashes the string.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }
}

/// The hash of a name: equal for equal strings, and cheap. The compiler computes that of a literal of up to 15 ASCII characters.
///
/// Nearly all names are ASCII, where equal strings have equal bytes. The standard library's hash would first normalize the
/// string. Only three other characters are equal to an ASCII character (the kelvin sign to K, the Greek question mark to the
/// semicolon, the Greek varia to the grave accent), and Unicode guarantees that no more are added.
@usableFromInline
enum NameHash {
    @inlinable @inline(__always)
    static func of(_ string: String) -> UInt64 { string.smallWords.map(ofSmall) ?? ofStored(string) }

    /// Returns the hash of up to 15 ASCII characters, stored as in `smallWords`.
    @inlinable @inline(__always)
    static func ofSmall(_ words: (UInt64, UInt64)) -> UInt64 {
        let bits = (words.0 &* 0x9E37_79B9_7F4A_7C15) ^ (words.1 &* 0xC2B2_AE3D_27D4_EB4F)
        return bits ^ (bits &>> 32)
    }

    /// Returns the hash of a string that is stored elsewhere. It may be short, too.
    @usableFromInline
    static func ofStored(_ string: String) -> UInt64 {
        var string = string
        return string.withUTF8 { ofASCII($0) } ?? ofOther(string)
    }

    /// Returns the hash of the bytes, or nil if a byte is not ASCII.
    private static func ofASCII(_ bytes: some Collection<UInt8>) -> UInt64? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard bytes.count < 16 else {
            return bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 &<< 8 | UInt64($1) } }
        return ofSmall((word(bytes.prefix(8)), word(bytes.dropFirst(8)) | UInt64(0xE0 | bytes.count) &<< 56))
    }

    private static func ofOther(_ string: String) -> UInt64 {
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
