import ConcurrencySupport
import Testing

extension Specification {
    /// Release hooks.
    static let hooks: [Promise] = [
        Promise("A hook has run when the reset returns.", "Resetting.md#hooks") { system, _ in
            for lifetime in [Lifetime.cached, .container, .custom] {
                for part in [ResetPart.lifetime(lifetime), .scopes, .registrations, .all] {
                    let (container, released) = try hooked(system, lifetime)
                    expect(released.value, is: [])
                    container.reset(part)
                    expect(released.value, is: [1], "\(lifetime), \(part)")
                }
            }
        },
        Promise("A hook of a singleton has run when its reset returns.", "Resetting.md#hooks") { system, _ in
            let (container, released) = try hooked(system, .application)
            container.reset(.lifetime(.application))
            expect(released.value, is: [1])
        },
        Promise("A hook runs before another registration returns.", "Resetting.md#hooks") { system, _ in
            for lifetime in Lifetime.strong {
                let (container, released) = try hooked(system, lifetime)
                container.register { Numbered(0) }
                expect(released.value, is: [1], "\(lifetime)")
            }
        },
        Promise(
            "A hook runs before another lifetime is set.", "Resetting.md#hooks",
            each: [Lifetime.cached, .container, .custom]
        ) { _, container, lifetime in
            let released = Counter()
            let registration = container.registerNumbered(lifetime)
            registration.onRelease { _ in released.increment() }
            _ = try container.number()
            registration.setLifetime(.unique)
            expect(released.value, is: 1, "\(lifetime)")
        },
        Promise("A hook runs where the last reference to its container goes.", "Resetting.md#hooks") { system, _ in
            for lifetime in [Lifetime.cached, .container, .custom] {
                var (container, released): ((any ContainerUnderTest)?, Box<[Int]>) = try hooked(system, lifetime)
                expect(container != nil)
                container = nil
                expect(released.value, is: [1], "\(lifetime)")
            }
        },
        Promise("A hook runs once for each instance that was kept.", "Resetting.md#hooks") { system, _ in
            let (container, released) = try hooked(system, .cached)
            _ = try container.number()
            container.reset(.scopes)
            container.reset(.scopes)
            _ = try container.number()
            container.reset(.all)
            expect(released.value, is: [1, 2])
        },
        Promise(
            "Hooks run for the youngest instance first.", "Resetting.md#hooks",
            each: [Lifetime.cached, .container, .custom]
        ) { _, container, lifetime in
            let log = Log()
            for name in ["old", "young"] {
                container.registerLeaf(lifetime, name: name).onRelease { _ in log.note(name) }
            }
            for name in ["old", "young"] { _ = try container.get(Leaf.self, name: name) }
            container.reset(.scopes)
            expect(log.value, is: ["young", "old"], "\(lifetime)")
        },
        Promise("Several hooks run in the order in which they were added.", "Resetting.md#hooks") { _, container in
            let log = Log()
            let registration = container.registerLeaf(.cached)
            for name in ["first", "second", "third"] { registration.onRelease { _ in log.note(name) } }
            _ = try container.get(Leaf.self)
            container.reset(.scopes)
            expect(log.value, is: ["first", "second", "third"])
        },
        Promise("Where a hook throws, the others run and the instance goes.", "Resetting.md#hooks") {
            system, container in
            let log = Log()
            system.report { _ in }
            for name in ["old", "young"] {
                let registration = container.registerLeaf(.cached, name: name)
                registration.onRelease { _ in throw Mishap() }
                registration.onRelease { _ in log.note(name) }
            }
            weak var old = try container.get(Leaf.self, name: "old")
            weak var young = try container.get(Leaf.self, name: "young")
            container.reset(.scopes)
            system.report(nil)
            expect(log.value, is: ["young", "old"])
            expect(old == nil && young == nil)
        },
        Promise("What a hook throws goes to an observer.", "Resetting.md#hooks", needs: [.reports]) {
            system, container in
            let failures = Box<[Failure]>([])
            system.report { failure in failures.update { $0.append(failure) } }
            container.registerLeaf(.cached, name: "broken").onRelease { _ in throw Mishap() }
            _ = try container.get(Leaf.self, name: "broken")
            container.reset(.scopes)
            system.report(nil)
            let failure = try #require(failures.value.first { $0.path.contains { $0.hasPrefix("Leaf:broken") } })
            expect(failure.code, is: "releaseFailed")
            expect(failure.underlying is Mishap)
        },
        Promise(
            "In a hook the instance is no longer kept.", "Resetting.md#hooks",
            each: [Lifetime.cached, .container, .custom]
        ) { _, container, lifetime in
            let kept = Box<[Int]>([])
            container.registerNumbered(lifetime).onRelease { [weak container] numbered in
                guard let container, numbered.number == 1 else { return }
                let isKept = try container.existing(Numbered.self) != nil
                let next = try container.number()
                kept.update { $0 += [isKept ? 1 : 0, next] }
            }
            _ = try container.number()
            container.reset(.lifetime(lifetime))
            expect(kept.value, is: [0, 2], "\(lifetime)")
        },
        Promise("A hook that registers its service has the last word.", "Resetting.md#hooks") { _, container in
            container.register(name: "a") { "first" }.with(.cached).onRelease { [weak container] _ in
                container?.register(name: "a") { "of the hook" }
            }
            _ = try container.get(String.self, name: "a")
            container.register(name: "a") { "second" }
            try expect(container.get(String.self, name: "a"), is: "of the hook")
        },
        Promise("A lifetime that keeps nothing, or weakly, has no hooks.", "Resetting.md#hooks") { system, _ in
            for lifetime in [Lifetime.graph, .unique, .shared] {
                let (container, released) = try hooked(system, lifetime)
                let held = try container.get(Numbered.self)
                withExtendedLifetime(held) { container.reset(.all) }
                expect(released.value, is: [], "\(lifetime)")
            }
        },
        Promise("An instance that was never kept has no hooks.", "Resetting.md#hooks") { _, container in
            let released = Counter()
            container.register { [unowned container] in
                container.reset(.scopes)
                return Leaf()
            }.with(.cached).onRelease { _ in released.increment() }
            _ = try container.get(Leaf.self)
            container.reset(.scopes)
            expect(released.value, is: 0)
        },
    ]

    /// Returns a container that keeps one numbered object, and the numbers that its hook has received.
    private static func hooked(
        _ system: any SystemUnderTest, _ lifetime: Lifetime
    ) throws -> (any ContainerUnderTest, Box<[Int]>) {
        let container = system.makeContainer()
        let released = Box<[Int]>([])
        container.registerNumbered(lifetime).onRelease { one in released.update { $0.append(one.number) } }
        _ = try container.number()
        return (container, released)
    }

    /// Release hooks that a reset awaits.
    static let awaitedHooks: [Promise] = [
        Promise(
            "A reset that waits returns when asynchronous hooks have run.", "Resetting.md#waiting-for-hooks",
            needs: [.asyncHooks], each: [ResetPart.lifetime(.cached), .scopes, .registrations, .all]
        ) { system, container, part in
            let log = Log()
            system.onRelease(container.registerLeaf(.cached)) { _ in
                await Task.yield()
                log.note("released")
            }
            _ = try container.get(Leaf.self)
            await container.resetAndWait(part)
            expect(log.value, is: ["released"], "\(part)")
        },
        Promise(
            "A reset of a lifetime everywhere waits, too.", "Resetting.md#waiting-for-hooks",
            needs: [.asyncHooks, .resetsEverywhere], each: [Lifetime.cached, .application, .custom]
        ) { system, container, lifetime in
            let log = Log()
            system.onRelease(container.registerLeaf(lifetime)) { _ in
                await Task.yield()
                log.note("released")
            }
            _ = try container.get(Leaf.self)
            await system.resetAndWait(lifetime)
            expect(log.value, is: ["released"], "\(lifetime)")
        },
        Promise(
            "Awaited hooks run one after the other, the youngest instance first.", "Resetting.md#waiting-for-hooks",
            needs: [.asyncHooks]
        ) { system, container in
            let log = Log()
            for name in ["old", "young"] {
                system.onRelease(container.registerLeaf(.cached, name: name)) { _ in
                    log.note("\(name) begins")
                    await Task.yield()
                    log.note("\(name) ends")
                }
                _ = try container.get(Leaf.self, name: name)
            }
            await container.resetAndWait(.scopes)
            expect(log.value, is: ["young begins", "young ends", "old begins", "old ends"])
        },
        Promise(
            "Awaited hooks run where the task was cancelled, and are not cancelled.", "Resetting.md#waiting-for-hooks",
            needs: [.asyncHooks]
        ) { system, container in
            let log = Log()
            system.onRelease(container.registerLeaf(.cached)) { _ in
                await Task.yield()
                log.note(Task.isCancelled ? "cancelled" : "released")
            }
            _ = try container.get(Leaf.self)
            let isCancelled = Gate()
            let task = Task {
                await isCancelled.pass()
                await container.resetAndWait(.scopes)
            }
            task.cancel()
            isCancelled.open()
            await task.value
            expect(log.value, is: ["released"])
        },
        Promise("A reset does not wait for asynchronous hooks.", "Resetting.md#waiting-for-hooks", needs: [.asyncHooks])
        { system, container in
            let (isReset, isReleased, log) = (Gate(), Gate(), Log())
            let registration = container.registerLeaf(.cached)
            registration.onRelease { _ in log.note("first") }
            system.onRelease(registration) { _ in
                await isReset.pass()
                log.note("second")
            }
            registration.onRelease { _ in log.note("third") }
            system.onRelease(registration) { _ in
                await Task.yield()
                log.note("fourth")
                isReleased.open()
            }
            _ = try container.get(Leaf.self)
            container.reset(.scopes)
            expect(log.value, is: ["first"], "later hooks wait for those before them")
            isReset.open()
            await isReleased.pass()
            expect(log.value, is: ["first", "second", "third", "fourth"])
        },
    ]
}
