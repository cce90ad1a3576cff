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

    /// - Parameter isRemoved: whether the registration is removed, or another one replaces it.
    @Test(arguments: [false, true])
    func `a call returns no instance of a replaced or removed registration`(_ isRemoved: Bool) async throws {
        let resolver = Resolver(), isArmed = Box(false)
        resolver.register { await yielding(Leaf()) }.scope(.cached).scopeOnArguments()
        let argument = CallingArgument(onHash: {
            guard isArmed.exchange(false) else { return }
            if isRemoved { resolver.reset(.registrations) } else { resolver.register { Leaf() } }
        })
        let kept = try await resolver.resolveAsync(Leaf.self, args: argument)
        isArmed.set(true)
        let later = Result { try resolver.tryResolve(Leaf.self, args: argument) }
        expect(later.resolutionError?.code, is: isRemoved ? .notRegistered : nil)
        expect((try? later.get()) !== kept)
    }

    private enum EntryPoint: String, CaseIterable, Codable { case resolve, optional, injected, lazyInjected }

    @Test(arguments: EntryPoint.allCases)
    private func `synchronous entry points that cannot throw trap with the same text`(_ call: EntryPoint) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [call] in
            let scopes: [EntryPoint: ResolverScope] = [.resolve: .cached, .optional: .unique, .lazyInjected: .shared]
            let resolver = Resolver()
            resolver.register { () async in Leaf() }.scope(scopes[call] ?? .graph)
            switch call {
            case .resolve: _ = resolver.resolve(Leaf.self)
            case .optional: _ = resolver.optional(Leaf.self)
            case .injected: _ = Injected<Leaf>(container: resolver)
            case .lazyInjected: _ = LazyInjected<Leaf>(container: resolver).wrappedValue
            }
        }
        let text = try result.errorText
        expect(text.contains("Its factory is asynchronous, and ") && text.contains("resolveAsync()"), "\(text)")
    }

    @MainActor private final class Screen {}
    private typealias Frame = Holder<Screen>

    @Test func `a synchronous factory off the main actor cannot need a main-actor service`() async throws {
        let resolver = Resolver(), runs = Box(0)
        resolver.register { @MainActor in Screen() }.scope(.unique)
        resolver.register { r -> Frame in
            runs.increment()
            return Frame(try r.tryResolve())
        }
        let error = await resolver.asyncFailure(Frame.self)
        expect(error?.code, is: .wrongIsolation)
        expect(error?.path.count, is: 2)
        expect(runs.value, is: 1)
        _ = try await Task { @MainActor in try await resolver.resolveAsync(Frame.self) }.value
        expect(runs.value, is: 2)
    }
}
