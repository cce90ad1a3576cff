import ConcurrencySupport
import Testing

extension Specification {
    /// Concurrent calls of several threads.
    static let concurrency: [Promise] = callsOfThreads.map { $0.needing(.threads) }

    private static let callsOfThreads: [Promise] = [
        Promise("A kept instance is made once for all threads.", "Threads.md", each: Lifetime.keeping) {
            _, container, lifetime in
            let areAsking = Rendezvous(8)
            let made = Counter()
            container.register {
                areAsking.gate.wait()
                made.increment()
                return Leaf()
            }.setLifetime(lifetime)
            let leaves = try await Threads.results(8) { _ in
                areAsking.arrive()
                return try container.get(Leaf.self)
            }
            expect(made.value, is: 1, "\(lifetime)")
            expect(leaves.allSatisfy { $0 === leaves[0] }, "\(lifetime)")
        },
        Promise("A kept value is made once for all threads.", "Threads.md", each: Lifetime.strong) {
            _, container, lifetime in
            let made = Counter()
            container.register { Price(number: made.increment()) }.setLifetime(lifetime)
            let prices = try await Threads.results(8) { _ in try container.get(Price.self).number }
            expect(prices, is: Array(repeating: 1, count: 8), "\(lifetime)")
        },
        Promise("Instances that do not need each other are made at the same time.", "Threads.md", each: Lifetime.plain)
        { _, container, lifetime in
            let areMaking = Rendezvous(4)
            for index in 0..<4 {
                container.register(name: "\(index)") {
                    areMaking.arriveAndWait()
                    return Numbered(index)
                }.setLifetime(lifetime)
            }
            let numbers = try await Threads.results(4) { try container.number(name: "\($0)") }
            expect(numbers, is: [0, 1, 2, 3], "\(lifetime)")
        },
        Promise("A kept instance is handed out while another is being made.", "Threads.md", each: Lifetime.strong) {
            _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            let leaf = try container.get(Leaf.self)
            let pause = Pause()
            container.register { pause.blocking(OtherLeaf()) }.setLifetime(lifetime)
            let found = try await Threads.results(
                {
                    _ = try container.get(OtherLeaf.self)
                    return Leaf?.none
                },
                {
                    pause.hasBegun.wait()
                    defer { pause.mayEnd.open() }
                    return try container.get(Leaf.self)
                })
            expect(found[1] === leaf, "\(lifetime)")
        },
        Promise("`existing` never waits for an instance that is being made.", "Resolving.md", each: Lifetime.keeping) {
            _, container, lifetime in
            let pause = Pause()
            container.register { pause.blocking(Leaf()) }.setLifetime(lifetime)
            let found = try await Threads.results(
                { try container.get(Leaf.self) as Leaf? },
                {
                    pause.hasBegun.wait()
                    defer { pause.mayEnd.open() }
                    return try container.existing(Leaf.self)
                })
            expect(found[0] != nil && found[1] == nil, "\(lifetime)")
        },
        Promise("Other registrations may be made during a creation.", "Threads.md") { _, container in
            let pause = Pause()
            container.register { pause.blocking(Leaf()) }.setLifetime(.cached)
            let texts = try await Threads.results(
                {
                    _ = try container.get(Leaf.self)
                    return ""
                },
                {
                    pause.hasBegun.wait()
                    container.register { "meanwhile" }
                    defer { pause.mayEnd.open() }
                    return try container.get(String.self)
                })
            expect(texts[1], is: "meanwhile")
        },
        Promise(
            "Unique services are made by all threads at the same time.", "Threads.md", each: [Lifetime.unique, .graph]
        ) { _, container, lifetime in
            let areMaking = Rendezvous(4)
            container.register {
                areMaking.arriveAndWait()
                return Leaf()
            }.setLifetime(lifetime)
            let leaves = try await Threads.results(4) { _ in try container.get(Leaf.self) }
            expect(Set(leaves.map(ObjectIdentifier.init)).count, is: 4, "\(lifetime)")
        },
        Promise(
            "Where a factory throws or returns nil, a thread that waits runs it again.",
            "Errors.md#asynchronous-services"
        ) { system, _ in
            for (lifetime, isThrown) in Lifetime.strong.flatMap({ [($0, true), ($0, false)] }) {
                let container = system.makeContainer()
                let areAsking = Rendezvous(4)
                let calls = Counter()
                // Each case has a singleton of its own.
                container.register(line: isThrown ? 1 : 2) { () throws -> Leaf? in
                    areAsking.gate.wait()
                    if calls.increment() > 1 { return Leaf() }
                    if isThrown { throw Mishap() }
                    return nil
                }.setLifetime(lifetime)
                let leaves = await Threads.results(4) { _ in
                    areAsking.arrive()
                    return try? container.get(Leaf.self)
                }
                expect(calls.value, is: 2, "\(lifetime)")
                expect(leaves.count { $0 == nil }, is: 1, "\(lifetime)")
                expect(Set(leaves.compactMap { $0 }.map(ObjectIdentifier.init)).count, is: 1, "\(lifetime)")
            }
        },
        Promise("After a reset no thread gets what was kept before.", "Threads.md", each: Lifetime.strong) {
            _, container, lifetime in
            container.registerNumbered(lifetime)
            let isStale = try await Threads.results(4) { _ in
                for _ in 0..<50 {
                    let old = try container.number()
                    container.reset(.lifetime(lifetime))
                    if try container.number() <= old { return true }
                }
                return false
            }
            expect(isStale, is: [false, false, false, false], "\(lifetime)")
        },
        Promise("Threads may register again while others resolve.", "Threads.md") { _, container in
            container.register { Numbered(0) }.setLifetime(.cached)
            let isOver = Box(false)
            let areInOrder = try await Threads.results(4) { index in
                if index == 0 {
                    for number in 1...1000 {
                        // The named ones make the table grow.
                        container.register(name: "\(number)") { Numbered(number) }
                        container.register { Numbered(number) }.setLifetime(.cached)
                    }
                    isOver.set(true)
                }
                var newest = 0
                while !isOver.value {
                    let number = try container.number()
                    guard number >= newest else { return false }
                    newest = number
                }
                return true
            }
            expect(areInOrder, is: [true, true, true, true])
            try expect(container.number(), is: 1000)
        },
    ]
}
