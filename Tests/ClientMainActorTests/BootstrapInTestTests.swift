import Resolver
import ResolverTesting
import Testing

/// `registerAllServices` triggered by the first call in a test: it registers for the process. Each test runs in its own
/// process, because the registrations run once.
@Suite struct BootstrapInTestTests {
    @Test func `registerAllServices in a test registers for the process`() async {
        await #expect(processExitsWith: .success) {
            Resolver.withTestResolver {
                #expect(Resolver.resolve(AppMarker.self).origin == "app")
                #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
            }
            #expect(Resolver.resolve(AppMarker.self).origin == "app")
            Resolver.withTestResolver { #expect(Resolver.resolve(AppMarker.self).origin == "app") }
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func `a test's mock stays and does not reach the process`() async {
        await #expect(processExitsWith: .success) {
            Resolver.withTestResolver {
                Resolver.register { AppMarker(origin: "mock") }
                #expect(Resolver.resolve(AppMarker.self).origin == "mock")
                #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
            }
            #expect(Resolver.resolve(AppMarker.self).origin == "app")
        }
    }

    @Test func `a reset in a test does not run registerAllServices again`() async {
        await #expect(processExitsWith: .success) {
            Resolver.withTestResolver {
                _ = Resolver.resolve(AppMarker.self)
                Resolver.reset()
                #expect(Resolver.resolve(AppMarker.self).origin == "app")
            }
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    /// The root is that of the process, which tests search.
    @Test(arguments: [false, true])
    func `a main or root set by registerAllServices applies in the first test and later ones`(_ isRoot: Bool) async {
        await #expect(processExitsWith: .success) { [isRoot] in
            (isRoot ? AppRegistrations.replacesRoot : AppRegistrations.replacesMain).withLock { $0 = true }
            let origin = isRoot ? "another root" : "another main"
            for _ in 0..<2 { Resolver.withTestResolver { #expect(Resolver.resolve(AppMarker.self).origin == origin) } }
            #expect(!isRoot || Resolver.resolve(AppMarker.self).origin == origin)
        }
    }

    @Test func `a test does not settle the root of the process`() async {
        await #expect(processExitsWith: .success) {
            Resolver.withTestResolver { #expect(Resolver.resolve(AppMarker.self).origin == "app") }
            Resolver.main = Resolver()
            Resolver.register { AppMarker(origin: "later main") }
            #expect(Resolver.resolve(AppMarker.self).origin == "later main")
        }
    }

    @Test func `registerAllServices runs once for concurrent tests`() async {
        await #expect(processExitsWith: .success) {
            let origins = await withTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask { Resolver.withTestResolver { Resolver.resolve(AppMarker.self).origin } }
                }
                return await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(origins == Array(repeating: "app", count: 100))
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test(.resolver { $0.register { AppMarker(origin: "trait") } })
    func `the trait isolates tests on the main actor`() async {
        #expect(Resolver.resolve(AppMarker.self).origin == "trait")
        #expect(await Task { Resolver.resolve(AppMarker.self).origin }.value == "trait")
        #expect(await Task.detached { Resolver.resolve(AppMarker.self).origin }.value == "app")
    }
}
