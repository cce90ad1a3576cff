import Resolver
import Testing

/// A scope of the process may begin while something is made that lives longer: it is seen there only if it began there.
@Suite struct CaptiveMeanwhileTests {
    private typealias Part = Leaf
    private typealias Long = Holder<Leaf>

    private static func kind(_ name: String) -> ScopeKind {
        ScopeKind("captive meanwhile, " + name, rank: 17, binding: .process)
    }

    private let resolver = Resolver()

    /// - Parameter isAsync: whether a task makes the service, or a thread.
    @Test(arguments: [false, true])
    func `a service does not see a scope that other code begins while it is made`(_ isAsync: Bool) async throws {
        // Registered for a scope of the process, which other tests would see.
        final class Name: Sendable {}
        let kind = Self.kind("\(isAsync)"), own = Resolver.Name("\(isAsync)"), pause = Pause()
        let usual = Name(), ofTheUser = Name()
        resolver.register(name: own) { usual }
        resolver.register { Name() }.scoped(to: kind)
        if isAsync {
            resolver.register { r async throws -> [Name] in
                try await pause.suspending([await r.resolveAsync(name: own), await r.resolveAsync()])
            }.scope(.container)
        } else {
            resolver.register { r -> [Name] in pause.blocking([r.resolve(name: own), r.resolve()]) }.scope(.container)
        }
        async let made =
            isAsync ? resolver.resolveAsync([Name].self) : Threads.result { resolver.resolve([Name].self) }
        await pause.hasBegun.pass()
        ScopeContext.shared.setCurrent(kind, id: "the first user").register(name: own) { ofTheUser }
        let ofAnyUser: Name = resolver.resolve()
        expect(resolver.resolve(Name.self, name: own) === ofTheUser)
        pause.mayEnd.open()
        let names = try await made
        expect(names[0] === usual)
        expect(names[1] !== ofAnyUser)
        ScopeContext.shared.clear(kind)
    }

    /// - Parameter depth: the number of creation tasks around each other, in the innermost of which the scope begins.
    @Test(arguments: 1...3)
    func `a service sees a scope that begins in a creation task of its own`(_ depth: Int) async throws {
        let kind = Self.kind("nested creation \(depth)")
        resolver.register { Part() }.scoped(to: kind)
        for level in 1...depth {
            resolver.register(name: .init("\(level)")) { resolver async throws -> Long in
                await Task.yield()
                if level == depth {
                    ScopeContext.shared.setCurrent(kind, id: "me")
                } else {
                    _ = try await resolver.resolveAsync(Long.self, name: .init("\(level + 1)"))
                }
                return Long(Part())
            }.scope(.container)
        }
        resolver.register { resolver async throws -> Long in
            _ = try await resolver.resolveAsync(Long.self, name: "1")
            return Long(try resolver.tryResolve())
        }.scope(.container)
        try await expect(resolver.resolveAsync(Long.self).part === resolver.resolve(Part.self))
        ScopeContext.shared.clear(kind)
    }

    @Test func `a service sees a scope that its own factory begins`() async throws {
        let now = Self.kind("own"), later = Self.kind("own, later")
        let nested = ScopeKind("nested", rank: 3, binding: .execution)
        resolver.register(name: "now") { Part() }.scoped(to: now)
        resolver.register(name: "later") { Part() }.scoped(to: later)
        resolver.register { resolver in
            ScopeContext.shared.setCurrent(now, id: "own")
            return Long(resolver.resolve(name: "now"))
        }.scope(.container)
        resolver.register(name: "later") { resolver async throws -> Long in
            await Task.yield()
            ScopeContext.shared.setCurrent(later, id: "own")
            // Made in a creation of its own, for that scope; what begins there is seen there.
            return try await resolver.resolveAsync(name: "of the scope")
        }.scope(.container)
        resolver.register(name: "nested") { Part() }.scoped(to: nested)
        let isNestedSeen = Box(false)
        resolver.register(name: "of the scope") { resolver async throws -> Long in
            let part: Part = try await resolver.resolveAsync(name: "later")
            isNestedSeen.set(
                await Resolver.withScope(nested, id: "1") {
                    resolver.resolve(Part.self, name: "nested") === resolver.resolve(Part.self, name: "nested")
                })
            return Long(part)
        }.scoped(to: later)
        expect(resolver.resolve(Long.self).part === resolver.resolve(Part.self, name: "now"))
        let holder = try await resolver.resolveAsync(Long.self, name: "later")
        expect(holder.part === resolver.resolve(Part.self, name: "later"))
        expect(isNestedSeen.value)
        ScopeContext.shared.clear(now)
        ScopeContext.shared.clear(later)
    }
}
