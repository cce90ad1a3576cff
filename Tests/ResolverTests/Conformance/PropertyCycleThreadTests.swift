import Foundation
import Resolver
import Testing

/// Services that refer to each other by `resolveProperties`, resolved concurrently by several threads or tasks.
@Suite struct PropertyCycleThreadTests {
    private protocol OneRole: AnyObject, Sendable {}
    private final class One: OneRole, @unchecked Sendable { var two: Two? }
    private final class Two: @unchecked Sendable { var one: (any OneRole)? }
    private final class Parent: @unchecked Sendable { var child: Offspring? }
    private final class Offspring: Sendable {
        let parent: Parent
        init(_ parent: Parent) { self.parent = parent }
    }

    private static let rounds = Sanitizer.rounds(300)

    /// - Parameter kind: the scope, or an isolating resolver and the role instead of the class.
    @Test(arguments: ["cached", "container", "application", "alias"])
    func `two threads get the same pair of services that refer to each other`(_ kind: String) async {
        await #expect(processExitsWith: .success) { [kind] in
            Child.mustEnd()
            let scopes: [String: ResolverScope] = ["container": .container, "application": .application]
            let scope = scopes[kind] ?? .cached, isAlias = kind == "alias"
            for _ in 0..<PropertyCycleThreadTests.rounds {
                let bothAreInProperties = Rendezvous(2), main = Resolver()
                let resolver = isAlias ? Resolver(isolating: main) : main
                main.register { One() }.implements(OneRole.self).scope(scope).resolveProperties { r, one in
                    bothAreInProperties.arriveAndWait()
                    one.two = r.resolve(Two.self)
                }
                main.register { Two() }.scope(scope).resolveProperties { r, two in
                    bothAreInProperties.arriveAndWait()
                    two.one = isAlias ? r.resolve(OneRole.self) : r.resolve(One.self)
                }
                Threads.run(
                    { _ = isAlias ? resolver.resolve(OneRole.self) : resolver.resolve(One.self) },
                    { _ = resolver.resolve(Two.self) })
                let one: One = resolver.resolve(), two: Two = resolver.resolve()
                #expect(one.two === two && two.one === one)
                (one.two, two.one) = (nil, nil)
                if kind == "application" { ResolverScope.application.reset() }
            }
        }
    }

    /// One thread can resolve the parent alone, although the child needs it in its initializer.
    @Test func `concurrent calls for a parent and its child get one pair`() async {
        await #expect(processExitsWith: .success) {
            Child.mustEnd()
            for _ in 0..<PropertyCycleThreadTests.rounds {
                let resolver = Resolver(), bothHaveBegun = Rendezvous(2)
                resolver.register { Parent() }.scope(.cached).resolveProperties { r, parent in
                    bothHaveBegun.arriveAndWait()
                    parent.child = r.resolve(Offspring.self)
                }
                resolver.register { r -> Offspring in
                    bothHaveBegun.arriveAndWait()
                    return Offspring(r.resolve())
                }.scope(.cached)
                Threads.run({ _ = resolver.resolve(Parent.self) }, { _ = resolver.resolve(Offspring.self) })
                let parent: Parent = resolver.resolve(), child: Offspring = resolver.resolve()
                #expect(parent.child === child && child.parent === parent)
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
                async let first: One = resolver.resolveAsync()
                async let second: Two = resolver.resolveAsync()
                let (one, two) = try await (first, second)
                #expect(one.two === two && two.one === one)
                (one.two, two.one) = (nil, nil)
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
