import Testing

extension Specification {
    /// Lifetimes of instances, and the calls that share them.
    static let lifetimes: [Promise] = keeping + singletons + resolutionCycle

    private static let keeping: [Promise] = [
        Promise("An instance that is kept is made once.", "Scopes.md", each: Lifetime.strong) {
            _, container, lifetime in
            container.registerNumbered(lifetime)
            for _ in 1...3 { try expect(container.number(), is: 1, "\(lifetime)") }
        },
        Promise("A unique service is made for each call.", "Scopes.md") { _, container in
            container.registerNumbered(.unique)
            for number in 1...3 { try expect(container.number(), is: number) }
        },
        Promise("A unique service is made for each call within one resolution.", "Scopes.md") { _, container in
            _ = container.registerLeaf(.unique)
            container.register { container in Pair(try container.get(Leaf.self), try container.get(Leaf.self)) }
            let pair = try container.get(Pair.self)
            expect(pair.first !== pair.second)
        },
        Promise("The default lifetime is that of one resolution.", "Scopes.md#the-default") { _, container in
            container.register { Leaf() }
            container.register { container in Pair(try container.get(Leaf.self), try container.get(Leaf.self)) }
            let pair = try container.get(Pair.self)
            expect(pair.first === pair.second)
            try expect(container.get(Pair.self).first !== pair.first)
        },
        Promise("A shared instance is handed out while a caller holds it.", "Scopes.md") { _, container in
            _ = container.registerLeaf(.shared)
            let leaf = try container.get(Leaf.self)
            try expect(container.get(Leaf.self) === leaf)
            try expect(container.existing(Leaf.self) === leaf)
        },
        Promise("A shared instance goes with its last holder.", "Scopes.md") { _, container in
            let counter = Counter()
            container.register {
                counter.increment()
                return Leaf()
            }.setLifetime(.shared)
            weak var leaf = try container.get(Leaf.self)
            expect(leaf, is: nil)
            try expect(container.existing(Leaf.self), is: nil)
            _ = try container.get(Leaf.self)
            expect(counter.value, is: 2)
        },
        Promise("Values are kept where objects are kept strongly.", "Scopes.md", each: Lifetime.strong) {
            _, container, lifetime in
            let counter = Counter()
            container.register { Price(number: counter.increment()) }.setLifetime(lifetime)
            for _ in 1...3 { try expect(container.get(Price.self).number, is: 1, "\(lifetime)") }
        },
        Promise("Values are made anew in all other lifetimes.", "Scopes.md", each: [Lifetime.graph, .unique, .shared]) {
            _, container, lifetime in
            let counter = Counter()
            container.register { Price(number: counter.increment()) }.setLifetime(lifetime)
            for number in 1...3 { try expect(container.get(Price.self).number, is: number, "\(lifetime)") }
        },
        Promise("A kept instance lives without any other holder.", "Scopes.md", each: Lifetime.strong) {
            _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            weak var leaf = try container.get(Leaf.self)
            withExtendedLifetime(container) { expect(leaf != nil, "\(lifetime)") }
        },
        Promise("What a container keeps goes with the container.", "Scopes.md") { system, _ in
            for lifetime in [Lifetime.cached, .container, .custom] {
                weak var leaf: Leaf?
                do {
                    let container = system.makeContainer()
                    _ = container.registerLeaf(lifetime)
                    leaf = try container.get(Leaf.self)
                    withExtendedLifetime(container) { expect(leaf != nil, "\(lifetime)") }
                }
                expect(leaf, is: nil, "\(lifetime)")
            }
        },
        Promise("Two containers keep two instances.", "Migrating.md#what-behaves-differently") { system, _ in
            for lifetime in [Lifetime.cached, .container, .custom, .shared] {
                let containers = [system.makeContainer(), system.makeContainer()]
                for container in containers { _ = container.registerLeaf(lifetime, line: 1) }
                let leaf = try containers[0].get(Leaf.self)
                try expect(containers[1].get(Leaf.self) !== leaf, "\(lifetime)")
                try expect(containers[0].get(Leaf.self) === leaf, "\(lifetime)")
            }
        },
        Promise(
            "A container may have a default lifetime of its own.", "Scopes.md#the-default",
            needs: [.defaultLifetime, .children]
        ) { system, container in
            let other = system.makeContainer()
            container.setDefaultLifetime(.cached)
            for container in [container, other] { container.register { Leaf() } }
            try expect(container.get(Leaf.self) === container.get(Leaf.self))
            try expect(other.get(Leaf.self) !== other.get(Leaf.self))
            _ = container.registerLeaf(.unique, name: "unique")
            try expect(container.get(Leaf.self, name: "unique") !== container.get(Leaf.self, name: "unique"))
            container.add(other)
            other.register { Parent() }
            try expect(container.get(Parent.self) !== container.get(Parent.self), "its children have none")
            container.setDefaultLifetime(nil)
            container.register { OtherLeaf() }
            try expect(container.get(OtherLeaf.self) !== container.get(OtherLeaf.self))
        },
        Promise(
            "The default lifetime is fixed when a service is registered.", "Scopes.md#the-default",
            needs: [.defaultLifetime]
        ) { _, container in
            container.register { Leaf() }
            container.setDefaultLifetime(.cached)
            try expect(container.get(Leaf.self) !== container.get(Leaf.self))
        },
    ]

    private static let singletons: [Promise] = [
        Promise("Containers on which one call has run share its singleton.", "Scopes.md", needs: [.sharedSingletons]) {
            system, _ in
            let containers = [system.makeContainer(), system.makeContainer()]
            for container in containers { _ = container.registerLeaf(.application, line: 1) }
            let leaf = try containers[0].get(Leaf.self)
            try expect(containers[1].get(Leaf.self) === leaf)
            try expect(containers[0].get(Leaf.self) === leaf)
        },
        Promise("A singleton outlives its containers.", "Scopes.md", needs: [.lastingSingletons]) { system, _ in
            weak var leaf: Leaf?
            for _ in 1...2 {
                let container = system.makeContainer()
                _ = container.registerLeaf(.application, line: 1)
                let again = try container.get(Leaf.self)
                expect(leaf == nil || leaf === again)
                leaf = again
            }
            expect(leaf != nil)
        },
        Promise("Another call of `register` is another singleton.", "Scopes.md") { system, _ in
            let containers = [system.makeContainer(), system.makeContainer()]
            _ = containers[0].registerLeaf(.application, line: 1)
            _ = containers[1].registerLeaf(.application, line: 2)
            let leaf = try containers[0].get(Leaf.self)
            try expect(containers[1].get(Leaf.self) !== leaf)
            try expect(containers[0].get(Leaf.self) === leaf)
        },
        Promise("The same call with another name is another singleton.", "Scopes.md") { _, container in
            for name in ["a", "b"] { _ = container.registerLeaf(.application, name: name, line: 1) }
            try expect(container.get(Leaf.self, name: "a") !== container.get(Leaf.self, name: "b"))
        },
        Promise(
            "Another registration releases a singleton for all that share it.", "Scopes.md", needs: [.sharedSingletons]
        ) { system, _ in
            let containers = [system.makeContainer(), system.makeContainer()]
            for container in containers { _ = container.registerLeaf(.application, line: 1) }
            let leaf = try containers[0].get(Leaf.self)
            _ = containers[0].registerLeaf(.application, line: 2)
            try expect(containers[1].existing(Leaf.self), is: nil)
            try expect(containers[1].get(Leaf.self) !== leaf)
        },
    ]
}
