import Foundation
import Resolver
import Testing

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

    @Test func `an asynchronous factory that is called later by itself returns nil`() async throws {
        let resolver = Resolver(), store = Store<Leaf>()
        store.keep(resolver.register { await yielding(Leaf()) })
        _ = try await resolver.resolveAsync(Leaf.self)
        expect(store.make(resolver), is: nil)
        resolver.register { r in store.make(r).map { _ in OtherLeaf() } }
        expect(resolver.failure(OtherLeaf.self) != nil)
        await expect(resolver.asyncFailure(OtherLeaf.self) != nil)
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

    /// Calls a closure where the library asks or tells a scope about one registration.
    private final class Told: ResolverScope, @unchecked Sendable {
        private let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }

        override func existing<Service>(registration: ResolverRegistration<Service>, resolver: Resolver) -> Service? {
            call()
            return nil
        }

        override func release(_ registration: AnyResolverRegistration) { call() }
    }

    enum Callback: CaseIterable { case clock, comparison, hook, deinitializer, release, existing }

    @Test(arguments: Callback.allCases)
    func `an error in a callback is not the error of the factory around it`(_ callback: Callback) {
        let store = Store<Leaf>(), resolver = Resolver(), calls = Box(0)
        store.keep(resolver.register(name: "failing") { () throws -> Leaf in throw Failure() })
        let fail = { @Sendable in
            expect(store.make() == nil)
            calls.increment()
        }
        let options = resolver.register { Leaf() }.scope(.cached)
        var use: @Sendable (Resolver) -> Void = { _ = $0.optional(Leaf.self) }
        switch callback {
        case .clock:
            resolver.clock = ResolverClock {
                fail()
                return 0
            }
            options.timeToLive(10)
        case .comparison:
            options.scopeOnArguments()
            use = { _ = $0.optional(Leaf.self, args: CallingArgument(onCompare: fail)) }
        case .hook:
            options.onRelease { _ in fail() }
            use = {
                _ = $0.optional(Leaf.self)
                $0.reset(Leaf.self)
            }
        case .deinitializer:
            resolver.register { DeinitCallback(fail) }.scope(.cached)
            use = {
                _ = $0.optional(DeinitCallback.self)
                $0.reset(DeinitCallback.self)
            }
        case .release:
            options.scope(Told(fail))
            use = { $0.reset(Leaf.self) }
        case .existing:
            options.scope(Told(fail))
            use = { _ = $0.existing(Leaf.self) }
        }
        resolver.register { [use] resolver -> OtherLeaf? in
            use(resolver)
            use(resolver)
            return nil
        }
        expect(resolver.failure(OtherLeaf.self)?.code, is: .factoryReturnedNil)
        expect(calls.value > 0)
    }
}
