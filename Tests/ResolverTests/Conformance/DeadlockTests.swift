import Foundation
import Resolver
import Testing

/// Calls that must not deadlock, in processes that are killed if they do.
@Suite struct DeadlockTests {
    @Test func `the path of a dependency cycle of three threads has its members in order`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), allInside = Rendezvous(3)
            for (name, next) in [("a", "b"), ("b", "c"), ("c", "a")] {
                resolver.register(name: .init(name)) { r -> Leaf in
                    allInside.arriveAndWait()
                    return try r.tryResolve([Leaf].self, name: .init("to \(next)"))[0]
                }.scope(.cached)
                resolver.register(name: .init("to \(next)")) { r in [try r.tryResolve(Leaf.self, name: .init(next))] }
                    .scope(.unique)
                resolver.register(name: .init("enter \(name)")) { r in try r.tryResolve(Leaf.self, name: .init(name)) }
                    .scope(.unique)
            }
            let errors = await Threads.results(3) { index in
                resolver.failure(Leaf.self, name: ["enter a", "enter b", "enter c"][index])
            }
            expect(errors.allSatisfy { $0 != nil })
            let paths = errors.map { ($0?.path ?? []).compactMap(\.name) }
            let names = paths.first { Set($0).isSuperset(of: ["a", "b", "c"]) } ?? []
            let members = ["a", "to b", "b", "to c", "c", "to a"]
            expect((0..<6).map { Array((members + members)[$0...($0 + 6)]) }.contains(names), "\(paths)")
        }
    }

    @Test func `a deinit may resolve, register and reset, however its object is released`() async {
        await #expect(processExitsWith: .success) {
            let other = Resolver(), cache = ResolverScopeCache(), releases = Box(0)
            other.register { Leaf() }.scope(cache)
            let onDeinit: @Sendable () -> Void = {
                releases.increment()
                // Another thread would block here if a lock were held.
                Threads.run(1) { _ in
                    _ = other.resolve(Leaf.self)
                    other.register { OtherLeaf() }.scope(cache)
                    _ = other.resolve(OtherLeaf.self)
                    cache.reset()
                }
            }
            // The last one ends a resolution cycle.
            let ways: [(inout Resolver?) -> Void] = [
                { _ in cache.reset() }, { _ = $0?.register { DeinitCallback {} } }, { $0 = nil },
                { _ = $0?.resolve(Leaf.self) },
            ]
            for release in ways {
                var resolver: Resolver? = Resolver()
                resolver?.register { DeinitCallback(onDeinit) }.scope(cache)
                resolver?.register(name: "part") { DeinitCallback(onDeinit) }
                resolver?.register { r in Leaf(after: r.resolve(DeinitCallback.self, name: "part")) }
                _ = resolver?.resolve(DeinitCallback.self)
                let before = releases.value
                release(&resolver)
                expect(releases.value > before)
            }
        }
    }

    @Test func `threads that use the static functions for the first time get one root`() async {
        await #expect(processExitsWith: .success) {
            // Only the target with the conformance registers services in registerAllServices.
            let roots = Box<Set<ObjectIdentifier>>([])
            Resolver.reset()
            Threads.run(16) { _ in
                _ = Resolver.optional(Leaf.self)
                _ = roots.update { $0.insert(ObjectIdentifier(Resolver.root)) }
            }
            expect(roots.value.count, is: 1)
        }
    }

    @Test func `an object that a setting held is released outside the lock`() async {
        await #expect(processExitsWith: .success) {
            let releases = Box(0)
            do {
                let settings = (0..<4).map { _ in
                    DeinitCallback {
                        releases.increment()
                        _ = Resolver.defaultScope
                        Resolver.decorate = Resolver.decorate
                        Resolver.registerServices?()
                        _ = Resolver.root
                    }
                }
                Resolver.decorate = { [first = settings[0]] _ in _ = first }
                Resolver.registerServices = { [second = settings[1]] in _ = second }
                Resolver.defaultScope = CallbackScope(before: { [third = settings[2]] _ in _ = third })
                Resolver.main.cache = CallbackScope(before: { [fourth = settings[3]] _ in _ = fourth })
            }
            Resolver.decorate = nil
            Resolver.registerServices = nil
            Resolver.defaultScope = .graph
            Resolver.main.cache = ResolverScopeCache()
            expect(releases.value, is: 4)
        }
    }

    @Test func `a process may exit while factories run`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), allInside = Rendezvous(9), never = Gate()
            for index in 0..<8 {
                resolver.register(name: .init("\(index)")) { Leaf(after: allInside.arriveAndWait(), never.wait()) }
                    .scope(.cached)
                _ = RunningThread { _ = resolver.resolve(Leaf.self, name: .init("\(index)")) }
            }
            await allInside.arriveAndPass()
            exit(0)
        }
    }
}
