import Foundation
import Resolver
import Testing

/// Services that refer to each other by `resolveProperties`, resolved concurrently by several threads or tasks.
@Suite struct PropertyCycleThreadTests {
    private final class One: @unchecked Sendable { var two: Two? }
    private final class Two: @unchecked Sendable { var one: (any Sendable & AnyObject)? }
    private protocol OneRole: AnyObject, Sendable {}
    private final class OneAsRole: OneRole, @unchecked Sendable { var two: TwoOfRole? }
    private final class TwoOfRole: @unchecked Sendable { var one: (any OneRole)? }
    private final class Parent: @unchecked Sendable { var child: Offspring? }
    private final class Offspring: Sendable {
        let parent: Parent
        init(_ parent: Parent) { self.parent = parent }
    }

    private static let rounds = Sanitizer.rounds(300)

    /// The test runs in its own process, because an error in the wait graph may be a deadlock.
    @Test(arguments: [0, 1, 2])
    func `two threads get the same pair of services that refer to each other`(_ scope: Int) async {
        await #expect(processExitsWith: .success) { [scope] in
            Child.mustEnd()
            let scopes: [ResolverScope] = [.cached, .container, .application]
            for _ in 0..<PropertyCycleThreadTests.rounds {
                let bothAreInProperties = Rendezvous(2)
                let resolver = Resolver()
                resolver.register { One() }.scope(scopes[scope]).resolveProperties { r, one in
                    bothAreInProperties.arriveAndWait()
                    one.two = r.resolve(Two.self)
                }
                resolver.register { Two() }.scope(scopes[scope]).resolveProperties { r, two in
                    bothAreInProperties.arriveAndWait()
                    two.one = r.resolve(One.self)
                }
                Threads.run({ _ = resolver.resolve(One.self) }, { _ = resolver.resolve(Two.self) })
                let one: One = resolver.resolve(), two: Two = resolver.resolve()
                Child.require(one.two === two && two.one === one, "one cycle of what is kept")
                (one.two, two.one) = (nil, nil)
                if scope == 2 { ResolverScope.application.reset() }
            }
        }
    }

    @Test func `two threads get the same pair through an alias`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<PropertyCycleThreadTests.rounds {
                let bothAreInProperties = Rendezvous(2)
                let main = Resolver(), resolver = Resolver(isolating: main)
                main.register { OneAsRole() }.implements(OneRole.self).scope(.cached).resolveProperties { r, one in
                    bothAreInProperties.arriveAndWait()
                    one.two = r.resolve(TwoOfRole.self)
                }
                main.register { TwoOfRole() }.scope(.cached).resolveProperties { r, two in
                    bothAreInProperties.arriveAndWait()
                    two.one = r.resolve(OneRole.self)
                }
                Threads.run({ _ = resolver.resolve(OneRole.self) }, { _ = resolver.resolve(TwoOfRole.self) })
                let one: OneAsRole = resolver.resolve(), two: TwoOfRole = resolver.resolve()
                Child.require(one.two === two && two.one === one, "one cycle of what is kept")
                (one.two, two.one) = (nil, nil)
            }
        }
    }

    /// One thread can resolve the parent alone, although the child needs it in its initializer.
    @Test func `concurrent calls for a parent and its child get one pair`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<PropertyCycleThreadTests.rounds {
                let bothAreHalfMade = Rendezvous(2)
                let resolver = Resolver()
                resolver.register { Parent() }.scope(.cached).resolveProperties { r, parent in
                    bothAreHalfMade.arriveAndWait()
                    parent.child = r.resolve(Offspring.self)
                }
                resolver.register { r -> Offspring in
                    bothAreHalfMade.arriveAndWait()
                    return Offspring(r.resolve())
                }.scope(.cached)
                Threads.run({ _ = resolver.resolve(Parent.self) }, { _ = resolver.resolve(Offspring.self) })
                let parent: Parent = resolver.resolve(), child: Offspring = resolver.resolve()
                Child.require(parent.child === child && child.parent === parent, "one pair of what is kept")
                parent.child = nil
            }
        }
    }

    @Test func `two tasks get the same pair of services that refer to each other`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<PropertyCycleThreadTests.rounds {
                let resolver = Resolver()
                resolver.register { One() }.scope(.cached).resolveProperties { r, one in one.two = r.resolve(Two.self) }
                resolver.register { Two() }.scope(.cached).resolveProperties { r, two in two.one = r.resolve(One.self) }
                do {
                    async let one: One = resolver.resolveAsync()
                    async let two: Two = resolver.resolveAsync()
                    let cycle = try await (one, two)
                    Child.require(cycle.0.two === cycle.1 && cycle.1.one === cycle.0, "one cycle of what is kept")
                    (cycle.0.two, cycle.1.one) = (nil, nil)
                } catch {
                    Child.require(false, "\(error)")
                }
            }
        }
    }

    /// The property block of the task's instance runs on a thread, which waits for the other thread.
    @Test func `a thread gets the unfinished instance of a task that waits for it`() async throws {
        let isInProperties = Gate(), isMakingTwo = Gate()
        let resolver = Resolver()
        resolver.register { () async in One() }.scope(.cached).resolveProperties { r, one in
            isInProperties.open()
            isMakingTwo.wait()
            one.two = r.resolve(Two.self)
        }
        resolver.register { Two() }.scope(.cached).resolveProperties { r, two in
            isMakingTwo.open()
            isInProperties.wait()
            // The call fails until the task waits.
            for _ in 0..<300_000 where two.one == nil {
                two.one = try? r.tryResolve(One.self)
                sched_yield()
            }
        }
        let task = Task { try await resolver.resolveAsync(One.self) }
        await Threads.result { isInProperties.wait() }
        let two = await Threads.result { resolver.resolve(Two.self) }
        let one = try await task.value
        #expect(one.two === two)
        #expect(two.one === one)
        (one.two, two.one) = (nil, nil)
    }
}
