import Resolver

/// The registrations of this target's app. All tests of the package share one process, so the app registers only its
/// own types. Tests request other effects in a separate process.
nonisolated extension Resolver: ResolverRegistering {
    public static func registerAllServices() {
        AppRegistrations.runs.increment()
        if AppRegistrations.running.increment() > 1 { AppRegistrations.overlaps.increment() }
        defer { AppRegistrations.running.increment(by: -1) }
        AppRegistrations.before.value()
        register { AppMarker(origin: "app") }
        register(name: .fred) { AppMarker(origin: "app's fred") }
        register(name: .template) { AppRecord() }.scoped(to: .request)
        registerScoped(AppRecord.self, name: .scoped, scope: .request) { AppRecord() }
        registerAsyncScoped(AppRecord.self, name: .slow, scope: .request) { AppRecord() }
        AppRegistrations.after.value()
    }
}

/// State that tests exchange with `registerAllServices`, which may run on any thread.
nonisolated enum AppRegistrations {
    static let runs = Box(0), running = Box(0), overlaps = Box(0)
    /// What a test does in `registerAllServices`, before its registrations and after them.
    static let before = Box<@Sendable () -> Void>({}), after = Box<@Sendable () -> Void>({})

    @Sendable static func replaceRoot() {
        let other = Resolver()
        other.register { AppMarker(origin: "another root") }
        Resolver.root = other
    }

    @Sendable static func replaceMain() {
        let other = Resolver(child: .main)
        other.register { AppMarker(origin: "another main") }
        Resolver.main = other
    }
}

/// A service that only the app registers.
nonisolated final class AppMarker: Sendable {
    let origin: String
    init(origin: String) { self.origin = origin }
}

/// A service that the app registers for requests, in all three ways.
nonisolated final class AppRecord: Sendable {}

nonisolated extension Resolver.Name {
    static let template = Self("template"), scoped = Self("scoped"), slow = Self("slow"), own = Self("own")
}
