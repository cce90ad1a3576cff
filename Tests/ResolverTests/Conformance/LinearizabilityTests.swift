import Foundation
import Resolver
import Testing

/// Random programs of three threads on one service: every history must have a sequential order.
@Suite struct LinearizabilityTests {
    enum Operation: Sendable {
        case register
        case reset
        case resolve
    }

    /// One call with its start, end and result.
    struct Event: Sendable {
        let operation: Operation
        let began: Int
        let ended: Int
        /// The registered version for `register`, the instance's version for `resolve`.
        let version: Int
        /// The instance's number, for `resolve`.
        let instance: Int
    }

    struct Instance: Sendable {
        let version: Int
        let number: Int
    }

    /// The cache is the default scope, because `register { }.scope(cache)` is two steps, and other calls can run
    /// between them.
    private static func history(_ seed: Int, _ cache: ResolverScopeCache) -> [Event] {
        let resolver = Resolver()
        let clock = Box(0), instances = Box(0), versions = Box(0)
        let events = Box<[Event]>([])
        @Sendable func register() -> Int {
            let version = versions.increment()
            resolver.register { Instance(version: version, number: instances.increment()) }
            return version
        }
        _ = register()
        Threads.run(3) { thread in
            var random = UInt64(seed &* 31 &+ thread) &* 0x9E37_79B9_7F4A_7C15
            for _ in 0..<3 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let began = clock.increment()
                switch (random >> 33) % 5 {
                case 0:
                    let version = register()
                    events.append(
                        Event(
                            operation: .register, began: began, ended: clock.increment(), version: version, instance: 0)
                    )
                case 1:
                    cache.reset()
                    events.append(
                        Event(operation: .reset, began: began, ended: clock.increment(), version: 0, instance: 0))
                default:
                    let got: Instance = resolver.resolve()
                    events.append(
                        Event(
                            operation: .resolve, began: began, ended: clock.increment(), version: got.version,
                            instance: got.number))
                }
            }
        }
        return events.value
    }

    /// The sequential model: a version, and the cached instance, if any.
    private struct Model {
        var version = 1
        var kept: Int?
        var seen: Set<Int> = []

        mutating func accepts(_ event: Event) -> Bool {
            switch event.operation {
            case .register:
                version = event.version
                kept = nil
            case .reset:
                kept = nil
            case .resolve where kept != nil:
                return kept == event.instance
            case .resolve:
                guard event.version == version, seen.insert(event.instance).inserted else { return false }
                kept = event.instance
            }
            return true
        }
    }

    /// Wing and Gong's search: an event that began before all others ended comes first.
    private static func canBeOrdered(_ events: [Event], after model: Model) -> Bool {
        guard let firstEnd = events.map(\.ended).min() else { return true }
        return events.indices.contains { index in
            var next = model
            guard events[index].began <= firstEnd, next.accepts(events[index]) else { return false }
            var rest = events
            rest.remove(at: index)
            return canBeOrdered(rest, after: next)
        }
    }

    @Test func `every history has a sequential order`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            let cache = ResolverScopeCache()
            Resolver.defaultScope = cache
            for seed in 0..<Sanitizer.rounds(10_000) {
                let events = LinearizabilityTests.history(seed, cache)
                let isRight = LinearizabilityTests.canBeOrdered(events, after: Model())
                // The testing library discards the output of a failing process, so the process exits with success.
                if !isRight {
                    FileHandle.standardError.write(Data("seed \(seed): \(events)\n".utf8))
                    exit(0)
                }
            }
        }
        let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(!said.contains("seed "), "\(said)")
    }

    @Test func `the checker refuses a history with two instances`() {
        let first = Event(operation: .resolve, began: 1, ended: 2, version: 1, instance: 1)
        let second = Event(operation: .resolve, began: 3, ended: 4, version: 1, instance: 2)
        #expect(!LinearizabilityTests.canBeOrdered([first, second], after: Model()))
    }
}
