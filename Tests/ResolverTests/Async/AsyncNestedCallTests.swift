import Foundation
import Resolver
import Testing

@Suite struct AsyncNestedCallTests {
    @Test func `a deinit during an asynchronous call makes a separate synchronous call`() async throws {
        let resolver = Resolver(), runs = Box(0), others = Box(0), refusals = Box(0)
        resolver.register { await yielding(others.counting(OtherLeaf())) }.scope(ResolverScopeCache())
        resolver.register { r in DeinitCallback { if r.failure(OtherLeaf.self) != nil { refusals.increment() } } }
        resolver.register { r -> Leaf in
            _ = r.resolve(DeinitCallback.self)
            return runs.counting(Leaf())
        }.scope(.unique)
        _ = try await resolver.resolveAsync(Leaf.self)
        expect([runs.value, refusals.value, others.value], is: [1, 1, 0], "runs, refusals, others")
    }

    @Test func `a custom scope in an asynchronous call waits for an instance that a thread creates`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver(), pause = Pause()
            resolver.register { pause.blocking(OtherLeaf()) }.scope(ResolverScopeCache())
            let scope = CallbackScope { resolver in
                pause.mayEnd.open()
                _ = resolver.resolve(OtherLeaf.self)
            }
            resolver.register { Leaf() }.scope(scope)
            let thread = RunningThread { _ = resolver.resolve(OtherLeaf.self) }
            await pause.hasBegun.pass()
            _ = try await resolver.resolveAsync(Leaf.self)
            thread.join()
        }
    }

    /// The factory of the first argument waits for the thread, as synchronous code does, and does not run again.
    @Test func `a factory in an asynchronous call waits for another argument that a thread creates`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<Sanitizer.rounds(20) {
                let resolver = Resolver(), runs = Box(0), isAsked = Gate(), threadMakes = Gate()
                resolver.register { (r, args) -> Leaf in
                    if args() == 2 {
                        threadMakes.open()
                        isAsked.wait()
                        // The other call usually begins to wait now.
                        for _ in 0..<200 { sched_yield() }
                    } else {
                        runs.increment()
                        isAsked.open()
                        _ = try r.tryResolve(Leaf.self, args: 2)
                    }
                    return Leaf()
                }.scope(.cached).scopeOnArguments()
                let thread = RunningThread { _ = resolver.resolve(Leaf.self, args: 2) }
                await threadMakes.pass()
                _ = try await resolver.resolveAsync(Leaf.self, args: 1)
                thread.join()
                expect(runs.value, is: 1)
            }
        }
    }

    @Test func `an asynchronous factory that a wrapper calls later returns nil`() async throws {
        let resolver = Resolver(), kept = Box<ResolverFactoryAnyArguments<Leaf>?>(nil)
        resolver.register { await yielding(Leaf()) }.registration.update { factory in
            kept.set(factory)
            return factory
        }
        _ = try await resolver.resolveAsync(Leaf.self)
        let later = try #require(kept.value)
        expect(later(resolver, nil), is: nil)
        resolver.register { r in later(r, nil).map { _ in OtherLeaf() } }
        expect(resolver.failure(OtherLeaf.self) != nil)
        await expect(resolver.asyncFailure(OtherLeaf.self) != nil)
    }

    /// One `register` call with an asynchronous closure on one resolver and a synchronous closure on another.
    @Test func `a synchronous call does not wait for a creation task of the same definition`() async throws {
        let pause = Pause(), asynchronous = Resolver(), synchronous = Resolver()
        let name = Resolver.Name("a definition of two kinds")
        asynchronous.register(name: name, fileID: "Two/Kinds.swift", line: 1) { await pause.suspending(Leaf()) }
            .scope(.application)
        synchronous.register(name: name, fileID: "Two/Kinds.swift", line: 1) { Leaf() }.scope(.application)
        async let leaf = asynchronous.resolveAsync(Leaf.self, name: name)
        await pause.during { expect(synchronous.failure(Leaf.self, name: name) != nil) }
        _ = try await leaf
    }

    @Test func `the decorator sees a service once per call and an alias twice`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[String]>([])
            Resolver.decorate = { seen.append("\(type(of: $0))") }
            for scope in [ResolverScope.unique, ResolverScopeCache()] {
                let resolver = Resolver()
                resolver.register { await yielding(Player()) }.implements((any Role).self).scope(scope)
                _ = try await resolver.resolveAsync(Player.self)
                expect(seen.exchange([]), is: ["Player"])
                _ = try await resolver.resolveAsync((any Role).self)
                expect(seen.exchange([]), is: ["Player", "Player"])
            }
        }
    }
}
