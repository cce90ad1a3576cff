import CResolverSupport

/// What the runtime's description of a type says. Its layout is part of Swift's stable ABI.
enum TypeMetadata {
    /// The identity of a type that was made a number; nil for zero.
    static func identifier(_ number: Int) -> ObjectIdentifier? {
        UnsafeRawPointer(bitPattern: number).map { unsafeBitCast($0, to: ObjectIdentifier.self) }
    }

    /// The first word.
    @inline(__always)
    private static func kind(of type: Any.Type) -> UInt {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    }

    /// Whether values of the type are objects.
    ///
    /// The first word is the kind: zero for a class; a pointer, and so larger than any kind, for a class that
    /// Objective-C knows as well; 0x203 for a class of Core Foundation, and 0x305 for one that Objective-C alone has
    /// compiled. `type is AnyClass` says the same at ten times the cost.
    @inline(__always)
    static func isClass(_ type: Any.Type) -> Bool {
        let kind = kind(of: type)
        return kind == 0 || kind > 0x7FF || kind == 0x203 || kind == 0x305
    }

    /// Whether what lies at an address is an object behind an existential; nil where only its value can tell.
    ///
    /// An existential of protocols for classes (bit 31 of the flags is not set) is an object whatever it is; others are
    /// three words for the value, then the value's type. `any Error` (bits 24 to 29) has a form of its own. Structures,
    /// enumerations, optionals, tuples and functions are no objects.
    @inline(__always)
    static func isObject(at address: UnsafeRawPointer, of type: Any.Type) -> Bool? {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let word = MemoryLayout<UInt>.size
        switch metadata.load(as: UInt.self) {
        case 0x303: break
        case 0x200...0x202, 0x301, 0x302: return false
        default: return nil
        }
        let flags = metadata.load(fromByteOffset: word, as: UInt32.self)
        if flags & 1 << 31 == 0 { return true }
        if flags & 0x3F << 24 != 0 { return nil }
        return isClass(
            unsafeBitCast(address.load(fromByteOffset: 3 * word, as: UnsafeRawPointer.self), to: Any.Type.self))
    }

    /// Whether the type is an optional.
    static func isOptional(_ type: Any.Type) -> Bool {
        kind(of: type) == 0x202
    }

    /// Whether the type is a tuple.
    static func isTuple(_ type: Any.Type) -> Bool {
        kind(of: type) == 0x301
    }

    /// Whether the type is an existential of `Error`, which holds a box where others hold the object.
    static func isError(_ type: Any.Type) -> Bool {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == 0x303 else { return false }
        return metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self) & 0x3F << 24 != 0
    }

    /// The descriptors of an existential type's protocols; nil for any other type, and where there is a superclass or an
    /// Objective-C protocol among them.
    ///
    /// A word with the kind (0x303), 32 bits of flags (bit 30: a superclass follows), 32 bits with the number of
    /// protocols, then their descriptors; the low bit of one marks an Objective-C protocol.
    static func protocols(of type: Any.Type) -> [UnsafeRawPointer]? {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let word = MemoryLayout<UInt>.size
        guard metadata.load(as: UInt.self) == 0x303,
            metadata.load(fromByteOffset: word, as: UInt32.self) & 1 << 30 == 0
        else { return nil }
        let count = Int(metadata.load(fromByteOffset: word + 4, as: UInt32.self))
        let first = word + 8
        let protocols = (0..<count).map { metadata.load(fromByteOffset: first + $0 * word, as: UInt.self) }
        guard protocols.allSatisfy({ $0 & 1 == 0 }) else { return nil }
        return protocols.compactMap(UnsafeRawPointer.init(bitPattern:))
    }
}

/// Whether a type is a subtype of another, for types known only at run time. Used to write suggestions into messages.
enum Conformance {
    /// Whether `type` is a subclass of the class, or conforms to the protocols, that `other` is.
    static func holds(_ type: Any.Type, to other: Any.Type) -> Bool {
        if let subclass = type as? AnyClass, let ancestor = other as? AnyClass {
            return sequence(first: subclass, next: _getSuperclass).contains { $0 == ancestor }
        }
        guard let protocols = TypeMetadata.protocols(of: other), !protocols.isEmpty else { return false }
        let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return protocols.allSatisfy { swift_conformsToProtocol(type, $0) != nil }
    }
}

/// How messages spell a type.
enum TypeName {
    /// As 1.5.1 spelled it in its messages: `Service`.
    static func short(_ type: Any.Type) -> String {
        "\(type)"
    }

    /// With its module, so that two types of one simple name can be told apart: `Shop.Service`.
    ///
    /// Swift writes private and local types as `Shop.(unknown context at $5581c8).Service`; the address differs in every
    /// run and is of no use to a reader, so it is left out.
    static func qualified(_ type: Any.Type) -> String {
        var rest = Substring(String(reflecting: type))
        var name = ""
        while let start = rest.firstIndex(ofText: "(unknown context at $") {
            name += rest[..<start]
            rest = rest[start...]
            guard let end = rest.firstIndex(of: ")") else { break }
            rest = rest[rest.index(after: end)...]
            if rest.first == "." { rest = rest.dropFirst() }
        }
        return name + rest
    }
}

extension Substring {
    /// The index where `text` first occurs. (The standard library's own search needs a newer system than we support.)
    fileprivate func firstIndex(ofText text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
