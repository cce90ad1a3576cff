import Resolver
import Testing

@Suite struct KeyTests {
    protocol First {}
    protocol Second {}
    struct Generic<Element> {}

    @Test func `every kind of type is its own key`() {
        struct Both: First, Second {}
        let resolver = Resolver()
        resolver.register(name: nil) { Both() as any First }
        resolver.register { Both() as any Second }
        resolver.register { Both() as any First & Second }
        resolver.register(Int?.self) { .some(1) }
        resolver.register { 2 }
        resolver.register { [3] }
        resolver.register { (4, "four") }
        resolver.register { Generic<Int>() }
        resolver.register { Generic<String>() }
        resolver.register { Int.self as Int.Type }
        resolver.register { { 5 } as @Sendable () -> Int }

        expect(resolver.optional((any First).self) != nil)
        expect(resolver.optional((any Second).self) != nil)
        expect(resolver.optional((any First & Second).self) != nil)
        expect(resolver.resolve(Int?.self), is: 1)
        expect(resolver.resolve(Int.self), is: 2)
        expect(resolver.resolve([Int].self), is: [3])
        expect(resolver.resolve((Int, String).self).1, is: "four")
        expect(resolver.optional(Generic<Int>.self) != nil)
        expect(resolver.optional(Generic<Double>.self), is: nil)
        expect(resolver.resolve(Int.Type.self) == Int.self)
        expect(resolver.resolve((@Sendable () -> Int).self)(), is: 5)
        expect(resolver.optional(Both.self), is: nil)
    }

    @Test func `names are equal exactly when their strings are`() {
        let names = ["a:b", "a", "b:c", "a\0b", "ab", "🙂", String(repeating: "long", count: 250_000), "API", "api"]
        let resolver = Resolver()
        for name in names { resolver.register(name: .init(name)) { name } }
        for name in names { expect(resolver.resolve(String.self, name: .init(name)), is: name) }
        // One letter, composed and decomposed.
        resolver.register(name: "caf\u{E9}") { 1 }
        expect(resolver.optional(Int.self, name: "cafe\u{301}"), is: 1)
        // The only characters outside ASCII that equal an ASCII character.
        for (ascii, other) in [("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}")] {
            expect(ascii, is: other)
            resolver.register(name: .init("a\(ascii)z")) { 2 }
            expect(resolver.optional(Int.self, name: .init("a\(other)z")), is: 2)
            resolver.register(name: .init("\u{E9}\(ascii)")) { 3 }
            expect(resolver.optional(Int.self, name: .init("e\u{301}\(other)")), is: 3)
        }
        let ascii = Set((UInt8(0)..<0x80).map { String(Unicode.Scalar($0)) })
        let equal = (0x80...0x10FFFF).compactMap(Unicode.Scalar.init).filter { ascii.contains(String($0)) }
        expect(equal.map(\.value), is: [0x37E, 0x1FEF, 0x212A], "what the hash of names relies on")
    }

    /// A short string is usually stored in its own words. One that has grown shorter is not.
    @Test func `a name is found however its string is stored`() {
        let resolver = Resolver()
        for count in 0...17 {
            for letter in ["a", "\u{7F}", "\u{212A}", "\u{E9}"] {
                let short = String(repeating: letter, count: count)
                var shrunk = String(repeating: "x", count: 100)
                shrunk.removeAll(keepingCapacity: true)
                shrunk += short
                resolver.register(name: .init(short)) { count }
                expect(resolver.resolve(Int.self, name: .init(shrunk)), is: count)
                resolver.register(name: .init(shrunk)) { "\(count)" }
                expect(resolver.resolve(String.self, name: .init(short)), is: "\(count)")
                if count == 3 { expect(Resolver.Name(short), is: Resolver.Name(shrunk)) }
            }
        }
        resolver.register(name: "literal") { 1.5 }
        expect(resolver.resolve(Double.self, name: .init(["lit", "eral"].joined())), is: 1.5)
    }

    /// The hash is the last word of a name. There is no other way to create names with equal hashes.
    private func withHashWord<Result>(of name: inout Resolver.Name, _ body: (inout UInt64) -> Result) -> Result {
        withUnsafeMutableBytes(of: &name) { bytes in
            let offset = bytes.count - MemoryLayout<UInt64>.size
            var word = bytes.load(fromByteOffset: offset, as: UInt64.self)
            defer { bytes.storeBytes(of: word, toByteOffset: offset, as: UInt64.self) }
            return body(&word)
        }
    }

    @Test func `names with equal hashes are separate keys`() throws {
        var first = Resolver.Name("first"), second = Resolver.Name("second"), again = Resolver.Name("first")
        let hash = withHashWord(of: &first) { $0 }
        try #require(withHashWord(of: &again) { $0 } == hash)
        try #require(withHashWord(of: &second) { $0 } != hash)
        withHashWord(of: &second) { $0 = hash }

        expect(first != second)
        let resolver = Resolver()
        resolver.register(name: first) { 1 }
        expect(resolver.optional(Int.self, name: second), is: nil)
        resolver.register(name: second) { 2 }
        expect(resolver.resolve(Int.self, name: first), is: 1)
        expect(resolver.resolve(Int.self, name: second), is: 2)
    }

    @Test(arguments: [nil, "it"] as [Resolver.Name?])
    func `an instance that is not of the registered runtime type is not returned`(_ name: Resolver.Name?) {
        let derived = Derived(), sample: Base = derived, child = Resolver()
        child.register(name: name) { derived }
        let resolver = Resolver(child: child)
        resolver.register(type(of: sample), name: name) { Base() }.scope(.cached)
        expect(resolver.optional(Base.self, name: name), is: nil)
        expect(resolver.optional(Derived.self, name: name) === derived, "the search goes on to the child")
        let isolating = Resolver(isolating: resolver), kept = isolating.resolve(type(of: sample), name: name)
        expect(isolating.resolve(type(of: sample), name: name) === kept)
        expect(isolating.optional(Derived.self, name: name) === derived)
    }

    @Test func `what a runtime type has registered is asked for, reset and removed by that type alone`() {
        let type: Base.Type = Derived.self, resolver = Resolver()
        resolver.register(type) { Base() }.scope(.cached)
        let base = resolver.resolve(type)
        expect(resolver.existing(type) === base)
        expect(resolver.isRegistered(type))
        expect(!resolver.isRegistered(Derived.self))
        expect(resolver.registrations.map { ObjectIdentifier($0.type) }, is: [ObjectIdentifier(Derived.self)])
        let suggestions = resolver.failure(Base.self)?.suggestions ?? ["no error"]
        expect(!suggestions.contains { $0.contains("Pass no name") || $0.contains("by its own type") })
        resolver.reset(Derived.self)
        expect(!resolver.unregister(Derived.self))
        expect(resolver.existing(type) === base)
        resolver.reset(type)
        expect(resolver.existing(type), is: nil)
        expect(resolver.unregister(type))
        expect(resolver.optional(type), is: nil)

        resolver.register { Derived() }.scope(.cached)
        let derived = resolver.resolve(Derived.self)
        expect(!resolver.isRegistered(type))
        resolver.reset(type)
        expect(!resolver.unregister(type))
        expect(resolver.existing(Derived.self) === derived)
        resolver.register(ifAbsent: type) { Base() }
        expect(resolver.optional(type) != nil, "no call by the type found a service")
        expect(resolver.existing(Derived.self) === derived, "the two registrations have different keys")
        expect(resolver.registrations.count, is: 2)
        expect(resolver.failure(type, name: "x")?.suggestions.filter { $0.contains("Pass no name") }.count, is: 1)
    }

    @Test func `registrations are sorted whatever lines they name`() {
        let resolver = Resolver()
        resolver.register(line: .max) { Derived() }
        resolver.register(line: 1) { Base() }
        expect(resolver.registrations.map(\.location.line), is: [1, .max])
    }

    @Test func `a registration by a runtime type has a cache key of its own`() {
        let type: Base.Type = Derived.self, resolver = Resolver()
        let own = resolver.register { Derived() }.registration, other = resolver.register(type) { Base() }.registration
        expect(own.cacheKey, is: "\(own.key)")
        expect(own.key == other.key && own.cacheKey != other.cacheKey)
    }

    @Test func `a service's equality and hash are never used`() {
        struct Incomparable: Hashable {
            static func == (lhs: Incomparable, rhs: Incomparable) -> Bool { fatalError("asked for equality") }
            func hash(into hasher: inout Hasher) { fatalError("asked for a hash") }
        }
        let resolver = Resolver()
        resolver.register { Incomparable() }.scope(.cached)
        resolver.register { [Incomparable()] }.scope(.container)
        for _ in 0..<3 { _ = (resolver.resolve(Incomparable.self), resolver.resolve([Incomparable].self)) }
        resolver.register { Incomparable() }
    }
}
