import ConcurrencySupport
import Testing

extension Specification {
    /// Resets while instances are being made.
    static let resetsMeanwhile: [Promise] = [
        Promise("What is made during a reset goes to its caller and is not kept.", "Resetting.md#what-it-means") {
            system, _ in
            for lifetime in Lifetime.keeping {
                for part in [ResetPart.lifetime(lifetime), .all] {
                    let container = system.makeContainer()
                    container.register { [unowned container] in
                        container.reset(part)
                        return Leaf()
                    }.setLifetime(lifetime)
                    let leaf = try container.get(Leaf.self)
                    try expect(container.existing(Leaf.self), is: nil, "\(lifetime), \(part)")
                    try expect(container.optional(Leaf.self) !== leaf, "\(lifetime), \(part)")
                }
            }
        },
        Promise(
            "What is made while it is registered again is not kept.", "Scopes.md",
            each: [Lifetime.cached, .container, .custom, .application, .shared]
        ) { _, container, lifetime in
            let isFirst = Box(true)
            container.register { [unowned container] in
                if isFirst.value {
                    isFirst.set(false)
                    _ = container.registerLeaf(lifetime)
                }
                return Leaf()
            }.setLifetime(lifetime)
            let leaf = try container.get(Leaf.self)
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            try expect(container.get(Leaf.self) !== leaf, "\(lifetime)")
        },
        Promise(
            "A reset never waits for a factory.", "Resetting.md#what-it-means", needs: [.threads], each: Lifetime.strong
        ) { _, container, lifetime in
            let pause = Pause()
            container.register { pause.blocking(Leaf()) }.setLifetime(lifetime)
            let leaves = try await Threads.results(
                { () throws -> Leaf? in try container.get(Leaf.self) },
                {
                    pause.hasBegun.wait()
                    container.reset(.lifetime(lifetime))
                    pause.mayEnd.open()
                    return nil
                })
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            try expect(container.get(Leaf.self) !== leaves[0], "\(lifetime)")
        },
        Promise(
            "A caller that comes after a reset, or after another registration, gets another instance.",
            "Resetting.md#what-it-means", needs: [.threads], each: [true, false]
        ) { _, container, isReset in
            let pause = Pause()
            let counter = Counter()
            let register: @Sendable () -> Void = {
                container.register {
                    let number = counter.increment()
                    if number == 1 { pause.block() }
                    return Numbered(number)
                }.setLifetime(.cached)
            }
            register()
            let numbers = try await Threads.results(
                { try container.number() },
                {
                    pause.hasBegun.wait()
                    if isReset { container.reset(.scopes) } else { register() }
                    defer { pause.mayEnd.open() }
                    return try container.number()
                })
            expect(numbers, is: [1, 2], "\(isReset)")
            try expect(container.number(), is: 2, "\(isReset)")
        },
    ]
}
