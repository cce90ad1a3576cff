import ConcurrencySupport
import Testing

extension Specification {
    /// Dependency cycles, and references that are none.
    static let cycles: [Promise] = dependencyCycles + references + cyclesOfThreads

    private static let dependencyCycles: [Promise] = [
        Promise(
            "Two services that need each other are an error with the path.", "CyclicDependencies.md",
            each: Lifetime.plain
        ) { _, container, lifetime in
            registerCycle(on: container, lifetime)
            try expect(
                container.failure(of: Chicken.self),
                is: Failure("circularDependency", ["Chicken@1", "Egg@2", "Chicken@1"]),
                "\(lifetime)")
        },
        Promise("A service that needs itself is an error.", "ResolutionCycle.md", each: Lifetime.plain) {
            _, container, lifetime in
            container.register(Leaf.self, line: 1) { container in try container.get(Leaf.self) }
                .setLifetime(lifetime)
            try expect(
                container.failure(of: Leaf.self), is: Failure("circularDependency", ["Leaf@1", "Leaf@1"]),
                "\(lifetime)")
        },
        Promise("The path of a dependency cycle begins where the cycle does.", "Errors.md") { _, container in
            registerCycle(on: container, .graph)
            container.register { container in Holder(try container.get(Chicken.self)) }
            try expect(container.failure(of: Holder<Chicken>.self).types, is: ["Chicken", "Egg", "Chicken"])
        },
        Promise("A dependency cycle leaves nothing that is kept.", "Errors.md", each: Lifetime.strong) {
            _, container, lifetime in
            registerCycle(on: container, lifetime)
            _ = try container.failure(of: Chicken.self)
            try expect(container.existing(Chicken.self), is: nil, "\(lifetime)")
            try expect(container.existing(Egg.self), is: nil, "\(lifetime)")
            container.register { Egg() }.setLifetime(lifetime)
            try expect(container.optional(Chicken.self) != nil, "\(lifetime)")
        },
        Promise("Two ways to one service are no dependency cycle.", "Threads.md", each: Lifetime.plain) {
            _, container, lifetime in
            _ = container.registerLeaf(lifetime)
            container.register { container in Holder(try container.get(Leaf.self)) }.setLifetime(lifetime)
            container.register { container in
                Pair(try container.get(Holder<Leaf>.self).part, try container.get(Leaf.self))
            }.setLifetime(lifetime)
            _ = try container.get(Pair.self)
        },
        Promise("A service that resolves the same type by another name is no dependency cycle.", "Names.md") {
            _, container in
            container.register { container in try container.get(String.self, name: "inner") + "!" }
            container.register(name: "inner") { "inner" }
            try expect(container.get(String.self), is: "inner!")
        },
        Promise("An alias has the dependency cycles of its service.", "CyclicDependencies.md", needs: [.aliases]) {
            _, container in
            container.register { container in
                _ = try container.get((any Role).self)
                return Leaf()
            }.implement((any Role).self, name: nil, line: 9)
            try expect(container.failure(of: Leaf.self).code, is: "circularDependency")
            try expect(container.failure(of: (any Role).self).code, is: "circularDependency")
        },
        Promise(
            "A properties block finds its own object by the second key.", "CyclicDependencies.md",
            needs: [.aliases, .properties], each: [Lifetime.graph, .cached, .container, .application, .shared, .custom]
        ) { _, container, lifetime in
            let found = Box<(any Role)?>(nil)
            let registration = container.registerLeaf(lifetime)
            registration.implement((any Role).self, name: nil, line: 9)
            registration.complete { container, _, _ in try found.set(container.get((any Role).self)) }
            let role = try container.get((any Role).self)
            expect(found.value === role, "\(lifetime)")
            found.set(nil)
        },
        Promise(
            "Aliases that stand only for each other are a dependency cycle.", "CyclicDependencies.md", needs: [.aliases]
        ) { _, container in
            let role = container.register { Leaf() as any Role }
            let vacancy: any RegistrationUnderTest<any Vacancy> = container.register { nil }
            role.implement((any Vacancy).self, name: nil, line: 1)
            vacancy.implement((any Role).self, name: nil, line: 2)
            try expect(container.failure(of: (any Role).self).code, is: "circularDependency")
            try expect(container.failure(of: (any Vacancy).self).code, is: "circularDependency")
            container.register(name: "itself") { Leaf() as any Role }
                .implement((any Role).self, name: "itself", line: 3)
            try expect(container.failure(of: (any Role).self, name: "itself").code, is: "circularDependency")
            try expect(container.existing((any Role).self, name: "itself"), is: nil)
        },
    ]

    private static let references: [Promise] = [
        Promise(
            "Two objects may refer to each other by their properties.", "CyclicDependencies.md#properties",
            needs: [.properties], each: [Lifetime.graph, .cached, .container, .application, .shared, .custom]
        ) { _, container, lifetime in
            registerFamily(on: container, lifetime)
            let parent = try container.get(Parent.self)
            expect(parent.child?.parent === parent, "\(lifetime)")
        },
        Promise(
            "Two objects that refer to each other may be asked for from either end.",
            "CyclicDependencies.md#properties", needs: [.properties],
            each: [Lifetime.cached, .container, .application, .custom]
        ) { _, container, lifetime in
            registerFamily(on: container, lifetime)
            let child = try container.get(Child.self)
            expect(child.parent?.child === child, "\(lifetime)")
            try expect(container.get(Parent.self) === child.parent, "\(lifetime)")
        },
        Promise(
            "Unique objects that refer to each other are a dependency cycle.", "CyclicDependencies.md#properties",
            needs: [.properties]
        ) { _, container in
            registerFamily(on: container, .unique)
            try expect(container.failure(of: Parent.self).code, is: "circularDependency")
        },
        Promise(
            "A block of properties that fails leaves nothing that is kept.", "Errors.md", needs: [.properties],
            each: Lifetime.keeping
        ) { _, container, lifetime in
            let isBroken = Box(true)
            container.registerLeaf(lifetime).complete { _, _, _ in if isBroken.value { throw Mishap() } }
            let failure = try container.failure(of: Leaf.self)
            expect(failure.code, is: "factoryFailed", "\(lifetime)")
            expect(failure.underlying is Mishap, "\(lifetime)")
            try expect(container.existing(Leaf.self), is: nil, "\(lifetime)")
            isBroken.set(false)
            try expect(container.optional(Leaf.self) != nil, "\(lifetime)")
        },
    ]

    private static let cyclesOfThreads: [Promise] = [
        Promise(
            "Threads that need each other's instances get an error with the path, and a later call tries again.",
            "CyclicDependencies.md", needs: [.threads], each: Lifetime.keeping
        ) { _, container, lifetime in
            let bothMake = Rendezvous(2)
            container.register { container in
                bothMake.arriveAndWait()
                return Chicken(try container.get(Egg.self))
            }.setLifetime(lifetime)
            container.register { container in
                bothMake.arriveAndWait()
                return Egg(try container.get(Chicken.self))
            }.setLifetime(lifetime)
            let failures = try await Threads.results(
                { try container.failure(of: Chicken.self) }, { try container.failure(of: Egg.self) })
            expect(failures.map(\.code), is: ["circularDependency", "circularDependency"], "\(lifetime)")
            for failure in failures {
                expect(Set(failure.types), is: ["Chicken", "Egg"], "\(lifetime)")
                expect(failure.path.count == 3 && failure.path.first == failure.path.last, "\(lifetime)")
            }
            container.register { Egg() }.setLifetime(lifetime)
            try expect(container.optional(Chicken.self) != nil, "\(lifetime)")
        },
        Promise(
            "Threads may ask for two objects that refer to each other from both ends.",
            "CyclicDependencies.md#properties", needs: [.threads, .properties], each: Lifetime.strong
        ) { _, container, lifetime in
            let bothMade = Rendezvous(2)
            registerFamily(on: container, lifetime) { bothMade.arriveAndWait() }
            let (made, ends) = (Box<[Parent]>([]), Box<[Child]>([]))
            _ = try await Threads.results(
                { try made.append(container.get(Parent.self)) },
                { try ends.append(container.get(Child.self)) })
            let parent = try #require(made.value.first)
            expect(parent.child === ends.value.first, "\(lifetime)")
            expect(parent.child?.parent === parent, "\(lifetime)")
            try expect(container.get(Parent.self) === parent, "\(lifetime)")
        },
        Promise(
            "No dependency cycle is reported where threads only wait for one instance.", "Threads.md", needs: [.threads]
        ) { _, container in
            let areAsking = Rendezvous(4)
            container.register {
                areAsking.arriveAndWait()
                return Leaf()
            }.setLifetime(.cached)
            for name in ["a", "b", "c"] {
                container.register(name: name) { container in
                    areAsking.arrive()
                    return Holder(try container.get(Leaf.self))
                }.setLifetime(.cached)
            }
            let names = ["a", "b", "c"]
            let parts = try await Threads.results(3) { try container.get(Holder<Leaf>.self, name: names[$0]).part }
            expect(parts.allSatisfy { $0 === parts[0] })
        },
    ]

    private final class Chicken: Sendable {
        init(_ egg: Egg) {}
    }

    private final class Egg: Sendable {
        init(_ chicken: Chicken? = nil) {}
    }

    private static func registerCycle(on container: any ContainerUnderTest, _ lifetime: Lifetime) {
        container.register(line: 1) { container in Chicken(try container.get(Egg.self)) }.setLifetime(lifetime)
        container.register(line: 2) { container in Egg(try container.get(Chicken.self)) }.setLifetime(lifetime)
    }

    /// Registers a parent and a child that refer to each other. `complete` runs before either resolves the other.
    private static func registerFamily(
        on container: any ContainerUnderTest, _ lifetime: Lifetime, complete: @escaping @Sendable () -> Void = {}
    ) {
        let isFirst = (parent: Box(true), child: Box(true))
        let parent = container.register { Parent() }
        parent.setLifetime(lifetime)
        parent.complete { container, parent, _ in
            if isFirst.parent.value { complete() }
            isFirst.parent.set(false)
            parent.child = try container.get(Child.self)
        }
        let child = container.register { Child() }
        child.setLifetime(lifetime)
        child.complete { container, child, _ in
            if isFirst.child.value { complete() }
            isFirst.child.set(false)
            child.parent = try container.get(Parent.self)
        }
    }
}
