/// What a registration is found by: the identity of a type, and a name or none.
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

    /// Spreads the type's address, whose low bits are always zero, over all 64 bits; a name stirs its own hash in.
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
