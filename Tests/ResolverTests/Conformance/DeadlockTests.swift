import Foundation
import Resolver
import Testing

/// Calls that must not deadlock, in processes that are killed if they do.
@Suite struct DeadlockTests {
    @Test func `a thread may resolve while it holds a lock that a factory waits for`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let lock = NSLock()
            let lockIsHeld = Gate(), factoryRuns = Gate()
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.cached)
            resolver.register { () -> OtherLeaf in
                factoryRuns.open()
                return lock.withLock { OtherLeaf() }
            }.scope(.cached)
            Threads.run(
                {
                    lock.withLock {
                        lockIsHeld.open()
                        factoryRuns.wait()
                        _ = resolver.resolve(Leaf.self)
                    }
                },
                {
                    lockIsHeld.wait()
                    _ = resolver.resolve(OtherLeaf.self)
                })
        }
    }

    @Test func `a factory may wait for a thread that resolves another service`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.cached)
            resolver.register { r -> OtherLeaf in
                Threads.run(1) { _ in _ = r.resolve(Leaf.self) }
                return OtherLeaf()
            }.scope(.cached)
            _ = resolver.resolve(OtherLeaf.self)
        }
    }

    @Test func `a factory may wait for the main thread while it resolves another service`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver()
            let mainResolves = Gate(), factoryWaits = Gate()
            resolver.register { () -> Leaf in
                mainResolves.open()
                factoryWaits.wait()
                return Leaf()
            }.scope(.cached)
            resolver.register { () -> OtherLeaf in
                mainResolves.wait()
                factoryWaits.open()
                DispatchQueue.main.sync {}
                return OtherLeaf()
            }.scope(.cached)
            let background = RunningThread { _ = resolver.resolve(OtherLeaf.self) }
            await MainActor.run { _ = resolver.resolve(Leaf.self) }
            await withCheckedContinuation { continuation in
                _ = RunningThread {
                    background.join()
                    continuation.resume()
                }
            }
        }
    }

    @Test func `two threads that need each other's service both get an error`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let bothInside = Rendezvous(2)
            let isFirstTry = Box(true)
            let resolver = Resolver()
            resolver.register(name: "a") { r -> Leaf in
                if isFirstTry.value { bothInside.arriveAndWait() }
                if isFirstTry.value { _ = try r.tryResolve(Leaf.self, name: "b") }
                return Leaf()
            }.scope(.cached)
            resolver.register(name: "b") { r -> Leaf in
                if isFirstTry.value { bothInside.arriveAndWait() }
                if isFirstTry.value { _ = try r.tryResolve(Leaf.self, name: "a") }
                return Leaf()
            }.scope(.cached)
            let errors = Box<[ResolutionError]>([])
            Threads.run(2) { index in
                if let error = resolver.failure(Leaf.self, name: index == 0 ? "a" : "b") { errors.append(error) }
            }
            Child.require(errors.value.count == 2, "an error on both sides")
            for error in errors.value {
                Child.require(error.code == .circularDependency, "\(error)")
                Child.require(Set(error.path.map(\.name)) == ["a", "b"], "\(error)")
                Child.require(error.path.first == error.path.last, "\(error)")
            }
            isFirstTry.set(false)
            Child.require(
                resolver.resolve(Leaf.self, name: "a") !== resolver.resolve(Leaf.self, name: "b"), "works on")
        }
    }

    @Test func `the path of a dependency cycle of three threads has its members in order`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let allInside = Rendezvous(3)
            let resolver = Resolver()
            let next = ["a": "b", "b": "c", "c": "a"]
            for (name, dependency) in next {
                resolver.register(name: .init(name)) { r -> Leaf in
                    allInside.arriveAndWait()
                    return try r.tryResolve(OtherLeafHolder.self, name: .init("to \(dependency)")).leaf
                }.scope(.cached)
                resolver.register(name: .init("to \(dependency)")) { r in
                    OtherLeafHolder(leaf: try r.tryResolve(Leaf.self, name: .init(dependency)))
                }.scope(.unique)
                resolver.register(name: .init("enter \(name)")) { r -> Leaf in
                    try r.tryResolve(Leaf.self, name: .init(name))
                }.scope(.unique)
            }
            let errors = Box<[ResolutionError]>([])
            Threads.run(3) { index in
                let name = "enter \(["a", "b", "c"][index])"
                if let error = resolver.failure(Leaf.self, name: .init(name)) { errors.append(error) }
            }
            Child.require(errors.value.count == 3, "an error on all sides, not \(errors.value.count)")
            let cycle = errors.value.first { Set($0.path.map(\.name)).isSuperset(of: ["a", "b", "c"]) }
            var names = (cycle?.path ?? []).compactMap(\.name)
            Child.require(names.count == 7, "\(names)")
            names.removeLast()
            while names.first != "a" { names.append(names.removeFirst()) }
            Child.require(names == ["a", "to b", "b", "to c", "c", "to a"], "\(names)")
        }
    }

    struct OtherLeafHolder: Sendable { let leaf: Leaf }

    @Test func `waiting for a thread that is about to finish is not a dependency cycle`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<Sanitizer.rounds(3000) {
                let resolver = Resolver()
                // Each thread creates one service and then resolves the other thread's.
                resolver.register(name: "a") { Leaf() }.scope(.cached)
                resolver.register(name: "b") { Leaf() }.scope(.cached)
                resolver.register(name: "then b") { r -> Leaf in
                    _ = try r.tryResolve(Leaf.self, name: "a")
                    return try r.tryResolve(Leaf.self, name: "b")
                }.scope(.unique)
                resolver.register(name: "then a") { r -> Leaf in
                    _ = try r.tryResolve(Leaf.self, name: "b")
                    return try r.tryResolve(Leaf.self, name: "a")
                }.scope(.unique)
                Threads.run(2) { index in
                    do {
                        _ = try resolver.tryResolve(Leaf.self, name: index == 0 ? "then a" : "then b")
                    } catch {
                        Child.require(false, "\(error)")
                    }
                }
            }
        }
    }

    @Test func `a factory that resolves its own service gets an error while other threads wait`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let othersAreHere = Rendezvous(8)
            let failures = Box(0)
            let resolver = Resolver()
            resolver.register { r -> Leaf in
                othersAreHere.arriveAndWait()
                // The call comes too early: it throws and does not wait for itself.
                do {
                    _ = try r.tryResolve(Leaf.self)
                } catch {
                    Child.require((error as? ResolutionError)?.code == .circularDependency, "\(error)")
                    failures.increment()
                }
                return Leaf()
            }.scope(.cached)
            let got = Box<[Leaf]>([])
            Threads.run(8) { index in
                if index > 0 { othersAreHere.arrive() }
                got.append(resolver.resolve())
            }
            Child.require(failures.value == 1, "\(failures.value) failures")
            Child.require(Set(got.value.map(ObjectIdentifier.init)).count == 1, "one instance")
        }
    }

    @Test func `a factory may register, reset and use its own resolver`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let cache = ResolverScopeCache()
            let resolver = Resolver()
            resolver.register { r -> Leaf in
                cache.reset()
                r.cache.reset()
                r.register { OtherLeaf() }.scope(cache)
                let child = Resolver(child: r)
                r.add(child: Resolver())
                child.register { 1 }
                _ = child.resolve(Int.self)
                _ = child.resolve(OtherLeaf.self)
                return Leaf()
            }.scope(cache)
            _ = resolver.resolve(Leaf.self)
            Child.require(resolver.optional(OtherLeaf.self) != nil, "registered inside a factory")
        }
    }

    @Test func `a deinit may resolve, register and reset, however its object is released`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let cache = ResolverScopeCache()
            let releases = Box(0)
            let other = Resolver()
            other.register { Leaf() }.scope(cache)
            let resolver = Resolver()
            let goodbye: @Sendable () -> Void = {
                releases.increment()
                _ = other.resolve(Leaf.self)
                other.register { OtherLeaf() }.scope(cache)
                _ = other.resolve(OtherLeaf.self)
                cache.reset()
            }
            resolver.register(name: "part") { DeinitCallback(goodbye) }
            resolver.register(name: "graph") { r -> Int in
                _ = r.resolve(DeinitCallback.self, name: "part")
                return 1
            }
            let ways: [@Sendable () -> Void] = [
                { cache.reset() },
                { resolver.register { DeinitCallback(goodbye) }.scope(cache) },
                { _ = resolver.resolve(Int.self, name: "graph") },
            ]
            for (count, release) in ways.enumerated() {
                resolver.register { DeinitCallback(goodbye) }.scope(cache)
                _ = resolver.resolve(DeinitCallback.self)
                release()
                Child.require(releases.value > count, "released by way \(count)")
            }
            do {
                let short = Resolver()
                short.register { DeinitCallback(goodbye) }.scope(.container)
                _ = short.resolve(DeinitCallback.self)
            }
            Child.require(releases.value >= 4, "released with its resolver")
        }
    }

    @Test func `a decorator may resolve`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver()
            resolver.register { Leaf() }.scope(.cached)
            resolver.register { OtherLeaf() }.scope(.cached)
            let seen = Box<[String]>([])
            Resolver.decorate = { service in
                seen.append("\(type(of: service))")
                if service is Leaf { _ = resolver.resolve(OtherLeaf.self) }
            }
            _ = resolver.resolve(Leaf.self)
            Child.require(seen.value == ["Leaf", "OtherLeaf"], "\(seen.value)")
        }
    }

    @Test func `threads that use the static functions for the first time get one root`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            // Only the target with the conformance registers services in registerAllServices.
            let values = Box<Set<ObjectIdentifier>>([])
            Resolver.reset()
            Threads.run(16) { _ in
                _ = Resolver.optional(Leaf.self)
                _ = values.update { $0.insert(ObjectIdentifier(Resolver.root)) }
            }
            Child.require(values.value.count == 1, "one root")
        }
    }

    private final class WatchedScope: ResolverScope, @unchecked Sendable {
        let callback: DeinitCallback
        init(_ callback: DeinitCallback) { self.callback = callback }
    }

    private static func installSettings(counting releases: Box<Int>) {
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
        Resolver.defaultScope = WatchedScope(settings[2])
        Resolver.main.cache = WatchedScope(settings[3])
    }

    @Test func `an object that a setting held is released outside the lock`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let releases = Box(0)
            DeadlockTests.installSettings(counting: releases)
            Resolver.decorate = nil
            Resolver.registerServices = nil
            Resolver.defaultScope = .graph
            Resolver.main.cache = ResolverScopeCache()
            Child.require(releases.value == 4, "\(releases.value) released")
        }
    }

    @Test func `a process may exit while factories run`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            let resolver = Resolver()
            let allInside = Rendezvous(9), never = Gate()
            for index in 0..<8 {
                resolver.register(name: .init("\(index)")) { () -> Leaf in
                    allInside.arriveAndWait()
                    never.wait()
                    return Leaf()
                }.scope(.cached)
                _ = RunningThread { _ = resolver.resolve(Leaf.self, name: .init("\(index)")) }
            }
            await allInside.arriveAndPass()
            exit(0)
        }
    }
}
