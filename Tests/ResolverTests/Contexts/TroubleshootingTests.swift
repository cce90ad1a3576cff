import Resolver
import Testing

/// Mistakes with scopes as apps make them, how they show, and what is right instead.
@Suite struct TroubleshootingTests {
    private final class Service: Sendable {
        static func create(_ made: Box<Int>) async -> Service {
            await Task.yield()
            made.increment()
            return Service()
        }
    }

    /// What an app warns of before it relies on a scope.
    private static func warning(for kind: ScopeKind) -> String? {
        ScopeContext.shared.currentID(for: kind) == nil ? "no \(kind): what belongs to one is not kept" : nil
    }

    @Test func `a check warns where there is no scope`() async {
        await #expect(processExitsWith: .success) {
            let expected = "no screen: what belongs to one is not kept"
            #expect(TroubleshootingTests.warning(for: .screen) == expected)
            ScopeContext.shared.setCurrent(.screen, id: "home")
            #expect(TroubleshootingTests.warning(for: .screen) == nil)
            ScopeContext.shared.clear(.screen)
            #expect(TroubleshootingTests.warning(for: .screen) == expected)
        }
    }

    // MARK: An instance is made each time

    @Test func `registering before the scope is set makes one each time until it is`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen)
            Resolver.registerScoped(Leaf.self, scope: .screen) { Leaf() }
            let early = [Resolver.resolve(Leaf.self), Resolver.resolve(Leaf.self)]
            #expect(early[0] !== early[1])
            #expect(
                log.events == [
                    .registeredWithoutScope(.screen, service: "ResolverTests.Leaf"),
                    .resolvedWithoutScope(.screen, service: "ResolverTests.Leaf"),
                    .resolvedWithoutScope(.screen, service: "ResolverTests.Leaf"),
                ])
            ScopeContext.shared.setCurrent(.screen, id: "home")
            #expect(Resolver.resolve(Leaf.self) === Resolver.resolve(Leaf.self))
        }
    }

    // MARK: Memory is not freed

    /// Sets its screen when it appears, and clears it if it does not forget to.
    private final class MapController: ScreenController {
        let alive = Box(0), forgets: Bool

        init(forgets: Bool) {
            self.forgets = forgets
        }

        override func viewWillAppear() {
            ScopeContext.shared.setCurrent(.screen, id: "map")
            Resolver.registerScoped(Counted.self, scope: .screen) { [alive] in Counted(alive) }
            _ = Resolver.resolve(Counted.self)
        }

        override func viewDidDisappear() {
            if !forgets { ScopeContext.shared.clear(.screen) }
        }
    }

    @Test func `a screen that sets and clears leaves nothing`() async {
        await #expect(processExitsWith: .success) {
            let controller = MapController(forgets: false)
            for _ in 0..<10 {
                controller.viewWillAppear()
                #expect(controller.alive.value == 1)
                controller.viewDidDisappear()
                #expect(controller.alive.value == 0)
            }
            #expect(ScopeContext.shared.openScopes().isEmpty)
        }
    }

    @Test func `of a screen that is never cleared one instance is left and found among the open scopes`() async {
        await #expect(processExitsWith: .success) {
            let controller = MapController(forgets: true)
            for _ in 0..<10 {
                controller.viewWillAppear()
                controller.viewDidDisappear()
                #expect(controller.alive.value == 1)
            }
            let left = ScopeContext.shared.openScopes()
            #expect(left.map(\.id) == ["map"])
            #expect(left.map(\.instanceCount) == [1])
            left.first?.end()
            #expect(controller.alive.value == 0)
        }
    }

    // MARK: Made and asked for asynchronously

    @Test func `an asynchronous service is made once for the tasks of its request`() async throws {
        let made = Box(0)
        try await Resolver.withScope(.request, id: "asynchronous") {
            await Resolver.registerAsyncScoped(Service.self, scope: .request) { await Service.create(made) }
            let service = try await Resolver.optionalAsync(Service.self)
            #expect(service != nil)
            let others = try await withThrowingTaskGroup(of: Service?.self) { group in
                for _ in 0..<16 { group.addTask { try await Resolver.optionalAsync() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(others.allSatisfy { $0 === service })
        }
        #expect(made.value == 1)
    }

    // MARK: Nil although it was registered

    @Test func `what was registered in a screen is nil once that was cleared and the events tell`() async {
        await #expect(processExitsWith: .success) {
            let log = ScopeLog(.screen)
            ScopeContext.shared.setCurrent(.screen, id: "home")
            Resolver.registerScoped(Service.self, scope: .screen) { Service() }
            ScopeContext.shared.clear(.screen)
            #expect(Resolver.optional(Service.self) == nil)
            let screen = ScopeEvent.Scope(kind: .screen, id: "home")
            #expect(log.events == [.opened(screen), .ended(screen, reason: .cleared, instances: 0)])
        }
    }

    @Test func `a default stands in where there is no scope`() {
        let standIn = Service(), kind = ScopeKind("troubled default", rank: 10, binding: .execution)
        func service() -> Service { Resolver.optional() ?? standIn }
        #expect(service() === standIn)
        Resolver.withScope(kind, id: "1") {
            Resolver.registerScoped(Service.self, scope: kind) { Service() }
            #expect(service() !== standIn)
            #expect(service() === service())
        }
        #expect(service() === standIn)
    }
}
