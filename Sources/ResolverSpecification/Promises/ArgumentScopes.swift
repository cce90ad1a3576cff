import ConcurrencySupport
import Testing

extension Specification {
    /// Lifetimes that keep one instance for each argument.
    static let forEachArgument: [Promise] = [
        Promise(
            "There is one instance for each value.", "ArgumentsAndScopes.md#one-instance-for-each-value",
            each: Lifetime.keeping
        ) { _, container, lifetime in
            forEach(container, lifetime)
            let first = try container.get(Numbered.self, Argument(1))
            let second = try container.get(Numbered.self, Argument(2))
            expect([first.number, second.number], is: [1, 2], "\(lifetime)")
            try expect(container.get(Numbered.self, Argument(1)) === first, "\(lifetime)")
            try expect(container.get(Numbered.self, Argument(2)) === second, "\(lifetime)")
        },
        Promise(
            "A call without arguments has an instance of its own.", "ArgumentsAndScopes.md#which-values-are-the-same",
            each: Lifetime.strong
        ) { _, container, lifetime in
            forEach(container, lifetime)
            try expect(container.number(Argument(1)), is: 1, "\(lifetime)")
            try expect(container.existing(Numbered.self), is: nil, "\(lifetime)")
            let own = try container.get(Numbered.self)
            expect(own.number, is: -1, "\(lifetime)")
            try expect(container.existing(Numbered.self) === own, "\(lifetime)")
        },
        Promise(
            "A reset releases the instances of all arguments.", "ArgumentsAndScopes.md#one-instance-for-each-value",
            each: Lifetime.strong
        ) { _, container, lifetime in
            let made = forEach(container, lifetime)
            for number in [1, 2] { _ = try container.number(Argument(number)) }
            container.reset(.lifetime(lifetime))
            for number in [1, 2] { _ = try container.number(Argument(number)) }
            expect(made.value, is: 4, "\(lifetime)")
        },
        Promise(
            "The instances of arguments are released with their hooks, the youngest first.",
            "ArgumentsAndScopes.md#one-instance-for-each-value", needs: [.hooks]
        ) { _, container in
            let released = Box<[Int]>([])
            container.registerByArgument(.cached).keptForEachArgument().onRelease { one in
                released.update { $0.append(one.number) }
            }
            for number in [2, 3, 1] { _ = try container.number(Argument(number)) }
            container.reset(.scopes)
            expect(released.value, is: [1, 3, 2])
        },
        Promise(
            "The instance of each argument has a time of its own.", "TimeToLive.md#in-which-scopes",
            needs: [.timeToLive]
        ) { system, container in
            container.registerByArgument(.cached).keptForEachArgument().setTimeToLive(60, fromCreation: true)
            let old = try container.get(Numbered.self, Argument(1))
            system.setTime(30)
            let young = try container.get(Numbered.self, Argument(2))
            system.setTime(60)
            try expect(container.get(Numbered.self, Argument(1)) !== old)
            try expect(container.get(Numbered.self, Argument(2)) === young)
        },
        Promise("A time that is changed counts anew for each argument.", "TimeToLive.md", needs: [.timeToLive]) {
            system, container in
            let registration = container.registerByArgument(.cached)
            registration.keepForEachArgument()
            registration.setTimeToLive(100, fromCreation: true)
            let one = try container.get(Numbered.self, Argument(1))
            system.setTime(50)
            registration.setTimeToLive(10, fromCreation: true)
            try expect(container.get(Numbered.self, Argument(1)) === one)
            system.setTime(60)
            try expect(container.get(Numbered.self, Argument(1)) !== one)
        },
        Promise(
            "An instance is kept for its argument although many others are made meanwhile and go.",
            "ArgumentsAndScopes.md#one-instance-for-each-value"
        ) { _, container in
            let made = Counter()
            container.register(Numbered.self, name: nil, line: 1) { container, argument in
                let number = argument?.value ?? 0
                if number == 0 {
                    made.increment()
                    for other in 1...300 { _ = try container.get(Numbered.self, Argument(other)) }
                }
                return Numbered(number)
            }.with(.shared).keepForEachArgument()
            let zero = try container.get(Numbered.self, Argument(0))
            try expect(container.get(Numbered.self, Argument(0)) === zero)
            expect(made.value, is: 1)
        },
        Promise(
            "A lifetime that keeps nothing makes an instance for each call.", "Scopes.md#more-about-a-lifetime",
            each: [Lifetime.graph, .unique]
        ) { _, container, lifetime in
            let made = forEach(container, lifetime)
            for _ in 1...2 { try expect(container.number(Argument(1)), is: 1, "\(lifetime)") }
            expect(made.value, is: 2, "\(lifetime)")
        },
        Promise(
            "A failure for one argument leaves the instances of others.",
            "ArgumentsAndScopes.md#one-instance-for-each-value"
        ) { _, container in
            container.register(Numbered.self, name: nil, line: 1) { _, argument in
                guard let argument, argument.value > 0 else { throw Mishap() }
                return Numbered(argument.value)
            }.with(.cached).keepForEachArgument()
            let one = try container.get(Numbered.self, Argument(1))
            for _ in 1...2 { try expect(container.failure(of: Numbered.self, Argument(0)).code, is: "factoryFailed") }
            try expect(container.get(Numbered.self, Argument(1)) === one)
        },
        Promise(
            "A factory may resolve its own service with another argument.", "ArgumentsAndScopes.md#recursive-factories"
        ) { system, _ in
            for lifetime in Lifetime.keeping {
                let (container, made) = tree(system, lifetime)
                let top = try container.get(Numbered.self, Argument(3))
                expect(top.number, is: 3, "\(lifetime)")
                expect(made.value, is: 4, "\(lifetime)")
                try expect(container.get(Numbered.self, Argument(3)) === top, "\(lifetime)")
            }
            for lifetime in Lifetime.plain {
                let (container, made) = tree(system, lifetime, isForEach: false)
                let top = try container.get(Numbered.self, Argument(3))
                expect(top.number == 3 && made.value == 4, "\(lifetime)")
                let kept = try container.existing(Numbered.self)
                expect(kept == nil || kept === top, "\(lifetime)")
            }
        },
        Promise(
            "The same argument while its instance is being made is a dependency cycle.",
            "ArgumentsAndScopes.md#recursive-factories", each: Lifetime.keeping
        ) { _, container, lifetime in
            container.register(Numbered.self, name: nil, line: 1) { container, argument in
                try container.get(Numbered.self, Argument(1 - (argument?.value ?? 0)))
            }.with(lifetime).keepForEachArgument()
            let failure = try container.failure(of: Numbered.self, Argument(0))
            expect(failure.code, is: "circularDependency", "\(lifetime)")
            expect(failure.types.first == "Numbered" && failure.types.last == "Numbered", "\(lifetime)")
        },
        Promise("The path of a dependency cycle with arguments has all that is on it.", "Errors.md") { _, container in
            container.register(Numbered.self, name: nil, line: 1) { container, argument in
                if argument?.value == 0 { return try container.get(Numbered.self, Argument(1)) }
                return try container.get(Holder<Numbered>.self).part
            }.with(.cached).keepForEachArgument()
            container.register { container in Holder(try container.get(Numbered.self, Argument(0))) }
            try expect(container.failure(of: Numbered.self, Argument(0)).path.count, is: 4)
        },
        Promise(
            "A properties block finds the unfinished object by the same argument.",
            "ArgumentsAndScopes.md#recursive-factories", needs: [.properties], each: Lifetime.keeping
        ) { _, container, lifetime in
            let found = Box<[Numbered]>([])
            container.registerByArgument(lifetime).keptForEachArgument().complete { container, _, argument in
                let again = try container.get(Numbered.self, argument)
                found.update { $0.append(again) }
            }
            let one = try container.get(Numbered.self, Argument(1))
            let two = try container.get(Numbered.self, Argument(2))
            expect(found.value.map(ObjectIdentifier.init), is: [one, two].map(ObjectIdentifier.init), "\(lifetime)")
        },
        Promise(
            "Equality and hash of arguments may resolve and register.",
            "ArgumentsAndScopes.md#which-values-are-the-same"
        ) { _, container in
            let made = forEach(container, .cached)
            let isInside = Box(false)
            let argument = Argument(1) { [unowned container] in
                guard !isInside.value else { return }
                isInside.set(true)
                _ = try? container.number(Argument(2))
                container.register { "registered meanwhile" }
                isInside.set(false)
            }
            let one = try container.get(Numbered.self, argument)
            try expect(container.get(Numbered.self, argument) === one)
            try expect(container.get(String.self), is: "registered meanwhile")
            expect(made.value, is: 2)
        },
        Promise(
            "An instance for an argument is made once for all threads, and others do not wait for it.",
            "ArgumentsAndScopes.md#one-instance-for-each-value", needs: [.threads]
        ) { _, container in
            let bothMake = Rendezvous(2)
            let made = Counter()
            container.register(Numbered.self, name: nil, line: 1) { _, argument in
                made.increment()
                bothMake.arriveAndWait()
                return Numbered(argument?.value ?? -1)
            }.with(.cached).keepForEachArgument()
            let all = try await Threads.results(6) { try container.get(Numbered.self, Argument($0 % 2)) }
            expect(made.value, is: 2)
            for (index, one) in all.enumerated() { expect(one === all[index % 2]) }
        },
    ]

    /// Lets the container keep one object for each argument, and returns the number of objects it has made.
    @discardableResult
    private static func forEach(_ container: any ContainerUnderTest, _ lifetime: Lifetime) -> Counter {
        let made = Counter()
        container.register(Numbered.self, name: nil, line: 1) { _, argument in
            made.increment()
            return Numbered(argument?.value ?? -1)
        }.with(lifetime).keepForEachArgument()
        return made
    }

    /// Registers a chain of services, each made from the one below.
    private static func tree(
        _ system: any SystemUnderTest, _ lifetime: Lifetime, isForEach: Bool = true
    ) -> (any ContainerUnderTest, Counter) {
        let container = system.makeContainer()
        let made = Counter()
        let registration = container.register(Numbered.self, name: nil, line: 1) { container, argument in
            made.increment()
            guard let argument, argument.value > 0 else { return Numbered(0) }
            return Numbered(try container.number(Argument(argument.value - 1)) + 1)
        }
        registration.setLifetime(lifetime)
        if isForEach { registration.keepForEachArgument() }
        return (container, made)
    }
}
