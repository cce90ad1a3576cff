import Resolver

nonisolated extension Resolver { static let archive = Resolver() }

nonisolated extension Resolver: @retroactive ResolverRegistering {
    public static func registerAllServices() {
        register { @MainActor in PageModel(title: "main") }.scope(.shared)
        register(name: "draft") { @MainActor in PageModel(title: "main draft") }
        register { RequestLog() }.scoped(to: .request)
        register { RequestPlan(title: "plan") }
        register(name: "draft") { RequestPlan(title: "draft") }
        archive.register { @MainActor in PageModel(title: "archive") }
        archive.register(name: "draft") { @MainActor in PageModel(title: "archive draft") }
    }
}
