import Resolver
import Testing

/// When `registerAllServices` runs. Each test runs in its own process, because the registrations run once.
@Suite struct BootstrapTests {
    @Test func `the first resolve runs the registrations`() async {
        await #expect(processExitsWith: .success) {
            #expect(AppRegistrations.runs.withLock { $0 } == 0)
            #expect(Resolver.resolve(AppMarker.self).origin == "app")
            #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func `the first resolve on any resolver runs the registrations`() async {
        await #expect(processExitsWith: .success) {
            #expect(Resolver().optional(Leaf.self) == nil)
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func `registering on another resolver does not run the registrations`() async {
        await #expect(processExitsWith: .success) {
            Resolver().register { Leaf() }
            #expect(AppRegistrations.runs.withLock { $0 } == 0)
        }
    }

    @Test func `a mock registered before the first resolve stays`() async {
        await #expect(processExitsWith: .success) {
            Resolver.register { AppMarker(origin: "mock") }
            #expect(Resolver.resolve(AppMarker.self).origin == "mock")
            #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func `a mock registered on Resolver main before the first resolve stays`() async {
        await #expect(processExitsWith: .success) {
            Resolver.main.register { AppMarker(origin: "mock") }
            #expect(Resolver.resolve(AppMarker.self).origin == "mock")
        }
    }

    @Test func `the registrations run again after a reset`() async {
        await #expect(processExitsWith: .success) {
            _ = Resolver.resolve(AppMarker.self)
            Resolver.reset()
            #expect(Resolver.resolve(AppMarker.self).origin == "app")
            #expect(AppRegistrations.runs.withLock { $0 } == 2)
        }
    }

    @Test func `the registrations run once after each reset although other tasks resolve meanwhile`() async {
        await #expect(processExitsWith: .success) {
            let isOver = Guarded(false)
            await withTaskGroup { group in
                group.addTask {
                    for _ in 0..<2000 {
                        Resolver.reset()
                        _ = Resolver.optional(AppMarker.self)
                    }
                    isOver.withLock { $0 = true }
                }
                for _ in 0..<2 {
                    group.addTask {
                        while !isOver.withLock({ $0 }) {
                            for _ in 0..<100 { _ = Resolver.optional(AppMarker.self) }
                            await Task.yield()
                        }
                    }
                }
            }
            #expect(AppRegistrations.runs.withLock { $0 } <= 2001)
        }
    }

    @Test func `a mock registered after a reset stays`() async {
        await #expect(processExitsWith: .success) {
            _ = Resolver.resolve(AppMarker.self)
            Resolver.reset()
            Resolver.register { AppMarker(origin: "mock") }
            #expect(Resolver.resolve(AppMarker.self).origin == "mock")
        }
    }

    @Test func `registerAllServices can resolve services that it has registered`() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.resolvesInBody.withLock { $0 = true }
            _ = Resolver.resolve(AppMarker.self)
            #expect(AppRegistrations.seenInBody.withLock { $0 } == "app")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func `the resolve that runs registerAllServices uses the root that it sets`() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.replacesRoot.withLock { $0 = true }
            #expect(Resolver.resolve(AppMarker.self).origin == "another root")
        }
    }

    @Test func `the question whether a service is registered is for the root that registerAllServices sets`() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.replacesRoot.withLock { $0 = true }
            #expect(!Resolver.isRegistered(AppMarker.self, name: .fred))
        }
        await #expect(processExitsWith: .success) {
            AppRegistrations.replacesRoot.withLock { $0 = true }
            #expect(Resolver.registrations.count == 1)
        }
    }

    @Test func `a registration without a scope is for the main that registerAllServices sets`() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.replacesMain.withLock { $0 = true }
            await Resolver.registerScoped(AppMarker.self, scope: .request) { AppMarker(origin: "mock") }
            #expect(Resolver.main.resolve(AppMarker.self).origin == "mock")
        }
    }

    @Test(arguments: [false, true])
    func `no call misses the registrations while others start over`(_ isResetInBody: Bool) async {
        await #expect(processExitsWith: .success) { [isResetInBody] in
            AppRegistrations.resetsInBody.withLock { $0 = isResetInBody }
            let calls = Guarded(0), missing = Guarded(0)
            await withTaskGroup { group in
                group.addTask { @concurrent in
                    while calls.withLock({ $0 }) < 20_000 {
                        if Resolver.optional(AppMarker.self) == nil { missing.withLock { $0 += 1 } }
                        if !Resolver.isRegistered(AppMarker.self) { missing.withLock { $0 += 1 } }
                        Resolver.register { Leaf() }
                        calls.withLock { $0 += 1 }
                    }
                }
                group.addTask { @concurrent in
                    while calls.withLock({ $0 }) < 20_000 {
                        Resolver.reset()
                        if Resolver.optional(AppMarker.self) == nil { missing.withLock { $0 += 1 } }
                    }
                }
            }
            #expect(missing.withLock { $0 } == 0)
            // A run that another thread's reset has made outdated is repeated when it is over.
            #expect(AppRegistrations.overlaps.withLock { $0 } == 0)
        }
    }

    @Test func `a mock registered before the first resolve stays where registerAllServices sets main`() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.replacesMain.withLock { $0 = true }
            Resolver.register { AppMarker(origin: "mock") }
            #expect(Resolver.main.resolve(AppMarker.self).origin == "mock")
            Resolver.unregister(AppMarker.self)
            #expect(Resolver.main.resolve(AppMarker.self).origin == "app")
        }
    }

    @Test func `registering on a main that registerAllServices replaces changes that resolver`() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.replacesMain.withLock { $0 = true }
            let main = Resolver.main
            main.register { AppMarker(origin: "mock") }
            #expect(Resolver.main !== main)
            #expect(main.resolve(AppMarker.self).origin == "mock")
            #expect(Resolver.main.resolve(AppMarker.self).origin == "another main")
        }
    }

    @Test func `registerAllServices runs off the main actor`() async {
        await #expect(processExitsWith: .success) {
            let origin = await Task.detached { Resolver.resolve(AppMarker.self).origin }.value
            #expect(origin == "app")
        }
    }

    @Test func `registerAllServices runs once for a hundred tasks`() async {
        await #expect(processExitsWith: .success) {
            let origins = await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { Resolver.resolve(AppMarker.self).origin } }
                return await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(origins == Array(repeating: "app", count: 100))
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func `registerServices runs registerAllServices once in both spellings`() async {
        await #expect(processExitsWith: .success) {
            Resolver.registerServices?()
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
            Resolver.main.registerServices()
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func `a property wrapper runs registerAllServices`() async {
        await #expect(processExitsWith: .success) {
            #expect(Injected<AppMarker>().wrappedValue.origin == "app")
        }
    }
}
