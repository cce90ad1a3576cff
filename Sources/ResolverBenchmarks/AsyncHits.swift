import Resolver

// Hits and creations of asynchronous services, and services of the main actor.

final class AsyncService: Sendable { let value = 1 }
@MainActor final class ViewModel {}
private final class RequestLog: Sendable { let value = 1 }
private final class RequestUser: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// An asynchronous factory that awaits little.
@inline(never)
private func makeService() async -> AsyncService { AsyncService() }

/// Instances that are kept without a container.
private enum ByHand {
    nonisolated(unsafe) static var kept = AsyncService()
    @MainActor static let screen = Screen()

    /// Assigned unpredictably, because the optimizer would treat the variable as a constant otherwise.
    static func assign() {
        if opaque(true) { kept = AsyncService() }
    }

    @inline(never)
    static func service() async -> AsyncService { kept }

    /// Returns the instance on the caller's actor, as the container's functions do.
    @inline(never)
    nonisolated(nonsending) static func serviceHere() async -> AsyncService { kept }

    @MainActor
    final class Screen {
        private var stored = ViewModel()
        var model: ViewModel { @inline(never) get { stored } }
    }
}

extension WorkloadGroup {
    static func asyncHits() -> WorkloadGroup {
        ByHand.assign()
        let resolver = Resolver()
        resolver.register { await makeService() }.scope(.cached)
        let hit = Workload.Side(inTask: "async cached hit") {
            for _ in 0..<$0 { sink(try await resolver.resolveAsync(AsyncService.self)) }
        }
        return WorkloadGroup(
            title: "Asynchronous services",
            workloads: [
                Workload(
                    hit, byHand: .init(inTask: "async function") { for _ in 0..<$0 { sink(await ByHand.service()) } }),
                Workload(
                    hit,
                    byHand: .init(inTask: "async function, nonsending") {
                        for _ in 0..<$0 { sink(await ByHand.serviceHere()) }
                    }),
                mainActorHit(), unique(), firstFlight(), request(services: 1, limit: 8), request(services: 2),
            ])
    }

    /// The workloads run on the main thread.
    private static func mainActorHit() -> Workload {
        let resolver = Resolver()
        resolver.register { @MainActor in ViewModel() }.scope(.cached)
        return Workload(
            .init("hit of the main actor's") { for _ in 0..<$0 { sink(resolver.resolve(ViewModel.self)) } },
            byHand: .init("stored property") { rounds in
                MainActor.assumeIsolated {
                    let screen = ByHand.screen
                    for _ in 0..<rounds { sink(screen.model) }
                }
            })
    }

    /// A request in a task: its user is registered, and a synchronous and several asynchronous services are made for it.
    private static func request(services: Int, limit: Double? = nil) -> Workload {
        let resolver = Resolver()
        resolver.register { RequestLog() }.scoped(to: .request)
        resolver.register { await makeService() }.scoped(to: .request)
        resolver.register(name: "second") { await makeService() }.scoped(to: .request)
        let make = opaque(making: { await makeService() })
        return Workload(
            .init(inTask: "request, \(services) asynchronous") {
                for round in 0..<$0 {
                    try await Resolver.withScope(.request, id: "42") {
                        await Resolver.registerScoped(RequestUser.self, scope: .request) { RequestUser(round) }
                        sink(resolver.resolve(RequestLog.self))
                        sink(try await resolver.resolveAsync(AsyncService.self))
                        if services > 1 { sink(try await resolver.resolveAsync(AsyncService.self, name: "second")) }
                    }
                }
            },
            byHand: .init(inTask: "objects, \(services == 1 ? "a task" : "two tasks")") {
                for round in 0..<$0 {
                    sink(opaque(RequestUser(round)))
                    sink(opaque(RequestLog()))
                    for _ in 0..<services { sink(await Task { await make() }.value) }
                }
            },
            atMost: limit, stretch: limit.map { $0 / 2 })
    }

    private static func unique() -> Workload {
        let resolver = Resolver()
        resolver.register { await makeService() }.scope(.unique)
        let make = opaque(making: { await makeService() })
        return Workload(
            .init(inTask: "async unique") {
                for _ in 0..<$0 { sink(try await resolver.resolveAsync(AsyncService.self)) }
            },
            byHand: .init(inTask: "async closure") { for _ in 0..<$0 { sink(await make()) } })
    }

    private static func firstFlight() -> Workload {
        let resolver = Resolver()
        resolver.register { await makeService() }.scope(.cached)
        let make = opaque(making: { await makeService() })
        return Workload(
            .init(inTask: "async cached, after a reset") {
                for _ in 0..<$0 {
                    resolver.reset(.scopes)
                    sink(try await resolver.resolveAsync(AsyncService.self))
                }
            },
            byHand: .init(inTask: "a task, and its value") {
                for _ in 0..<$0 { sink(await Task { await make() }.value) }
            })
    }
}
