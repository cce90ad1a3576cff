/// The hash of a name: equal for equal strings, and cheap, because a name written as a literal is hashed at every call.
///
/// Nearly all names are ASCII, whose bytes tell equality; the standard library's own hash would first bring the string
/// into normal form. Only three other characters are equal to an ASCII one (the kelvin sign to K, the Greek question mark
/// to the semicolon, the Greek varia to the grave accent), and Unicode promises that there will be no more.
@usableFromInline
enum NameHash {
    @_alwaysEmitIntoClient
    static func of(_ string: String) -> UInt64 {
        var string = string
        return string.withUTF8 { ofASCII($0) } ?? ofOther(string)
    }

    /// FNV-1a over the bytes; nil if one is not ASCII.
    @_alwaysEmitIntoClient
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
