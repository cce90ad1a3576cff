import Foundation
import Resolver
import Testing

/// Factories that a wrapper has stored, and that code calls by itself.
@Suite struct StoredFactoryTests {
    private final class Store<Service>: @unchecked Sendable {
        private let stored = Box<ResolverFactoryAnyArguments<Service>?>(nil)

        /// Stores the factory of a registration, as it is by now.
        func keep(_ options: ResolverOptions<Service>) {
            options.registration.update { [stored] factory in
                stored.set(factory)
                return factory
            }
        }

        func make(_ resolver: Resolver = Resolver()) -> Service? { stored.value?(resolver, nil) }
    }

    @Test(arguments: [false, true])
    func `the factory of a resolver that has ended makes a service, or nil if it is asynchronous`(_ isAsync: Bool) async
    {
        await #expect(processExitsWith: .success) { [isAsync] in
            let store = Store<Leaf>()
            for resolver in [Resolver()] {
                let options = resolver.register(isAsync: isAsync) { _ in Leaf() }
                options.registration.update { factory in { factory($0, $1) } }
                store.keep(options)
            }
            expect(store.make() == nil, is: isAsync)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a factory or block of the main actor runs there alone`(_ hasEnded: Bool, _ isBlock: Bool) async {
        let resolver = Resolver(), store = Store<Leaf>(), runs = Box(0)
        do {
            let ending = Resolver(), owner = hasEnded ? ending : resolver
            if isBlock {
                store.keep(owner.register { Leaf() }.resolveProperties { @MainActor _, _ in _ = runs.increment() })
            } else {
                store.keep(owner.register { @MainActor in runs.counting(Leaf()) })
            }
        }
        await expect(Task.detached { store.make() }.value == nil)
        expect(runs.value, is: 0)
        await expect(MainActor.run { store.make() } == nil, is: hasEnded)
        expect(runs.value, is: hasEnded ? 0 : 1)
    }

    @Test func `a factory that calls itself is too deep`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), store = Store<Leaf>()
            store.keep(resolver.register { resolver -> Leaf? in store.make(resolver) })
            expect(resolver.failure(Leaf.self)?.code, is: .tooDeep)
        }
    }
}
