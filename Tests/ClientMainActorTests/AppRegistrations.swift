import Resolver

/// The registrations of this target's app. All tests of the package share one process, so the app registers only its
/// own types. Tests request other effects in a separate process.
nonisolated extension Resolver: ResolverRegistering {
    public static func registerAllServices() {
        AppRegistrations.runs.increment()
        if AppRegistrations.running.increment() > 1 { AppRegistrations.overlaps.increment() }
        defer { AppRegistrations.running.increment(by: -1) }
        if AppRegistrations.resetsInBody.value { reset() }
        register { AppMarker(origin: "app") }
        register(name: .fred) { AppMarker(origin: "app's fred") }
        register(name: .template) { AppRecord() }.scoped(to: .request)
        registerScoped(AppRecord.self, name: .scoped, scope: .request) { AppRecord() }
        registerAsyncScoped(AppRecord.self, name: .slow, scope: .request) { AppRecord() }
        if AppRegistrations.resolvesInBody.value {
            let marker: AppMarker? = optional()
            AppRegistrations.seenInBody.set(marker?.origin)
        }
        if AppRegistrations.resolvesRecordInBody.value {
            do throws(ResolutionError) { _ = try tryResolve(AppRecord.self, name: .own) as AppRecord } catch {
                AppRegistrations.seenInBody.set(error.description)
            }
        }
        if AppRegistrations.replacesRoot.value {
            let other = Resolver()
            other.register { AppMarker(origin: "another root") }
            root = other
        }
        if AppRegistrations.replacesMain.value {
            let other = Resolver(child: main)
            other.register { AppMarker(origin: "another main") }
            main = other
        }
        AppRegistrations.pause.exchange(nil)?.block()
    }
}

/// State that tests exchange with `registerAllServices`, which may run on any thread.
nonisolated enum AppRegistrations {
    static let runs = Box(0), running = Box(0), overlaps = Box(0), resetsInBody = Box(false)
    static let resolvesInBody = Box(false), seenInBody = Box<String?>(nil)
    static let resolvesRecordInBody = Box(false), replacesRoot = Box(false), replacesMain = Box(false)
    /// Where the first run stops.
    static let pause = Box<Pause?>(nil)
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
