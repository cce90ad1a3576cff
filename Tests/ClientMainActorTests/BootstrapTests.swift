import Resolver
import ResolverTesting
import Testing

/// When `registerAllServices` runs. Each test runs in its own process, because the registrations run once.
@Suite struct BootstrapTests {
    nonisolated enum Call: String, CaseIterable, Codable {
        case resolve, propertyWrapper, otherResolver, inEitherSpelling
    }

    @Test(arguments: Call.allCases)
    func `the first call runs the registrations, also after a reset, and later ones do not`(_ call: Call) async {
        await #expect(processExitsWith: .success) { [call] in
            Resolver().register { Leaf() }
            expect(AppRegistrations.runs.value, is: 0, "a registration on another resolver is no call")
            for (runs, isAgain) in [(1, false), (1, true), (2, false), (2, true)] {
                switch call {
                case .resolve: expect(Resolver.resolve(AppMarker.self, name: .fred).origin, is: "app's fred")
                case .propertyWrapper: expect(Injected<AppMarker>().wrappedValue.origin, is: "app")
                case .otherResolver: expect(Resolver().optional(Leaf.self), is: nil)
                case .inEitherSpelling:
                    Resolver.registerServices?()
                    Resolver.main.registerServices()
                }
                expect(AppRegistrations.runs.value, is: runs)
                if isAgain { Resolver.reset() }
            }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a mock registered before the first call, or after a reset, stays`(_ isOnMain: Bool, _ isReset: Bool) async {
        await #expect(processExitsWith: .success) { [isOnMain, isReset] in
            if isReset {
                _ = Resolver.resolve(AppMarker.self)
                Resolver.reset()
                AppRegistrations.runs.set(0)
            }
            if isOnMain {
                Resolver.main.register { AppMarker(origin: "mock") }
            } else {
                Resolver.register { AppMarker(origin: "mock") }
            }
            expect(Resolver.resolve(AppMarker.self).origin, is: "mock")
            expect(Resolver.resolve(AppMarker.self, name: .fred).origin, is: "app's fred")
            expect(AppRegistrations.runs.value, is: 1)
        }
    }

    @Test func `registerAllServices can resolve services that it has registered`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<String?>(nil)
            AppRegistrations.after.set { seen.set(Resolver.optional(AppMarker.self)?.origin) }
            _ = Resolver.resolve(AppMarker.self)
            expect(seen.value, is: "app")
            expect(AppRegistrations.runs.value, is: 1)
        }
    }

    /// - Parameter call: resolves the service, asks whether it is registered, or lists what is.
    @Test(arguments: 0..<3)
    func `the call that runs registerAllServices is for the root that it sets`(_ call: Int) async {
        await #expect(processExitsWith: .success) { [call] in
            AppRegistrations.after.set(AppRegistrations.replaceRoot)
            switch call {
            case 0: expect(Resolver.resolve(AppMarker.self).origin, is: "another root")
            case 1: expect(!Resolver.isRegistered(AppMarker.self, name: .fred))
            default: expect(Resolver.registrations.count, is: 1)
            }
        }
    }

    /// - Parameter call: registers for a scope that is not there, statically, or on the main before.
    @Test(arguments: 0..<3)
    func `a mock is for the main that registerAllServices sets, unless it is registered on another`(_ call: Int) async {
        await #expect(processExitsWith: .success) { [call] in
            AppRegistrations.after.set(AppRegistrations.replaceMain)
            let main = Resolver.main
            switch call {
            case 0: await Resolver.registerScoped(AppMarker.self, scope: .request) { AppMarker(origin: "mock") }
            case 1: Resolver.register { AppMarker(origin: "mock") }
            default: main.register { AppMarker(origin: "mock") }
            }
            expect(Resolver.main !== main)
            expect(Resolver.main.resolve(AppMarker.self).origin, is: call == 2 ? "another main" : "mock")
            expect(main.resolve(AppMarker.self).origin, is: call == 2 ? "mock" : "app")
            Resolver.unregister(AppMarker.self)
            expect(Resolver.main.resolve(AppMarker.self).origin, is: call == 2 ? "mock" : "app")
        }
    }

    @Test func `registrations that a reset makes outdated while they run are repeated`() async {
        await #expect(processExitsWith: .success) {
            let pause = Pause(), found = Box<String?>(nil)
            AppRegistrations.after.set { if AppRegistrations.runs.value == 1 { pause.block() } }
            let thread = RunningThread { found.set(Resolver.optional(AppMarker.self)?.origin) }
            await pause.during { Resolver.reset() }
            thread.join()
            expect(found.value, is: "app")
            expect(AppRegistrations.runs.value, is: 2)
        }
    }

    @Test(arguments: [false, true])
    func `no call misses the registrations, which run once after each reset, while others start over`(
        _ isResetInBody: Bool
    ) async {
        await #expect(processExitsWith: .success) { [isResetInBody] in
            if isResetInBody { AppRegistrations.before.set { Resolver.reset() } }
            let missing = Box(0), resets = Box(0)
            Threads.run {
                for _ in 0..<Sanitizer.rounds(20_000) {
                    if Resolver.optional(AppMarker.self) == nil { missing.increment() }
                    if !Resolver.isRegistered(AppMarker.self) { missing.increment() }
                    Resolver.register { Leaf() }
                }
            } repeating: {
                resets.increment()
                Resolver.reset()
                if Resolver.optional(AppMarker.self) == nil { missing.increment() }
            }
            expect(missing.value, is: 0)
            expect(isResetInBody || AppRegistrations.runs.value <= resets.value + 1)
            // A run that another thread's reset has made outdated is repeated when it is over.
            expect(AppRegistrations.overlaps.value, is: 0)
        }
    }

    @Test(arguments: [false, true])
    func `registerAllServices runs once for a hundred tasks, or tests, off the main actor`(_ areTests: Bool) async {
        await #expect(processExitsWith: .success) { [areTests] in
            let origins = try await Tasks.results(100) { @concurrent _ in
                if areTests { return Resolver.withTestResolver { Resolver.resolve(AppMarker.self).origin } }
                return Resolver.resolve(AppMarker.self).origin
            }
            expect(origins, is: Array(repeating: "app", count: 100))
            expect(AppRegistrations.runs.value, is: 1)
        }
    }
}
