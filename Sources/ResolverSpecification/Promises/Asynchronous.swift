import ConcurrencySupport
import Testing

extension Specification {
    /// Services that are made asynchronously.
    static let asynchronous: [Promise] =
        (asynchronousDoors + asynchronousCreations + asynchronousChanges + tasks).map { $0.needing(.async) }

    private static let asynchronousDoors: [Promise] = [
        Promise("A service that is made asynchronously is kept as others are.", "AsyncServices.md") { system, _ in
            for lifetime in Lifetime.plain {
                let container = system.makeContainer()
                container.registerNumberedAsync(lifetime)
                let first = try await container.getAsync(Numbered.self)
                let second = try await container.getAsync(Numbered.self)
                let isKept = Lifetime.strong.contains(lifetime) || lifetime == .shared
                expect(first === second, is: isKept, "\(lifetime)")
                expect([first.number, second.number], is: [1, isKept ? 1 : 2], "\(lifetime)")
            }
            let container = system.makeContainer()
            container.registerAsync((any Role).self, name: nil, line: 1) { _, _ in Leaf() }.setLifetime(.shared)
            let role = try await container.getAsync((any Role).self)
            try await expect(container.getAsync((any Role).self) === role)
        },
        Promise("Asynchronous calls serve every registration.", "AsyncServices.md") { _, container in
            _ = container.registerLeaf(.cached)
            let leaf = try container.get(Leaf.self)
            for function in AsyncFunction.allCases {
                try await expect(container.askAsync(function, Leaf.self, name: nil, nil) === leaf, "\(function)")
            }
        },
        Promise("What is not registered is nil, or an error, asynchronously, too.", "AsyncServices.md") {
            _, container in
            try await expect(container.askAsync(.optionalAsync, Leaf.self, name: nil, nil), is: nil)
            try await expect(container.failureAsync(of: Leaf.self), is: Failure("notRegistered", ["Leaf"]))
        },
        Promise(
            "Where an asynchronous factory returns nil, `optionalAsync` is nil.", "AsyncServices.md",
            each: Lifetime.plain
        ) { _, container, lifetime in
            let counter = Counter()
            container.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in
                await Task.yield()
                return counter.increment() > 2 ? Leaf() : nil
            }.setLifetime(lifetime)
            try await expect(container.askAsync(.optionalAsync, Leaf.self, name: nil, nil), is: nil, "\(lifetime)")
            try await expect(container.failureAsync(of: Leaf.self).code, is: "factoryReturnedNil", "\(lifetime)")
            _ = try await container.getAsync(Leaf.self)
        },
        Promise("`optionalAsync` throws what goes wrong.", "Errors.md#asynchronous-services") { _, container in
            container.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in throw Mishap() }
            let failure = try await #require(throws: Failure.self) {
                _ = try await container.askAsync(.optionalAsync, Leaf.self, name: nil, nil)
            }
            expect(failure, is: Failure("factoryFailed", ["Leaf@1"]))
            expect(failure.underlying is Mishap)
        },
        Promise(
            "A synchronous call gets the instance that is kept.", "AsyncServices.md#when-the-app-starts",
            each: Lifetime.keeping
        ) { _, container, lifetime in
            container.registerNumberedAsync(lifetime)
            let kept = try await container.getAsync(Numbered.self)
            for function in SyncFunction.allCases {
                try expect(
                    container.ask(function, Numbered.self, name: nil, nil) === kept, "\(lifetime), \(function)")
            }
        },
        Promise(
            "A synchronous call never starts an asynchronous factory.", "AsyncServices.md#when-the-app-starts",
            each: Lifetime.plain
        ) { _, container, lifetime in
            container.registerNumberedAsync(lifetime, line: 1)
            try expect(container.failure(of: Numbered.self).code, is: "requiresAsync", "\(lifetime)")
            let runs = Counter()
            container.register(OtherLeaf.self, line: 2) { container in
                runs.increment()
                _ = try container.get(Numbered.self)
                return OtherLeaf()
            }
            let failure = try await container.failureAsync(of: OtherLeaf.self)
            expect(failure, is: Failure("requiresAsync", ["OtherLeaf@2", "Numbered@1"]), "\(lifetime)")
            expect(runs.value, is: 1, "\(lifetime)")
            try expect(container.existing(Numbered.self), is: nil, "\(lifetime)")
            try await expect(container.getAsync(Numbered.self).number, is: 1, "\(lifetime)")
        },
        Promise("A synchronous factory may resolve what is kept.", "AsyncServices.md#when-the-app-starts") {
            _, container in
            container.registerNumberedAsync(.cached)
            container.register { container in Holder(try container.get(Numbered.self)) }
            try expect(container.failure(of: Holder<Numbered>.self).code, is: "requiresAsync")
            let kept = try await container.getAsync(Numbered.self)
            try expect(container.get(Holder<Numbered>.self).part === kept)
        },
        Promise(
            "After its time to live an asynchronous service has to be made asynchronously again.", "TimeToLive.md",
            needs: [.timeToLive, .hooks]
        ) { system, container in
            let counter = Counter(), released = Box<[Int]>([])
            container.registerAsync(Numbered.self, name: nil, line: 1) { [unowned system] _, _ in
                await Task.yield()
                system.setTime(50)
                return Numbered(counter.increment())
            }.with(.cached).expiring(60, fromCreation: true).onRelease { one in released.append(one.number) }
            weak let first = try await container.getAsync(Numbered.self)
            system.setTime(109)
            try expect(container.number(), is: 1)
            system.setTime(110)
            try expect(container.failure(of: Numbered.self).code, is: "requiresAsync")
            expect(released.value == [1] && first == nil)
            try await expect(container.getAsync(Numbered.self).number, is: 2)
        },
        Promise(
            "Properties of what is made asynchronously are resolved once.", "AsyncServices.md", needs: [.properties]
        ) { _, container in
            let completed = Box<[Numbered]>([])
            container.registerNumberedAsync(.cached).complete { _, one, _ in completed.update { $0.append(one) } }
            let one = try await container.getAsync(Numbered.self)
            _ = try await container.getAsync(Numbered.self)
            expect(completed.value.count == 1 && completed.value.first === one)
        },
        Promise(
            "Release hooks run for what is made asynchronously.", "AsyncServices.md", needs: [.hooks],
            each: Lifetime.strong
        ) { _, container, lifetime in
            let released = Box<[Int]>([])
            container.registerNumberedAsync(lifetime).onRelease { one in released.update { $0.append(one.number) } }
            _ = try await container.getAsync(Numbered.self)
            for _ in 1...2 { container.reset(.lifetime(lifetime)) }
            expect(released.value, is: [1], "\(lifetime)")
        },
        Promise("An alias stands for an asynchronous service, too.", "AsyncServices.md", needs: [.aliases]) {
            _, container in
            container.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in
                await Task.yield()
                return Leaf()
            }.with(.cached).implement((any Role).self, name: nil, line: 2)
            let role = try await container.getAsync((any Role).self)
            try expect(container.get(Leaf.self) === role)
        },
        Promise(
            "An isolating container keeps asynchronous services to itself.", "AsyncServices.md#creation-in-each-scope",
            needs: [.isolation], each: Lifetime.strong
        ) { system, live, lifetime in
            let bothMake = Rendezvous(2)
            live.registerAsync(Leaf.self, name: nil, line: 1) { _, _ in
                await bothMake.arriveAndPass()
                return Leaf()
            }.setLifetime(lifetime)
            let rehearsal = system.makeContainer(isolating: live)
            async let first = live.getAsync(Leaf.self)
            let one = try await rehearsal.getAsync(Leaf.self)
            let kept = try await first
            expect(one !== kept, "\(lifetime)")
            try expect(rehearsal.get(Leaf.self) === one, "\(lifetime)")
            try expect(live.get(Leaf.self) === kept, "\(lifetime)")
        },
        Promise(
            "The path of an asynchronous failure has all that waits.", "Errors.md#asynchronous-services",
            each: [Lifetime.graph, .cached]
        ) { _, container, lifetime in
            container.registerAsync(Pair.self, name: nil, line: 1) { container, _ in
                let leaf = try await container.getAsync(OtherLeaf.self)
                withExtendedLifetime(leaf) {}
                return nil
            }.setLifetime(lifetime)
            container.registerAsync(OtherLeaf.self, name: nil, line: 2) { container, _ in
                _ = try await container.getAsync(Leaf.self)
                return nil
            }.setLifetime(lifetime)
            container.registerAsync(Leaf.self, name: nil, line: 3) { _, _ in throw Mishap() }
                .setLifetime(lifetime)
            try await expect(
                container.failureAsync(of: Pair.self),
                is: Failure("factoryFailed", ["Pair@1", "OtherLeaf@2", "Leaf@3"]),
                "\(lifetime)")
        },
    ]
}
