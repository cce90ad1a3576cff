import Testing

/// Metadata as Apple's runtime has it, for types that need Objective-C and do not exist on Linux.
@Suite struct TypeMetadataTests {
    private protocol Store {}
    private final class Native: Store {}

    /// Creates a type with this kind, the first word of its metadata.
    private func withType<Result>(kind: UInt, _ body: (Any.Type) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt.self, capacity: 4) { words in
            words.initialize(repeating: 0)
            words[0] = kind
            return body(unsafeBitCast(UnsafeRawPointer(words.baseAddress!), to: Any.Type.self))
        }
    }

    @Test(
        arguments: [
            // A Swift class; a Swift class known to Objective-C, with a pointer as its kind; an Objective-C class; a
            // Core Foundation class.
            (kind: 0, isClass: true), (kind: 0x1_0000_1000, isClass: true), (kind: 0x305, isClass: true),
            (kind: 0x203, isClass: true),
            // Structure, enumeration, optional; tuple, function, existential, metatype.
            (kind: 0x200, isClass: false), (kind: 0x201, isClass: false), (kind: 0x202, isClass: false),
            (kind: 0x301, isClass: false), (kind: 0x302, isClass: false), (kind: 0x303, isClass: false),
            (kind: 0x304, isClass: false),
        ] as [(kind: UInt, isClass: Bool)])
    func `a class is recognized by its metadata kind`(_ row: (kind: UInt, isClass: Bool)) {
        withType(kind: row.kind) { expect(TypeMetadata.isClass($0), is: row.isClass) }
    }

    @Test(arguments: [(0, true), (0x305, true), (0x203, true), (0x200, false), (0x201, false)] as [(UInt, Bool)])
    func `an existential is an object if its value's type is a class`(_ kind: UInt, _ isObject: Bool) {
        withType(kind: kind) { type in
            let existential: [UInt] = [1, 0, 0, unsafeBitCast(type, to: UInt.self), 0]
            existential.withUnsafeBytes {
                expect(TypeMetadata.isObject(at: $0.baseAddress!, of: (any Store).self), is: isObject)
            }
        }
    }

    @Test func `real classes and values are distinguished`() {
        func isObject<Value>(_ value: Value) -> Bool? {
            withUnsafeBytes(of: value) { TypeMetadata.isObject(at: $0.baseAddress!, of: Value.self) }
        }
        expect(TypeMetadata.isClass(Native.self) && !TypeMetadata.isClass(Int.self))
        expect(isObject(Native() as any Store), is: true)
        expect(isObject(1), is: false)
        expect(isObject((1, 2)), is: false)
        expect(isObject(Native() as Native?), is: false)
    }
}
