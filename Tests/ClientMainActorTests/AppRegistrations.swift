import Resolver

/// The registrations of this target's app. All tests of the package share one process, so the app registers only its
/// own types. Tests request other effects in a separate process.
nonisolated extension Resolver: ResolverRegistering {
    public static func registerAllServices() {
        AppRegistrations.runs.withLock { $0 += 1 }
        let others = AppRegistrations.running.withLock { running in
            defer { running += 1 }
            return running
        }
        defer { AppRegistrations.running.withLock { $0 -= 1 } }
        if others > 0 { AppRegistrations.overlaps.withLock { $0 += 1 } }
        if AppRegistrations.resetsInBody.withLock({ $0 }) { reset() }
        register { AppMarker(origin: "app") }
        register(name: .fred) { AppMarker(origin: "app's fred") }
        register(name: .template) { AppRecord() }.scoped(to: .request)
        registerScoped(AppRecord.self, name: .scoped, scope: .request) { AppRecord() }
        registerAsyncScoped(AppRecord.self, name: .slow, scope: .request) { AppRecord() }
        if AppRegistrations.resolvesInBody.withLock({ $0 }) {
            let marker: AppMarker? = optional()
            AppRegistrations.seenInBody.withLock { $0 = marker?.origin }
        }
        if AppRegistrations.resolvesRecordInBody.withLock({ $0 }) {
            do throws(ResolutionError) { _ = try tryResolve(AppRecord.self, name: .own) as AppRecord } catch {
                AppRegistrations.seenInBody.withLock { $0 = error.description }
            }
        }
        if AppRegistrations.replacesRoot.withLock({ $0 }) {
            let other = Resolver()
            other.register { AppMarker(origin: "another root") }
            root = other
        }
        if AppRegistrations.replacesMain.withLock({ $0 }) {
            let other = Resolver(child: main)
            other.register { AppMarker(origin: "another main") }
            main = other
        }
    }
}

/// State that tests exchange with `registerAllServices`, which may run on any thread.
nonisolated enum AppRegistrations {
    static let runs = Guarded(0), running = Guarded(0), overlaps = Guarded(0), resetsInBody = Guarded(false)
    static let resolvesInBody = Guarded(false), seenInBody = Guarded<String?>(nil)
    static let resolvesRecordInBody = Guarded(false), replacesRoot = Guarded(false), replacesMain = Guarded(false)
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
