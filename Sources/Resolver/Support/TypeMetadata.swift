import CResolverSupport

/// Reads the runtime's description of a type. Its layout is part of Swift's stable ABI.
enum TypeMetadata {
    /// Returns the identity of a type whose address is given as a number; nil for zero.
    static func identifier(_ number: Int) -> ObjectIdentifier? {
        UnsafeRawPointer(bitPattern: number).map { unsafeBitCast($0, to: ObjectIdentifier.self) }
    }

    static func type(of identifier: ObjectIdentifier) -> Any.Type { unsafeBitCast(identifier, to: Any.Type.self) }

    @inline(__always)
    private static func kind(of type: Any.Type) -> UInt { unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee }

    /// Returns whether values of the type are objects.
    ///
    /// The first word is the kind: zero for a Swift class; a pointer, and thus larger than any kind, for a class that is also known
    /// to Objective-C; 0x203 for a Core Foundation class; 0x305 for a class compiled by Objective-C alone. `type is AnyClass`
    /// returns the same at ten times the cost.
    @inline(__always)
    static func isClass(_ type: Any.Type) -> Bool {
        let kind = kind(of: type)
        return kind == 0 || kind > 0x7FF || kind == 0x203 || kind == 0x305
    }

    /// Returns whether the existential value at an address holds an object; nil if only the value itself can tell.
    ///
    /// An existential of class-bound protocols (bit 31 of the flags is clear) always holds an object. Other existentials are three
    /// words for the value, followed by the value's type. `any Error` (bits 24 to 29) has its own layout. Structures, enumerations,
    /// optionals, tuples and functions are not objects.
    @inline(__always)
    static func isObject(at address: UnsafeRawPointer, of type: Any.Type) -> Bool? {
        guard let flags = existentialFlags(of: type) else {
            if kind(of: type) == 0x307 { return isExtendedObject(at: address, of: type) }
            return isValue(type) ? false : nil
        }
        if flags & 1 << 31 == 0 { return true }
        if flags & 0x3F << 24 != 0 { return nil }
        return stored(in: address).map(isClass)
    }

    /// Returns the type of the value that an `Any?` stores, or nil for none. The value may be an object of a subclass.
    ///
    /// `type(of:)` would look into the object, and copy the value.
    @inline(__always)
    static func stored(in any: UnsafeRawPointer) -> Any.Type? {
        any.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: Any.Type?.self)
    }

    /// Returns the address of the value that an `Any?` stores. The caller has compared its type, so no cast has to.
    ///
    /// Three words store the value if it fits and may be moved bit by bit, else a box of the value. The value follows the two words
    /// of the box, aligned.
    @inline(__always)
    static func value<Value>(in any: UnsafeRawPointer, as type: Value.Type) -> UnsafePointer<Value> {
        let word = MemoryLayout<UInt>.size
        let (size, alignment) = (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
        let isInline = size <= 3 * word && alignment <= word && _isBitwiseTakable(type)
        let header = (2 * word + alignment - 1) & ~(alignment - 1)
        let value = isInline ? any : any.load(as: UnsafeRawPointer.self) + header
        return value.assumingMemoryBound(to: Value.self)
    }

    static func isOptional(_ type: Any.Type) -> Bool { kind(of: type) == 0x202 }

    static func isTuple(_ type: Any.Type) -> Bool { kind(of: type) == 0x301 }

    /// Returns whether the type is an existential of `Error`, which holds a box instead of the object.
    static func isError(_ type: Any.Type) -> Bool { existentialFlags(of: type).map { $0 & 0x3F << 24 != 0 } ?? false }

    /// Returns whether the type is a structure, an enumeration, an optional, a tuple or a function.
    @inline(__always)
    static func isValue(_ type: Any.Type) -> Bool {
        switch kind(of: type) {
        case 0x200...0x202, 0x301, 0x302: true
        default: false
        }
    }

    /// Returns whether only objects are values of an existential type.
    static func isClassBound(_ type: Any.Type) -> Bool { existentialFlags(of: type).map { $0 & 1 << 31 == 0 } ?? false }

    /// Returns the flags of an existential type, which follow its kind; nil for any other type.
    @inline(__always)
    private static func existentialFlags(of type: Any.Type) -> UInt32? {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == 0x303 else { return nil }
        return metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self)
    }

    /// Returns the protocol descriptors of an existential type, or nil for any other type.
    ///
    /// Also returns nil for an existential with a superclass or an Objective-C protocol. The layout is a word with the kind (0x303), 32
    /// bits of flags (bit 30: a superclass follows), 32 bits with the number of protocols, then their descriptors. The low bit of a
    /// descriptor marks an Objective-C protocol.
    static func protocols(of type: Any.Type) -> [UnsafeRawPointer]? {
        guard let flags = existentialFlags(of: type), flags & 1 << 30 == 0 else { return nil }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let word = MemoryLayout<UInt>.size
        let count = Int(metadata.load(fromByteOffset: word + 4, as: UInt32.self))
        let first = word + 8
        let protocols = (0..<count).map { metadata.load(fromByteOffset: first + $0 * word, as: UInt.self) }
        guard protocols.allSatisfy({ $0 & 1 == 0 }) else { return nil }
        return protocols.compactMap(UnsafeRawPointer.init(bitPattern:))
    }
}

// The parts of existential values.

extension TypeMetadata {
    /// Returns the number of words of an existential type, and how many of them are witness tables, which come last.
    ///
    /// Nil for any other type, and for `any Error`, which holds a box. An existential with associated types (0x307) has the address of its
    /// shape, whose first byte is 1 if only objects are its values. Of the 16-bit numbers from byte 8 on, the first is the number of
    /// parameters, and the third the number of parameters and witness tables.
    static func layout(of type: Any.Type) -> (words: Int, tables: Int)? {
        if let flags = existentialFlags(of: type) {
            let tables = Int(flags & 0xFF_FFFF)
            return flags & 0x3F << 24 != 0 ? nil : ((flags & 1 << 31 == 0 ? 1 : 4) + tables, tables)
        }
        guard kind(of: type) == 0x307 else { return nil }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let shape = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
        let kind = shape.load(as: UInt8.self)
        let parameters = shape.load(fromByteOffset: 8, as: UInt16.self)
        let tables = Int(shape.load(fromByteOffset: 12, as: UInt16.self)) - Int(parameters)
        return kind > 1 ? nil : ((kind == 1 ? 1 : 4) + tables, tables)
    }

    /// Returns whether a conformance of the existential value at an address belongs to a global actor, so that other code must not use it.
    ///
    /// The value ends with its witness tables.
    static func isIsolated(at address: UnsafeRawPointer, of type: Any.Type) -> Bool {
        guard let layout = layout(of: type) else { return false }
        #if _ptrauth(_arm64e)
            // The addresses of descriptors are signed.
            return layout.tables > 0
        #else
            return (layout.words - layout.tables..<layout.words).contains {
                let table = address.load(fromByteOffset: $0 * MemoryLayout<UInt>.size, as: UnsafeRawPointer?.self)
                return table.map(isIsolated) ?? false
            }
        #endif
    }

    /// Returns whether the conformance of a witness table belongs to a global actor, or one of its conditions does.
    ///
    /// The first word of the table is the address of the descriptor, which has 16 bytes. The last four are flags: bit 6 says that four more
    /// follow, bits 8 to 15 are the number of conditions, and bit 19 is set for an actor. The conditions follow, of 12 bytes each. Bit 7 of
    /// one is set if it has a table; the low five bits are zero if that is of a conformance. These tables lie before the table. Bit 5 is set
    /// for a parameter pack, which has many tables: they are not read, and count as those of an actor.
    private static func isIsolated(_ table: UnsafeRawPointer) -> Bool {
        guard let descriptor = table.load(as: UnsafeRawPointer?.self) else { return false }
        let flags = descriptor.load(fromByteOffset: 12, as: UInt32.self)
        if flags & 1 << 19 != 0 { return true }
        var condition = descriptor + (flags & 1 << 6 != 0 ? 20 : 16), inner = table
        for _ in 0..<flags >> 8 & 0xFF {
            let kind = condition.load(as: UInt32.self)
            condition += 12
            if kind & 0x80 == 0 { continue }
            if kind & 0x20 != 0 { return true }
            inner -= MemoryLayout<UInt>.size
            if kind & 0x1F == 0, inner.load(as: UnsafeRawPointer?.self).map(isIsolated) ?? false { return true }
        }
        return false
    }

    /// Returns whether the existential value at an address is an object whose conformance belongs to a global actor.
    ///
    /// Only an object is cast back to its protocol, which checks the actor. A cast of a value may create another value.
    static func isIsolatedObject(at address: UnsafeRawPointer, of type: Any.Type) -> Bool {
        isObject(at: address, of: type) == true && isIsolated(at: address, of: type)
    }

    /// Returns whether the value of an existential with associated types is an object, as `isObject` does for the others.
    @inline(never)
    private static func isExtendedObject(at address: UnsafeRawPointer, of type: Any.Type) -> Bool? {
        layout(of: type).flatMap { $0.words - $0.tables == 1 ? true : stored(in: address).map(isClass) }
    }
}

/// The form in which objects of one class are an existential: the words that follow the object are the same for all of them.
///
/// A cast looks up the conformances each time, which takes ten times as long.
final class ExistentialForm: Sendable {
    private typealias Words = (UInt, UInt, UInt, UInt, UInt, UInt)

    private let objectClass: ObjectIdentifier
    /// The type of the object, unless only objects have the existential type, and the witness tables.
    private let words: Words
    private let byteCount: Int

    private init(_ objectClass: ObjectIdentifier, _ words: Words, _ byteCount: Int) {
        (self.objectClass, self.words, self.byteCount) = (objectClass, words, byteCount)
    }

    /// Returns the form of an existential value in memory, to which the object at another address was cast.
    ///
    /// - Returns: nil if the value is not that object and up to six more words, or if a conformance belongs to an actor, so that each
    ///   cast must check it.
    static func of(
        _ value: UnsafeRawPointer, _ type: Any.Type, castFrom object: UnsafeRawPointer
    ) -> ExistentialForm? {
        let object = object.load(as: Unmanaged<AnyObject>.self), word = MemoryLayout<UInt>.size
        guard let count = TypeMetadata.layout(of: type)?.words, count * word <= word + MemoryLayout<Words>.size,
            value.load(as: UnsafeRawPointer.self) == UnsafeRawPointer(object.toOpaque()),
            !TypeMetadata.isIsolated(at: value, of: type)
        else { return nil }
        var words: Words = (0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: value + word, count: (count - 1) * word))
        }
        return ExistentialForm(
            ObjectIdentifier(Swift.type(of: object.takeUnretainedValue())), words, (count - 1) * word)
    }

    /// Moves the object at `source`, which becomes nil, into memory for the existential type, if this is the form of its class.
    ///
    /// - Returns: whether it did.
    @inline(__always)
    func move(_ source: UnsafeMutableRawPointer, into memory: UnsafeMutableRawPointer) -> Bool {
        let object = source.load(as: Unmanaged<AnyObject>.self)
        let isMeant = object._withUnsafeGuaranteedRef { ObjectIdentifier(Swift.type(of: $0)) == objectClass }
        if !isMeant { return false }
        memory.storeBytes(of: object, as: Unmanaged<AnyObject>.self)
        source.storeBytes(of: nil, as: Unmanaged<AnyObject>?.self)
        withUnsafeBytes(of: words) {
            (memory + MemoryLayout<UInt>.size).copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: byteCount)
        }
        return true
    }
}

/// A string in memory. The layout is part of Swift's stable ABI, on systems whose words have 64 bits.
extension String {
    /// The two words of a string of up to 15 ASCII characters, if they store it: the characters, and in the last byte their number
    /// and 0xE0.
    @inlinable @inline(__always)
    var smallWords: (UInt64, UInt64)? {
        #if _pointerBitWidth(_64)
            let words = unsafeBitCast(self, to: (UInt64, UInt64).self)
            return words.1 &>> 60 == 0xE ? words : nil
        #else
            return nil
        #endif
    }

    /// Whether both strings are the same words. Strings that are not may be equal too.
    @inline(__always)
    func isStored(as other: String) -> Bool {
        #if _pointerBitWidth(_64)
            unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self)
        #else
            false
        #endif
    }
}

/// Checks at run time whether a type is a subtype of another. Used for the suggestions in messages.
enum Conformance {
    /// Returns whether `type` is a subclass of the class `other`, or conforms to the protocols of the existential `other`.
    static func holds(_ type: Any.Type, to other: Any.Type) -> Bool {
        if let subclass = type as? AnyClass, let ancestor = other as? AnyClass {
            return sequence(first: subclass, next: _getSuperclass).contains { $0 == ancestor }
        }
        guard let protocols = TypeMetadata.protocols(of: other), !protocols.isEmpty,
            TypeMetadata.isClass(type) || !TypeMetadata.isClassBound(other)
        else { return false }
        let type = unsafeBitCast(type, to: UnsafeRawPointer.self)
        return protocols.allSatisfy { swift_conformsToProtocol(type, $0) != nil }
    }
}
