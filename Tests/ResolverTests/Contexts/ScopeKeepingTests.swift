import Resolver
import Testing

/// What a scope keeps is handed out without asking, and yet gone when it has to be.
@Suite struct ScopeKeepingTests {
    private static let kind = ScopeKind("keeping", rank: 13, binding: .execution)

    @Test func `a scope keeps any number of services and releases the youngest first`() {
        let resolver = Resolver(), alive = Box(0), released = Box<[Int]>([])
        for number in 0..<200 {
            resolver.register(name: .init("\(number)")) { Counted(alive) }.scoped(to: Self.kind)
                .onRelease { _ in released.append(number) }
        }
        Resolver.withScope(Self.kind, id: "many") {
            let first = (0..<200).map { resolver.resolve(Counted.self, name: .init("\($0)")) }
            let second = (0..<200).map { resolver.resolve(Counted.self, name: .init("\($0)")) }
            #expect(zip(first, second).allSatisfy { $0 === $1 })
            #expect(alive.value == 200)
            #expect(ScopeContext.shared.current(Self.kind)?.instanceCount == 200)
        }
        #expect(alive.value == 0)
        #expect(released.value == (0..<200).reversed())
    }

    @Test func `a registration for a narrower scope comes before an instance in use`() {
        final class Service: Sendable {}
        let resolver = Resolver()
        resolver.register { Service() }.scoped(to: .session)
        Resolver.withScope(.session, id: "outer") {
            let kept: Service = resolver.resolve()
            #expect(kept === resolver.resolve(Service.self))
            Resolver.withScope(.request, id: "inner") {
                Resolver.registerScoped(Service.self, scope: .request) { Service() }
                #expect(kept !== resolver.resolve(Service.self))
                #expect(resolver.resolve(Service.self) === resolver.resolve(Service.self))
            }
            #expect(kept === resolver.resolve(Service.self))
        }
    }

    /// The clock is asked whether the first session is over, and the second one is there before it has answered.
    @Test func `an instance requested while another scope replaces the found one is kept by that other scope`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let isArmed = Box(false), resolver = Resolver()
            Resolver.clock = ResolverClock {
                let isFirst = isArmed.update { isArmed in
                    defer { isArmed = false }
                    return isArmed
                }
                if isFirst { ScopeContext.shared.setCurrent(.session, id: "second") }
                return 0
            }
            resolver.register { Leaf() }.scoped(to: .session)
            ScopeContext.shared.setCurrent(.session, id: "first", expiresAfter: 100)
            isArmed.set(true)
            let leaf: Leaf = resolver.resolve()
            Child.require(ScopeContext.shared.currentID(for: .session) == "second", "it has taken its place")
            Child.require(leaf === resolver.resolve(Leaf.self), "it is kept")
        }
    }

    /// The clock is asked several times during a call. Each time another session may take the place of the one that the
    /// service is registered for.
    @Test func `a scope's own registration is kept by no other scope`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let asked = Box(Int.min), replacesAt = Box(0), resolver = Resolver()
            Resolver.clock = ResolverClock {
                if asked.increment() == replacesAt.value { ScopeContext.shared.setCurrent(.session, id: "second") }
                return 0
            }
            for moment in 1...8 {
                asked.set(.min)
                let first = ScopeContext.shared.setCurrent(.session, id: "first", expiresAfter: 100)
                first.register { Leaf() }
                replacesAt.set(moment)
                asked.set(0)
                _ = resolver.optional(Leaf.self)
                asked.set(.min)
                let current = ScopeContext.shared.current(.session)
                let expected = current === first ? 1 : 0
                Child.require(current?.instanceCount == expected, "\(moment): kept by \(current?.id ?? "no scope")")
                ScopeContext.shared.clear(.session)
            }
        }
    }
}
