import Resolver

nonisolated final class RequestLog: Sendable {}

nonisolated struct RequestPlan: Sendable { let title: String }

nonisolated protocol RequestFilter: Sendable {}

/// A request handler of an app without a user interface.
nonisolated final class RequestHandler {
    @Injected var log: RequestLog
    @LazyInjected var plan: RequestPlan
    @LazyInjected(name: "draft") var draft: RequestPlan
    @OptionalInjected var filter: (any RequestFilter)?
    @WeakLazyInjected var shared: RequestLog?
    @Inject var current: RequestLog?
}

extension Client {
    static func checkRequests() {
        let (first, second) = Resolver.withScope(.request, id: "first") { (RequestHandler(), RequestHandler()) }
        check("a request has one log", first.log === second.log)
        let third = Resolver.withScope(.request, id: "second") { RequestHandler() }
        check("another request has another", first.log !== third.log)
        check("a service is resolved when it is read", first.plan.title == "plan" && first.draft.title == "draft")
        check("an optional service may be missing", first.filter == nil)
        check("outside of the request its log is not found", first.current !== first.log)
        check("a missing service can be told", (try? Resolver.tryResolve((any RequestFilter).self)) == nil)
    }
}
