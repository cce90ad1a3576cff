import Testing

@testable import Resolver

/// The events of a call: lookup, hit, creation and caching.
@Suite struct ResolutionEventTests {
    private final class Part: Sendable {}
    private final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }
    private let events = Box<[ResolutionEvent]>([])

    /// The events, one per line.
    private var steps: [String] {
        events.value.map { event in "\(event.kind) \(event.type)\(event.consumer.map { " for \($0)" } ?? "")" }
    }

    /// Runs `body` in a test with an observer.
    private func observing(_ body: () async throws -> Void) async rethrows {
        try await Resolver.runTest { () async throws in
            let observation = Resolver.observe { events.append($0) }
            defer {
                observation.cancel()
                _ = try? Resolver.tryResolve(Part.self)
            }
            try await body()
        }
    }

    @Test func `a cached service reports lookup, creation and caching and then hits`() async {
        await observing {
            Resolver.register { Part() }.scope(.application)
            for _ in 0..<2 { _ = Resolver.resolve(Part.self) }
        }
        #expect(steps == ["lookup Part", "made Part", "kept Part", "lookup Part", "hit Part"])
    }

    @Test func `an uncached service reports a creation for each call`() async {
        await observing {
            Resolver.register { Part() }.scope(.unique)
            for _ in 0..<2 { _ = Resolver.main.resolve(Part.self) }
        }
        #expect(steps == ["lookup Part", "made Part", "lookup Part", "made Part"])
    }

    @Test func `events of a dependency precede its consumer's creation and name the consumer`() async {
        await observing {
            Resolver.register { Part() }.scope(.graph)
            Resolver.register { Whole($0.resolve()) }.scope(.cached)
            _ = try? Resolver.tryResolve(Whole.self)
        }
        #expect(steps == ["lookup Whole", "lookup Part for Whole", "made Part", "made Whole", "kept Whole"])
    }

    @Test func `a second call in a resolution cycle reports a hit`() async {
        await observing {
            Resolver.register { Part() }
            Resolver.register { resolver -> Whole in
                _ = resolver.resolve(Part.self)
                return Whole(resolver.resolve())
            }
            _ = Resolver.resolve(Whole.self)
        }
        let part = "Part for Whole"
        #expect(
            steps == ["lookup Whole", "lookup \(part)", "made Part", "lookup \(part)", "hit \(part)", "made Whole"])
    }

    @Test func `a call through a protocol reports the lookup of the protocol and the creation of the class`() async {
        await observing {
            Resolver.register { Player() }.implements((any Role).self).scope(.cached)
            for _ in 0..<2 { _ = Resolver.resolve((any Role).self) }
        }
        #expect(steps == ["lookup Role", "made Player", "kept Player", "lookup Role", "hit Role"])
    }

    @Test func `a value in the shared scope reports a creation and no caching`() async {
        await observing {
            Resolver.register { 1 }.scope(.shared)
            _ = Resolver.resolve(Int.self)
        }
        #expect(steps == ["lookup Int", "made Int"])
    }

    @Test func `missing and failing services report only lookups`() async {
        await observing {
            Resolver.register { () throws -> Whole in throw Failure() }
            _ = Resolver.optional(Part.self)
            _ = try? Resolver.tryResolve(Whole.self)
        }
        #expect(steps == ["lookup Part", "lookup Whole"])
        #expect(events.value.first?.registered == nil)
    }

    @Test func `an asynchronous service reports one lookup and creation and then hits`() async throws {
        try await observing {
            Resolver.register { await yielding(Part()) }.scope(.cached)
            Resolver.register { resolver in try await Whole(resolver.resolveAsync()) }.scope(.cached)
            for _ in 0..<2 { _ = try await Resolver.resolveAsync(Whole.self) }
        }
        let first = ["lookup Whole", "lookup Part for Whole", "made Part", "kept Part", "made Whole", "kept Whole"]
        #expect(steps == first + ["lookup Whole", "hit Whole"])
    }

    @Test func `an uncached asynchronous service reports a lookup and a creation for each call`() async throws {
        try await observing {
            Resolver.register { () async -> Part in Part() }.scope(.unique)
            for _ in 0..<2 { _ = try await Resolver.resolveAsync(Part.self) }
        }
        #expect(steps == ["lookup Part", "made Part", "lookup Part", "made Part"])
    }

    @Test func `an event has the registration's location and the call site`() async throws {
        let line: UInt = #line
        await observing {
            Resolver.register(name: "blue") { Part() }
            _ = Resolver.resolve(Part.self, name: "blue")
        }
        let event = try #require(events.value.first)
        #expect(event.name == "blue" && event.registered?.line == line + 2 && event.callSite?.line == line + 3)
        #expect(events.value.map { $0.description.hasSuffix("Part \"blue\"") } == [true, true])
    }

    @Test func `an observer sees neither its own calls nor those of other tests`() async {
        let count = Box(0)
        await Resolver.runTest { () async in
            Resolver.register { Part() }.scope(.unique)
            let observation = Resolver.observe { _ in
                count.increment()
                _ = Resolver.resolve(Part.self)
            }
            defer { observation.cancel() }
            await Resolver.runTest { () async in _ = Resolver.resolve(Part.self) }
            _ = Resolver.resolve(Part.self)
        }
        #expect(count.value == 2)
    }

    @Test func `calls of an observer do not hide a hit`() async {
        await Resolver.runTest { () async in
            Resolver.register { OtherLeaf() }.scope(.unique)
            Resolver.register { Part() }.scope(.cached)
            _ = Resolver.resolve(Part.self)
            let observation = Resolver.observe { event in
                events.append(event)
                _ = Resolver.resolve(OtherLeaf.self)
            }
            defer { observation.cancel() }
            _ = Resolver.resolve(Part.self)
        }
        #expect(steps == ["lookup Part", "hit Part"])
    }
}
