import Testing

@testable import Resolver

@Suite struct ResolutionEventTests {
    private final class Part: Sendable {}
    private final class Whole: Sendable {
        let part: Part
        init(_ part: Part) { self.part = part }
    }
    private let events = Box<[ResolutionEvent]>([])

    private var steps: [String] {
        events.value.map { event in "\(event.kind) \(event.type)\(event.consumer.map { " for \($0)" } ?? "")" }
    }

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

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String, steps: [String]
        let body: @Sendable () async throws -> Void

        init(_ description: String, _ steps: [String], _ body: @escaping @Sendable () async throws -> Void) {
            (testDescription, self.steps, self.body) = (description, steps, body)
        }
    }

    private static let rows = [
        Row("a cached service", ["lookup Part", "made Part", "kept Part", "lookup Part", "hit Part"]) {
            Resolver.register { Part() }.scope(.application)
            for _ in 0..<2 { _ = Resolver.resolve(Part.self) }
        },
        Row("an uncached service", ["lookup Part", "made Part", "lookup Part", "made Part"]) {
            Resolver.register { Part() }.scope(.unique)
            for _ in 0..<2 { _ = Resolver.main.resolve(Part.self) }
        },
        Row("a dependency", ["lookup Whole", "lookup Part for Whole", "made Part", "made Whole", "kept Whole"]) {
            Resolver.register { Part() }.scope(.graph)
            Resolver.register { Whole($0.resolve()) }.scope(.cached)
            _ = try Resolver.tryResolve(Whole.self)
        },
        Row(
            "a second call in a resolution cycle",
            ["lookup Whole", "lookup Part for Whole", "made Part"]
                + ["lookup Part for Whole", "hit Part for Whole", "made Whole"]
        ) {
            Resolver.register { Part() }
            Resolver.register { resolver -> Whole in
                _ = resolver.resolve(Part.self)
                return Whole(resolver.resolve())
            }
            _ = Resolver.resolve(Whole.self)
        },
        Row("a protocol", ["lookup Role", "made Player", "kept Player", "lookup Role", "hit Role"]) {
            Resolver.register { Player() }.implements((any Role).self).scope(.cached)
            for _ in 0..<2 { _ = Resolver.resolve((any Role).self) }
        },
        Row("a value in the shared scope", ["lookup Int", "made Int"]) {
            Resolver.register { 1 }.scope(.shared)
            _ = Resolver.resolve(Int.self)
        },
        Row("missing and failing services", ["lookup Part", "lookup Whole"]) {
            Resolver.register { () throws -> Whole in throw Failure() }
            _ = Resolver.optional(Part.self)
            _ = try? Resolver.tryResolve(Whole.self)
        },
        Row(
            "a cached asynchronous service",
            ["lookup Whole", "lookup Part for Whole", "made Part", "kept Part", "made Whole", "kept Whole"]
                + ["lookup Whole", "hit Whole"]
        ) {
            Resolver.register { await yielding(Part()) }.scope(.cached)
            Resolver.register { resolver in try await Whole(resolver.resolveAsync()) }.scope(.cached)
            for _ in 0..<2 { _ = try await Resolver.resolveAsync(Whole.self) }
        },
        Row(
            "a scope that calls another service",
            ["lookup Whole", "lookup Part", "made Part", "made Whole", "kept Whole"]
                + ["lookup Whole", "lookup Part", "made Part", "hit Whole"]
        ) {
            Resolver.register { Part() }.scope(.unique)
            Resolver.register { Whole(Part()) }.scope(PassingScope(before: { _ = Resolver.optional(Part.self) }))
            for _ in 0..<2 { _ = Resolver.resolve(Whole.self) }
        },
        Row("an instance that is ignored", ["lookup Part", "made Part"]) {
            let part = Part()
            // Returns an instance of its own where the factory fails.
            Resolver.register { await yielding(Part()) }.scope(AnsweringScope { (try? $0.make()) ?? part })
            _ = try await Resolver.resolveAsync(Part.self)
        },
        Row("a parameter for the resolver", ["lookup Asker", "lookup Resolver for Asker", "made Asker"]) {
            struct Asker { init(_ resolver: Resolver) {} }
            Resolver.autoregister(Asker.init)
            _ = Resolver.resolve(Asker.self)
        },
        Row("an uncached asynchronous service", ["lookup Part", "made Part", "lookup Part", "made Part"]) {
            Resolver.register { () async -> Part in Part() }.scope(.unique)
            for _ in 0..<2 { _ = try await Resolver.resolveAsync(Part.self) }
        },
    ]

    @Test(arguments: rows)
    func `calls report lookups, creations, caching and hits with their consumers`(_ row: Row) async throws {
        try await observing(row.body)
        expect(steps, is: row.steps)
    }

    @Test func `an event has the registration's location, if there is one, and the call site`() async throws {
        let line: UInt = #line
        await observing {
            Resolver.register(name: "blue") { Part() }
            _ = Resolver.resolve(Part.self, name: "blue")
            _ = Resolver.optional(Whole.self)
        }
        let event = try #require(events.value.first)
        expect(event.name == "blue" && event.registered?.line == line + 2 && event.callSite?.line == line + 3)
        expect(events.value.map { $0.description.hasSuffix("Part \"blue\"") }, is: [true, true, false])
        expect(events.value.map { $0.registered == nil }, is: [false, false, true])
    }

    @Test func `an observer sees neither its own calls, which hide no hit, nor those of other tests`() async {
        await Resolver.runTest { () async in
            Resolver.register { OtherLeaf() }.scope(.unique)
            Resolver.register { Part() }.scope(.cached)
            _ = Resolver.resolve(Part.self)
            let observation = Resolver.observe { event in
                events.append(event)
                _ = Resolver.resolve(OtherLeaf.self)
            }
            defer { observation.cancel() }
            await Resolver.runTest { () async in _ = Resolver.resolve(OtherLeaf.self) }
            _ = Resolver.resolve(Part.self)
        }
        expect(steps, is: ["lookup Part", "hit Part"])
    }
}
