import Resolver
import ResolverTesting
import Testing

/// `registerAllServices` triggered by the first call in a test: it registers for the process. Each test runs in its own
/// process, because the registrations run once.
@Suite struct BootstrapInTestTests {
    @Test(arguments: [false, true])
    func `registerAllServices in a test registers for the process once, and its mock does not`(_ isMocked: Bool) async {
        await #expect(processExitsWith: .success) { [isMocked] in
            Resolver.withTestResolver {
                if isMocked { Resolver.register { AppMarker(origin: "mock") } }
                expect(Resolver.resolve(AppMarker.self).origin, is: isMocked ? "mock" : "app")
                expect(Resolver.resolve(AppMarker.self, name: .fred).origin, is: "app's fred")
                Resolver.reset()
                expect(Resolver.resolve(AppMarker.self).origin, is: "app")
            }
            expect(Resolver.resolve(AppMarker.self).origin, is: "app")
            Resolver.withTestResolver { expect(Resolver.resolve(AppMarker.self).origin, is: "app") }
            expect(AppRegistrations.runs.value, is: 1)
        }
    }

    /// The root is that of the process, which tests search.
    @Test(arguments: [false, true])
    func `a main or root set by registerAllServices applies in the first test and later ones`(_ isRoot: Bool) async {
        await #expect(processExitsWith: .success) { [isRoot] in
            AppRegistrations.after.set(isRoot ? AppRegistrations.replaceRoot : AppRegistrations.replaceMain)
            let origin = isRoot ? "another root" : "another main"
            for _ in 0..<2 { Resolver.withTestResolver { expect(Resolver.resolve(AppMarker.self).origin, is: origin) } }
            expect(!isRoot || Resolver.resolve(AppMarker.self).origin == origin)
        }
    }

    @Test func `a test does not settle the root of the process`() async {
        await #expect(processExitsWith: .success) {
            Resolver.withTestResolver { expect(Resolver.resolve(AppMarker.self).origin, is: "app") }
            Resolver.main = Resolver()
            Resolver.register { AppMarker(origin: "later main") }
            expect(Resolver.resolve(AppMarker.self).origin, is: "later main")
        }
    }

    @Test(.resolver { $0.register { AppMarker(origin: "trait") } })
    func `the trait isolates tests on the main actor`() async {
        expect(Resolver.resolve(AppMarker.self).origin, is: "trait")
        await expect(Task { Resolver.resolve(AppMarker.self).origin }.value, is: "trait")
        await expect(Task.detached { Resolver.resolve(AppMarker.self).origin }.value, is: "app")
    }
}
