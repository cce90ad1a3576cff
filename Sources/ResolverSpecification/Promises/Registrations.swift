import ConcurrencySupport
import Testing

extension Specification {
    /// Aliases: further types and names of a registration.
    static let aliases: [Promise] = [
        Promise("Both keys of a registration answer the same instance.", "Registering.md#protocols", needs: [.aliases])
        { system, _ in
            let lifetimes = Lifetime.keeping
            for (lifetime, standard) in lifetimes.flatMap({ [($0, Lifetime.graph), ($0, .unique)] }) {
                let container = system.makeContainer()
                container.setDefaultLifetime(standard)
                container.registerLeaf(lifetime).implement((any Role).self, name: nil, line: 1)
                let leaf = try container.get(Leaf.self)
                try expect(container.get((any Role).self) === leaf, "\(lifetime), \(standard)")
                try expect(container.existing((any Role).self) === leaf, "\(lifetime), \(standard)")
            }
        },
        Promise(
            "Both keys answer the same instance within one resolution.", "Registering.md#protocols", needs: [.aliases]
        ) { _, container in
            container.registerLeaf(.graph).implement((any Role).self, name: nil, line: 1)
            container.register { container in
                let role = try #require(try container.get((any Role).self) as? Leaf)
                return Pair(try container.get(Leaf.self), role)
            }
            let pair = try container.get(Pair.self)
            expect(pair.first === pair.second)
        },
        Promise("The second key may have a name of its own.", "Names.md", needs: [.aliases]) { _, container in
            container.registerLeaf(.cached, name: "live").implement((any Role).self, name: "role", line: 1)
            let leaf = try container.get(Leaf.self, name: "live")
            try expect(container.get((any Role).self, name: "role") === leaf)
            try expect(container.optional((any Role).self), is: nil)
            try expect(container.optional((any Role).self, name: "live"), is: nil)
        },
        Promise("A named service answers for its protocol.", "Migrating.md#what-behaves-differently", needs: [.aliases])
        { _, container in
            container.registerLeaf(.cached, name: "live").implement((any Role).self, name: nil, line: 1)
            let role = try container.get((any Role).self)
            try expect(container.get(Leaf.self, name: "live") === role)
            try expect(container.optional(Leaf.self), is: nil)
        },
        Promise("Where a service does not conform, there is none.", "Registering.md#protocols", needs: [.aliases]) {
            _, container in
            container.registerLeaf(.cached).implement((any Vacancy).self, name: nil, line: 1)
            try expect(container.optional((any Vacancy).self), is: nil)
            try expect(container.failure(of: (any Vacancy).self).code, is: "factoryReturnedNil")
            try expect(container.optional(Leaf.self) != nil)
        },
        Promise(
            "A second key may be added to a kept instance.", "Modifiers.md#when-a-modifier-takes-effect",
            needs: [.aliases]
        ) { _, container in
            let registration = container.registerLeaf(.cached)
            let leaf = try container.get(Leaf.self)
            registration.implement((any Role).self, name: nil, line: 1)
            try expect(container.get((any Role).self) === leaf)
        },
        Promise(
            "Where a factory returns nil, its protocol is nil, too.", "Migrating.md#what-behaves-differently",
            needs: [.aliases]
        ) { _, container in
            container.register(Leaf.self) { nil }.implement((any Role).self, name: nil, line: 1)
            try expect(container.optional((any Role).self), is: nil)
            try expect(container.failure(of: (any Role).self).code, is: "factoryReturnedNil")
        },
    ]

    /// Modifiers of a registration that is in use.
    static let modifiers: [Promise] = [
        Promise("Properties are resolved for each new instance.", "Registering.md#properties", needs: [.properties]) {
            _, container in
            let completed = Counter()
            container.registerLeaf(.unique).complete { _, _, _ in completed.increment() }
            for number in 1...3 {
                _ = try container.get(Leaf.self)
                expect(completed.value, is: number)
            }
            container.register { container in
                weak var leaf = try container.get(Leaf.self)
                expect(leaf, is: nil, "the resolution does not hold it")
                return OtherLeaf()
            }
            _ = try container.get(OtherLeaf.self)
        },
        Promise(
            "Properties are never resolved for a kept instance.", "Registering.md#properties", needs: [.properties],
            each: Lifetime.keeping
        ) { _, container, lifetime in
            let completed = Counter()
            container.registerLeaf(lifetime).complete { _, _, _ in completed.increment() }
            let leaf = try container.get(Leaf.self)
            for function in SyncFunction.allCases {
                try expect(container.ask(function, Leaf.self, name: nil, nil) === leaf)
            }
            expect(completed.value, is: 1, "\(lifetime)")
        },
        Promise(
            "A properties block is given the instance that the caller gets.", "Registering.md#properties",
            needs: [.properties]
        ) { _, container in
            let seen = Box<Leaf?>(nil)
            container.registerLeaf(.unique).complete { _, leaf, _ in seen.set(leaf) }
            let leaf = try container.get(Leaf.self)
            expect(seen.value === leaf)
        },
        Promise("Another lifetime releases what is kept.", "Modifiers.md#when-a-modifier-takes-effect") { system, _ in
            for lifetime in [Lifetime.cached, .container, .custom, .shared] {
                for next in [Lifetime.cached, .container, .custom, .unique] where next != lifetime {
                    let container = system.makeContainer()
                    let registration = container.registerLeaf(lifetime)
                    let leaf = try container.get(Leaf.self)
                    registration.setLifetime(next)
                    try expect(container.existing(Leaf.self), is: nil, "\(lifetime), \(next)")
                    try expect(container.get(Leaf.self) !== leaf, "\(lifetime), \(next)")
                }
            }
        },
        Promise(
            "A singleton outlives another lifetime of its registration.", "Modifiers.md#when-a-modifier-takes-effect",
            needs: [.sharedSingletons]
        ) { system, _ in
            let (container, other) = (system.makeContainer(), system.makeContainer())
            let registration = container.registerLeaf(.application, line: 1)
            _ = other.registerLeaf(.application, line: 1)
            let leaf = try container.get(Leaf.self)
            registration.setLifetime(.cached)
            try expect(container.get(Leaf.self) !== leaf)
            container.reset(.lifetime(.cached))
            try expect(other.get(Leaf.self) === leaf)
            registration.setLifetime(.application)
            try expect(container.get(Leaf.self) === leaf)
            registration.setLifetime(.custom)
            _ = container.registerLeaf(.graph)
            try expect(other.get(Leaf.self) === leaf, "its registration was another one's")
        },
        Promise(
            "To keep one instance for each argument releases the one that is kept.",
            "Modifiers.md#when-a-modifier-takes-effect", needs: [.arguments]
        ) { _, container in
            let registration = container.registerByArgument(.cached)
            try expect(container.number(Argument(1)), is: 1)
            registration.keepForEachArgument()
            try expect(container.existing(Numbered.self), is: nil)
            try expect(container.number(Argument(2)), is: 2)
        },
        Promise(
            "A properties block that is added late leaves the kept instance as it is.",
            "Modifiers.md#when-a-modifier-takes-effect", needs: [.properties]
        ) { _, container in
            let completed = Counter()
            let registration = container.registerLeaf(.cached)
            _ = try container.get(Leaf.self)
            registration.complete { _, _, _ in completed.increment() }
            _ = try container.get(Leaf.self)
            expect(completed.value, is: 0)
            container.reset(.scopes)
            _ = try container.get(Leaf.self)
            expect(completed.value, is: 1)
        },
        Promise(
            "A hook that is added late is for the next instance.", "Modifiers.md#when-a-modifier-takes-effect",
            needs: [.hooks]
        ) { _, container in
            let released = Box<[Int]>([])
            let registration = container.registerNumbered(.cached)
            _ = try container.get(Numbered.self)
            registration.onRelease { one in released.update { $0.append(one.number) } }
            container.reset(.scopes)
            expect(released.value, is: [])
            _ = try container.get(Numbered.self)
            container.reset(.scopes)
            expect(released.value, is: [2])
        },
        Promise(
            "The order of the modifiers does not matter.", "Scopes.md#more-about-a-lifetime",
            needs: [.arguments, .timeToLive], each: [true, false]
        ) { system, container, isFirst in
            container.registerByArgument(isFirst ? .cached : .graph).expiring(60, fromCreation: true)
                .keptForEachArgument().setLifetime(.cached)
            let one = try container.get(Numbered.self, Argument(1))
            let other = try container.get(Numbered.self, Argument(2))
            expect(one !== other)
            try expect(container.get(Numbered.self, Argument(1)) === one)
            system.setTime(60)
            try expect(container.get(Numbered.self, Argument(1)) !== one)
            system.setTime(0)
        },
    ]
}
