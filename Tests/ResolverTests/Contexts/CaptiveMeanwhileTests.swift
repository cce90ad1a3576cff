import Resolver
import Testing

/// A scope of the process may begin while something is made that lives longer: it is seen there only if it began there.
@Suite struct CaptiveMeanwhileTests {
    private typealias Part = Leaf
    private typealias Long = Holder<Leaf>

    private static func kind(_ name: String) -> ScopeKind {
        ScopeKind("captive meanwhile, " + name, rank: 17, binding: .process)
    }

    private let resolver = Resolver(), hasStarted = Gate(), mayFinish = Gate()

    @Test func `a service that is made on a thread does not see a scope that other code begins`() async {
        let kind = Self.kind("thread"), resolver = resolver, hasStarted = hasStarted, mayFinish = Gate()
        resolver.register { Part() }.scoped(to: kind)
        resolver.register { resolver in
            hasStarted.open()
            mayFinish.wait()
            return Long(resolver.resolve())
        }.scope(.container)
        let holder = Box<Long?>(nil)
        let thread = RunningThread { holder.set(resolver.resolve(Long.self)) }
        await hasStarted.pass()
        ScopeContext.shared.setCurrent(kind, id: "others")
        let part: Part = resolver.resolve()
        mayFinish.open()
        thread.join()
        #expect(holder.value?.part !== part)
        ScopeContext.shared.clear(kind)
    }

    @Test func `a service that is made in a task does not see a scope that other code begins`() async throws {
        // Registered for a scope of the process, which other tests would see.
        final class Name: Sendable {}
        typealias Badge = Holder<Name>
        let kind = Self.kind("task"), resolver = resolver, hasStarted = hasStarted, mayFinish = mayFinish
        let usual = Name(), ofTheFirstUser = Name()
        resolver.register { usual }
        resolver.register { resolver async throws -> Badge in
            hasStarted.open()
            await mayFinish.pass()
            return Badge(try await resolver.resolveAsync())
        }.scope(.container)
        let task = Task { try await resolver.resolveAsync(Badge.self) }
        await hasStarted.pass()
        let session = ScopeContext.shared.setCurrent(kind, id: "the first user")
        session.register { ofTheFirstUser }
        #expect(resolver.resolve(Name.self) === ofTheFirstUser)
        mayFinish.open()
        #expect(try await task.value.part === usual)
        ScopeContext.shared.clear(kind)
    }

    @Test func `a service sees a scope that begins in a creation task of its own`() async throws {
        let kind = Self.kind("nested creation")
        resolver.register { Part() }.scoped(to: kind)
        resolver.register(name: "login") { () async throws -> Long in
            await Task.yield()
            ScopeContext.shared.setCurrent(kind, id: "me")
            return Long(Part())
        }.scope(.container)
        resolver.register { resolver async throws -> Long in
            _ = try await resolver.resolveAsync(Long.self, name: "login")
            return Long(try resolver.tryResolve())
        }.scope(.container)
        #expect(try await resolver.resolveAsync(Long.self).part === resolver.resolve(Part.self))
        ScopeContext.shared.clear(kind)
    }

    @Test func `a service sees a scope that its own factory begins`() async throws {
        let (now, later, nested) = (
            Self.kind("own"), Self.kind("own, later"), ScopeKind("nested", rank: 3, binding: .execution)
        )
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
        #expect(resolver.resolve(Long.self).part === resolver.resolve(Part.self, name: "now"))
        let holder = try await resolver.resolveAsync(Long.self, name: "later")
        #expect(holder.part === resolver.resolve(Part.self, name: "later"))
        #expect(isNestedSeen.value)
        ScopeContext.shared.clear(now)
        ScopeContext.shared.clear(later)
    }
}
