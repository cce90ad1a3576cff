import Resolver
import Testing

/// Modifiers that several threads call at once, or while a call that has found the registration goes on.
@Suite struct ModifierRaceTests {
    @Test func `a modifier that is added while the factory is being wrapped is wrapped too`() {
        let resolver = Resolver(), ran = Box<[String]>([])
        let options = resolver.register { Leaf() }
        options.registration.update { factory in
            Threads.run(1) { _ in
                options.resolveProperties { _, _ in ran.append("block") }
                options.registration.update { factory in
                    { resolver, args in
                        defer { ran.append("inner") }
                        return factory(resolver, args)
                    }
                }
                options.resolveProperties { _, _ in ran.append("later block") }
            }
            return { resolver, args in
                defer { ran.append("outer") }
                return factory(resolver, args)
            }
        }
        options.resolveProperties { _, _ in ran.append("last block") }
        _ = resolver.resolve(Leaf.self)
        expect(ran.value, is: ["block", "inner", "later block", "outer", "last block"])
    }

    @Test func `each scope that a registration has had is told of its end when threads change it at once`() {
        for _ in 0..<Sanitizer.rounds(2000) {
            let resolver = Resolver(), scopes = (0..<3).map { _ in AuditedCache() }
            let options = resolver.register { Leaf() }.scope(scopes[0])
            Threads.run(2) { options.scope(scopes[$0 + 1]) }
            resolver.unregister(Leaf.self)
            expect(scopes.map(\.released.value.count), is: [1, 1, 1])
        }
    }

    @Test func `a call with an argument keeps nothing for all calls once each argument has an instance`() {
        let resolver = Resolver(), isChanged = Box(false)
        let options = resolver.register { _, args in Holder<Int>(args.optional() ?? 0) }
            .scope(.cached).timeToLive(60)
        resolver.clock = ResolverClock {
            if !isChanged.value {
                isChanged.set(true)
                options.scopeOnArguments(Int.self)
            }
            return 0
        }
        let seven = resolver.resolve(Holder<Int>.self, args: 7)
        expect(seven.part, is: 7)
        expect(resolver.existing(Holder<Int>.self), is: nil)
        expect(resolver.resolve(Holder<Int>.self).part, is: 0)
        expect(resolver.resolve(Holder<Int>.self, args: 7) === seven)
    }
}
