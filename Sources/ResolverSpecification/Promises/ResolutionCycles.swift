import ConcurrencySupport
import Testing

extension Specification {
    /// Instances that are shared within one resolution cycle.
    static let resolutionCycle: [Promise] = [
        Promise("One call makes one object of a registration, two calls make two.", "ResolutionCycle.md") {
            _, container in
            registerParts(on: container)
            let one = try container.get(Holder<Pair>.self).part
            let two = try container.get(Holder<Pair>.self).part
            expect(one.first === one.second)
            expect(one.first !== two.first)
        },
        Promise("Parts are shared whatever the lifetime of the whole is.", "ResolutionCycle.md", each: Lifetime.plain) {
            _, container, lifetime in
            registerParts(on: container)
            container.register { container in
                Pair(try container.get(Leaf.self), try container.get(Holder<Leaf>.self).part)
            }.setLifetime(lifetime)
            let pair = try container.get(Pair.self)
            expect(pair.first === pair.second, "\(lifetime)")
        },
        Promise(
            "Parts of any lifetime share the objects of one resolution.", "ResolutionCycle.md", each: Lifetime.plain
        ) { _, container, lifetime in
            registerParts(on: container)
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
            let pair = try container.get(Pair.self)
            expect(pair.first === pair.second, "\(lifetime)")
        },
        Promise("The objects belong to registrations, not to types.", "ResolutionCycle.md") { _, container in
            _ = container.registerLeaf(.graph)
            _ = container.registerLeaf(.graph, name: "other")
            container.register { container in
                Pair(try container.get(Leaf.self), try container.get(Leaf.self, name: "other"))
            }
            let pair = try container.get(Pair.self)
            expect(pair.first !== pair.second)
        },
        Promise("Two containers have two objects in one resolution.", "ResolutionCycle.md") { system, other in
            _ = other.registerLeaf(.graph, line: 1)
            let container = system.makeContainer()
            _ = container.registerLeaf(.graph, line: 1)
            container.register { container in Pair(try container.get(Leaf.self), try other.get(Leaf.self)) }
            let pair = try container.get(Pair.self)
            expect(pair.first !== pair.second)
        },
        Promise("Values are made anew within one resolution.", "ResolutionCycle.md") { _, container in
            let counter = Counter()
            container.register { Price(number: counter.increment()) }
            container.register { container in
                Holder([try container.get(Price.self).number, try container.get(Price.self).number])
            }
            try expect(container.get(Holder<[Int]>.self).part, is: [1, 2])
        },
        Promise("Objects are released when the resolution ends, the youngest first.", "ResolutionCycle.md") {
            _, container in
            let log = Log()
            let leaves = Box<[Leaf]>([])
            _ = container.registerLeaf(.graph)
            for name in ["old", "young"] {
                container.register(name: name) { [unowned container] in
                    Mortal {
                        log.note(name)
                        if let leaf = try? container.get(Leaf.self) { leaves.append(leaf) }
                    }
                }
            }
            container.register { container in
                try leaves.append(container.get(Leaf.self))
                for name in ["old", "young"] { _ = try container.get(Mortal.self, name: name) }
                log.note("made")
                return OtherLeaf()
            }
            _ = try container.get(OtherLeaf.self)
            expect(log.value, is: ["made", "young", "old"])
            expect(Set(leaves.value.map(ObjectIdentifier.init)).count, is: 3, "each deinitializer has a resolution")
        },
        Promise("An object that a caller holds outlives the resolution.", "ResolutionCycle.md") { _, container in
            registerParts(on: container)
            let leaf = try container.get(Holder<Leaf>.self).part
            weak var again = leaf
            expect(again != nil)
            withExtendedLifetime(leaf) {}
        },
        Promise(
            "An object joins the resolution before its properties are resolved.", "ResolutionCycle.md",
            needs: [.properties]
        ) { _, container in
            let found = Box<Leaf?>(nil)
            container.registerLeaf(.graph).complete { container, _, _ in try found.set(container.get(Leaf.self)) }
            let leaf = try container.get(Leaf.self)
            expect(found.value === leaf)
        },
        Promise("A thread that a factory starts has a resolution of its own.", "ResolutionCycle.md", needs: [.threads])
        { _, container in
            _ = container.registerLeaf(.graph)
            container.register { container in
                Pair(try container.get(Leaf.self), try Threads.wait { try container.get(Leaf.self) })
            }
            let pair = try await Threads.results({ try container.get(Pair.self) })[0]
            expect(pair.first !== pair.second)
        },
        Promise("A failed call leaves nothing of its resolution to the next.", "ResolutionCycle.md") { _, container in
            let made = Box<[Leaf]>([])
            let isBroken = Box(true)
            _ = container.registerLeaf(.graph)
            container.register { container in
                let leaf = try container.get(Leaf.self)
                made.update { $0.append(leaf) }
                if isBroken.value { throw Mishap() }
                return Holder(leaf)
            }
            _ = try container.failure(of: Holder<Leaf>.self)
            isBroken.set(false)
            let holder = try container.get(Holder<Leaf>.self)
            expect(made.value.first !== holder.part)
        },
    ]

    /// Registers a pair whose parts are resolved in two ways.
    private static func registerParts(on container: any ContainerUnderTest) {
        _ = container.registerLeaf(.graph)
        container.register { container in Holder(try container.get(Leaf.self)) }
        container.register { container in
            Pair(try container.get(Leaf.self), try container.get(Holder<Leaf>.self).part)
        }
        container.register { container in Holder(try container.get(Pair.self)) }
    }
}
