/// The key of a registration: the identity of a type, and an optional name.
struct ServiceKey: Sendable {
    let type: ObjectIdentifier
    let name: Resolver.Name?

    @inline(__always)
    init(_ type: Any.Type, _ name: Resolver.Name?) {
        self.type = ObjectIdentifier(type)
        self.name = name
    }

    init(type: ObjectIdentifier, name: Resolver.Name?) {
        self.type = type
        self.name = name
    }

    /// The hash: spreads the type's address, whose low bits are always zero, over all 64 bits, and mixes in the name's hash.
    ///
    /// The steps after the mix can be undone, and only a name sets the lowest bit before them. Two keys with the same hash thus both
    /// have names, or they have no names and are of one type.
    @inline(__always)
    var hash: UInt64 {
        var bits = UInt64(UInt(bitPattern: type))
        if let name { bits ^= name.hash | 1 }
        bits = bits &* 0x9E37_79B9_7F4A_7C15
        return bits ^ (bits &>> 32)
    }
}

extension ServiceKey: Hashable {
    @inline(__always)
    static func == (lhs: ServiceKey, rhs: ServiceKey) -> Bool {
        lhs.type == rhs.type && lhs.name == rhs.name
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(name)
    }
}
