import Resolver
import Testing

/// When `registerAllServices` runs. Each test runs in its own process, because the registrations run once.
@Suite struct BootstrapTests {
    nonisolated enum Call: String, CaseIterable, Codable {
        case resolve, propertyWrapper, otherResolver, inEitherSpelling
    }

    @Test(arguments: Call.allCases)
    func `the first call runs the registrations, and later ones do not`(_ call: Call) async {
        await #expect(processExitsWith: .success) { [call] in
            #expect(AppRegistrations.runs.withLock { $0 } == 0)
            for _ in 1...2 {
                switch call {
                case .resolve: #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
                case .propertyWrapper: #expect(Injected<AppMarker>().wrappedValue.origin == "app")
                case .otherResolver: #expect(Resolver().optional(Leaf.self) == nil)
                case .inEitherSpelling:
                    Resolver.registerServices?()
                    Resolver.main.registerServices()
                }
                #expect(AppRegistrations.runs.withLock { $0 } == 1)
            }
        }
    }

    @Test func `registering on another resolver does not run the registrations`() async {
        await #expect(processExitsWith: .success) {
            Resolver().register { Leaf() }
            #expect(AppRegistrations.runs.withLock { $0 } == 0)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a mock registered before the first call, or after a reset, stays`(_ isOnMain: Bool, _ isReset: Bool) async {
        await #expect(processExitsWith: .success) { [isOnMain, isReset] in
            if isReset {
                _ = Resolver.resolve(AppMarker.self)
                Resolver.reset()
                AppRegistrations.runs.withLock { $0 = 0 }
            }
            if isOnMain {
                Resolver.main.register { AppMarker(origin: "mock") }
            } else {
                Resolver.register { AppMarker(origin: "mock") }
            }
            #expect(Resolver.resolve(AppMarker.self).origin == "mock")
            #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
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

    @Test func `registerAllServices can resolve services that it has registered`() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.resolvesInBody.withLock { $0 = true }
            _ = Resolver.resolve(AppMarker.self)
            #expect(AppRegistrations.seenInBody.withLock { $0 } == "app")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    /// - Parameter call: resolves the service, asks whether it is registered, or lists what is.
    @Test(arguments: 0..<3)
    func `the call that runs registerAllServices is for the root that it sets`(_ call: Int) async {
        await #expect(processExitsWith: .success) { [call] in
            AppRegistrations.replacesRoot.withLock { $0 = true }
            switch call {
            case 0: #expect(Resolver.resolve(AppMarker.self).origin == "another root")
            case 1: #expect(!Resolver.isRegistered(AppMarker.self, name: .fred))
            default: #expect(Resolver.registrations.count == 1)
            }
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

    @Test func `registerAllServices runs once for a hundred tasks off the main actor`() async {
        await #expect(processExitsWith: .success) {
            let origins = await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { @concurrent in Resolver.resolve(AppMarker.self).origin } }
                return await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(origins == Array(repeating: "app", count: 100))
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }
}
