import Resolver
import Testing

/// When `registerAllServices` runs: each test in a process of its own, as it happens once.
@Suite struct BootstrapTests {
    @Test func theFirstResolveRunsTheRegistrations() async {
        await #expect(processExitsWith: .success) {
            #expect(AppRegistrations.runs.withLock { $0 } == 0)
            #expect(Resolver.resolve(AppMarker.self).origin == "app")
            #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func theFirstResolveOnAnyResolverRunsThem() async {
        await #expect(processExitsWith: .success) {
            #expect(Resolver().optional(Leaf.self) == nil)
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func registeringOnAResolverOfOnesOwnDoesNotRunThem() async {
        await #expect(processExitsWith: .success) {
            Resolver().register { Leaf() }
            #expect(AppRegistrations.runs.withLock { $0 } == 0)
        }
    }

    @Test func aMockRegisteredBeforeTheFirstResolveStays() async {
        await #expect(processExitsWith: .success) {
            Resolver.register { AppMarker(origin: "mock") }
            #expect(Resolver.resolve(AppMarker.self).origin == "mock")
            #expect(Resolver.resolve(AppMarker.self, name: .fred).origin == "app's fred")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func aMockRegisteredOnTheInstanceMainStaysToo() async {
        await #expect(processExitsWith: .success) {
            Resolver.main.register { AppMarker(origin: "mock") }
            #expect(Resolver.resolve(AppMarker.self).origin == "mock")
        }
    }

    @Test func theRegistrationsRunAgainAfterAReset() async {
        await #expect(processExitsWith: .success) {
            _ = Resolver.resolve(AppMarker.self)
            Resolver.reset()
            #expect(Resolver.resolve(AppMarker.self).origin == "app")
            #expect(AppRegistrations.runs.withLock { $0 } == 2)
        }
    }

    @Test func aMockRegisteredAfterAResetStays() async {
        await #expect(processExitsWith: .success) {
            _ = Resolver.resolve(AppMarker.self)
            Resolver.reset()
            Resolver.register { AppMarker(origin: "mock") }
            #expect(Resolver.resolve(AppMarker.self).origin == "mock")
        }
    }

    @Test func theirBodySeesWhatIsRegisteredSoFar() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.resolvesInBody.withLock { $0 = true }
            _ = Resolver.resolve(AppMarker.self)
            #expect(AppRegistrations.seenInBody.withLock { $0 } == "app")
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func theResolveThatRunsThemAsksTheRootTheyLeave() async {
        await #expect(processExitsWith: .success) {
            AppRegistrations.replacesRoot.withLock { $0 = true }
            #expect(Resolver.resolve(AppMarker.self).origin == "another root")
        }
    }

    @Test func theyRunOffTheMainActorToo() async {
        await #expect(processExitsWith: .success) {
            let origin = await Task.detached { Resolver.resolve(AppMarker.self).origin }.value
            #expect(origin == "app")
        }
    }

    @Test func theyRunOnceForManyTasks() async {
        await #expect(processExitsWith: .success) {
            let origins = await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { Resolver.resolve(AppMarker.self).origin } }
                return await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(origins == Array(repeating: "app", count: 100))
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func registerServicesRunsThemOnceInBothSpellings() async {
        await #expect(processExitsWith: .success) {
            Resolver.registerServices?()
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
            Resolver.main.registerServices()
            #expect(AppRegistrations.runs.withLock { $0 } == 1)
        }
    }

    @Test func aPropertyWrapperRunsThem() async {
        await #expect(processExitsWith: .success) {
            #expect(Injected<AppMarker>().wrappedValue.origin == "app")
        }
    }
}
