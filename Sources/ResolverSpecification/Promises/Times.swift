import ConcurrencySupport
import Testing

extension Specification {
    /// Times to live.
    static let times: [Promise] = timesToLive.map { $0.needing(.timeToLive) }

    private static let timesToLive: [Promise] = [
        Promise(
            "A kept instance is handed out for less than its time to live.", "TimeToLive.md", each: Lifetime.keeping
        ) { system, container, lifetime in
            system.setTime(0)
            limited(container, lifetime, 60)
            let leaf = try container.get(Leaf.self)
            system.setTime(59)
            try expect(container.get(Leaf.self) === leaf, "\(lifetime)")
        },
        Promise("After exactly its time to live another instance is made.", "TimeToLive.md") { system, _ in
            for lifetime in Lifetime.keeping {
                for (isFromCreation, start) in [(true, 0.0), (false, 1000)] {
                    system.setTime(start)
                    let container = system.makeContainer()
                    limited(container, lifetime, 60, fromCreation: isFromCreation)
                    let leaf = try container.get(Leaf.self)
                    system.setTime(start + 60)
                    try expect(container.get(Leaf.self) !== leaf, "\(lifetime)")
                }
            }
        },
        Promise("Each use starts the time anew.", "TimeToLive.md") { system, _ in
            for lifetime in Lifetime.keeping {
                for function in [SyncFunction.resolve, .optional, .tryResolve] {
                    let claim: Comment = "\(lifetime), \(function)"
                    system.setTime(0)
                    let container = system.makeContainer()
                    limited(container, lifetime, 60, name: "\(function)")
                    let leaf = try container.get(Leaf.self, name: "\(function)")
                    for time in [59.0, 118, 177] {
                        system.setTime(time)
                        try expect(container.ask(function, Leaf.self, name: "\(function)", nil) === leaf, claim)
                    }
                    system.setTime(237)
                    try expect(container.get(Leaf.self, name: "\(function)") !== leaf, claim)
                }
            }
        },
        Promise("Counted from creation, no use starts the time anew.", "TimeToLive.md", each: Lifetime.keeping) {
            system, container, lifetime in
            system.setTime(0)
            limited(container, lifetime, 60, fromCreation: true)
            let leaf = try container.get(Leaf.self)
            system.setTime(59)
            try expect(container.get(Leaf.self) === leaf, "\(lifetime)")
            system.setTime(60)
            try expect(container.get(Leaf.self) !== leaf, "\(lifetime)")
        },
        Promise("The time from creation begins when the instance is made.", "TimeToLive.md") { system, container in
            container.register { [unowned system] in
                system.setTime(50)
                return Leaf()
            }.with(.cached).setTimeToLive(60, fromCreation: true)
            let leaf = try container.get(Leaf.self)
            system.setTime(109)
            try expect(container.get(Leaf.self) === leaf)
            system.setTime(110)
            try expect(container.get(Leaf.self) !== leaf)
        },
        Promise("`existing` is no use.", "TimeToLive.md") { system, container in
            limited(container, .cached, 60)
            let leaf = try container.get(Leaf.self)
            system.setTime(59)
            try expect(container.existing(Leaf.self) === leaf)
            system.setTime(60)
            try expect(container.get(Leaf.self) !== leaf)
        },
        Promise("`existing` is nil when the time is over.", "TimeToLive.md", each: Lifetime.keeping) {
            system, container, lifetime in
            system.setTime(0)
            limited(container, lifetime, 60)
            let leaf = try container.get(Leaf.self)
            try expect(container.existing(Leaf.self) === leaf, "\(lifetime)")
            system.setTime(60)
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
        },
        Promise("A time of zero or less is over at once.", "TimeToLive.md", each: [0.0, -1]) { _, container, seconds in
            container.registerNumbered(.cached).setTimeToLive(seconds, fromCreation: false)
            for number in 1...3 { try expect(container.number(), is: number, "\(seconds)") }
        },
        Promise(
            "The old instance is released, with its hooks, before another is made.", "TimeToLive.md", needs: [.hooks]
        ) { system, container in
            let log = Log()
            container.register {
                log.note("made")
                return Leaf()
            }.with(.cached).expiring(60, fromCreation: false).onRelease { _ in log.note("released") }
            _ = try container.get(Leaf.self)
            system.setTime(60)
            _ = try container.get(Leaf.self)
            expect(log.value, is: ["made", "released", "made"])
        },
        Promise("Nothing happens by itself when the time is over.", "TimeToLive.md#no-timers", needs: [.hooks]) {
            system, container in
            let released = Counter()
            limited(container, .cached, 60).onRelease { _ in released.increment() }
            weak var leaf = try container.get(Leaf.self)
            system.setTime(600)
            expect(leaf != nil)
            expect(released.value, is: 0)
            container.reset(.scopes)
            expect(leaf, is: nil)
            expect(released.value, is: 1)
        },
        Promise("A purge releases what is over, and nothing else.", "TimeToLive.md#no-timers", each: Lifetime.strong) {
            system, container, lifetime in
            system.setTime(0)
            for (name, seconds) in [("short", 30.0), ("long", 60.0)] {
                limited(container, lifetime, seconds, name: name)
            }
            _ = container.registerLeaf(lifetime, name: "endless")
            weak var short = try container.get(Leaf.self, name: "short")
            weak var long = try container.get(Leaf.self, name: "long")
            weak var endless = try container.get(Leaf.self, name: "endless")
            system.setTime(30)
            expect(short != nil, "\(lifetime)")
            container.purgeExpired()
            expect(short, is: nil, "\(lifetime)")
            expect(long != nil, "\(lifetime)")
            expect(endless != nil, "\(lifetime)")
            withExtendedLifetime(container) {}
        },
        Promise("Another time is counted from the next use.", "TimeToLive.md", each: [true, false]) {
            system, container, isFromCreation in
            system.setTime(0)
            let registration = limited(container, .cached, 60)
            let leaf = try container.get(Leaf.self)
            system.setTime(50)
            registration.setTimeToLive(20, fromCreation: isFromCreation)
            system.setTime(500)
            try expect(container.get(Leaf.self) === leaf, "\(isFromCreation)")
            system.setTime(519)
            try expect(container.existing(Leaf.self) === leaf, "\(isFromCreation)")
            system.setTime(520)
            try expect(container.get(Leaf.self) !== leaf, "\(isFromCreation)")
        },
        Promise("A time may be set for an instance that is kept already.", "TimeToLive.md") { system, container in
            let registration = container.registerLeaf(.cached)
            let leaf = try container.get(Leaf.self)
            system.setTime(100)
            registration.setTimeToLive(60, fromCreation: true)
            try expect(container.get(Leaf.self) === leaf)
            system.setTime(160)
            try expect(container.get(Leaf.self) !== leaf)
        },
        Promise("Holders of an old instance keep it.", "TimeToLive.md") { system, container in
            limited(container, .cached, 60)
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(.cached)
            let leaf = try container.get(Holder<Leaf>.self).part
            system.setTime(60)
            try expect(container.get(Leaf.self) !== leaf)
            try expect(container.get(Holder<Leaf>.self).part === leaf)
        },
        Promise("A shared instance is no longer handed out although it is held.", "TimeToLive.md#in-which-scopes") {
            system, container in
            limited(container, .shared, 60)
            let leaf = try container.get(Leaf.self)
            system.setTime(60)
            let next = try container.get(Leaf.self)
            expect(next !== leaf)
            try expect(container.get(Leaf.self) === next)
        },
        Promise(
            "Where nothing is kept a time to live has no effect.", "TimeToLive.md#in-which-scopes",
            each: [Lifetime.graph, .unique]
        ) { _, container, lifetime in
            limited(container, lifetime, 0)
            container.register { container in Pair(try container.get(Leaf.self), try container.get(Leaf.self)) }
            let pair = try container.get(Pair.self)
            expect(pair.first === pair.second, is: lifetime == .graph, "\(lifetime)")
        },
        Promise("After its time an instance is made once for all threads.", "TimeToLive.md", needs: [.threads]) {
            system, container in
            container.registerNumbered(.cached).setTimeToLive(60, fromCreation: false)
            _ = try container.number()
            system.setTime(60)
            let numbers = try await Threads.results(8) { _ in try container.number() }
            expect(numbers, is: Array(repeating: 2, count: 8))
        },
    ]

    @discardableResult
    private static func limited(
        _ container: any ContainerUnderTest, _ lifetime: Lifetime, _ seconds: Double, fromCreation: Bool = false,
        name: String? = nil
    ) -> any RegistrationUnderTest<Leaf> {
        return container.registerLeaf(lifetime, name: name).expiring(seconds, fromCreation: fromCreation)
    }
}
