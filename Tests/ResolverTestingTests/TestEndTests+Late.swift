import Resolver
import ResolverTesting
import Testing

// What outlives a test, or is inside another one. Processes of their own, because a search of another test retains resolvers for a moment.

extension TestEndTests {
    private final class Asking<Service: Sendable>: Sendable { deinit { _ = Resolver.optional(Service.self) } }

    @Test func `a stream, an observer or a context that begins after its test's end is over at once`() async {
        await #expect(processExitsWith: .success) {
            let isOver = Gate(), kind = ScopeKind("late", rank: 11, binding: .process)
            let handle = Box(Trace<ScopeHandle>(object: nil))
            let task = Resolver.withTestResolver {
                Task {
                    await isOver.pass()
                    let seen = Box(0)
                    for _ in 0..<2 { _ = ScopeContext.shared.observe { _ in seen.increment() } }
                    _ = Resolver.observe { _ in seen.increment() }
                    let late = ScopeContext.shared.setCurrent(kind, id: "")
                    handle.set(Trace(object: late))
                    expect(!late.isOpen)
                    _ = Resolver.optional(Whole.self)
                    if seen.value == 0 { for await _ in ScopeContext.shared.events {} }
                    return seen.value
                }
            }
            isOver.open()
            await expect(task.value, is: 0)
            expect(handle.value.object, is: nil)
        }
    }

    @Test func `what only a suite holds is released in its test, also after a task of an inner test`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[Bool]>([]), process = Resolver.main, isOver = Gate()
            let task = Resolver.withTestResolver {
                let witness = Witness(seen, process)
                Resolver.register { witness }
                return Resolver.withTestResolver { Task { await isOver.pass() } }
            }
            expect(seen.value.isEmpty)
            isOver.open()
            await task.value
            while seen.value.isEmpty { await Task.yield() }
            expect(seen.value, is: [false])
        }
    }

    @Test func `an error that leaves a test has its suggestions and does not hold the test's resolver`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[Bool]>([]), process = Resolver.main
            let error = #expect(throws: ResolutionError.self) {
                try Resolver.withTestResolver {
                    let witness = Witness(seen, process)
                    Resolver.register { witness }
                    Resolver.register(name: "own") { Whole() }
                    _ = try Resolver.root.tryResolve(Whole.self)
                }
            }
            expect(seen.value, is: [false])
            expect(error?.suggestions.count, is: 1)
        }
    }

    @Test func `what a mock resolves when it is released is released inside the test with its hook`() async {
        await #expect(processExitsWith: .success) {
            let seen = Box<[Bool]>([]), process = Resolver.main, resolvers = Box<[Trace<Resolver>]>([])
            Resolver.register { Factory($0) }.scope(.cached).onRelease {
                seen.append(Resolver.main === process)
                resolvers.append(Trace(object: $0.resolver))
            }
            for _ in 0..<3 {
                Resolver.withTestResolver {
                    let mock = Asking<Factory>()
                    Resolver.register { mock }
                }
            }
            expect(seen.value, is: [false, false, false])
            expect(resolvers.value.allSatisfy { $0.object == nil })
        }
    }

    /// A suite's closure makes a container of its own. The test has a trait of its own, or none.
    @Test(arguments: [false, true])
    func `a test resets and enters the containers that its suite has made`(_ hasOwnTrait: Bool) async throws {
        @Sendable func check() {
            let container = Resolver.resolve(Factory.self).resolver, main = Resolver.main
            let first: Whole = container.resolve()
            ResolverScope.cached.reset()
            expect(container.resolve(Whole.self) !== first)
            ScopeContext.shared.setCurrent(.session, id: "of the test")
            container.run {
                expect(ScopeContext.shared.currentID(for: .session), is: "of the test")
                expect(Resolver.main === main)
                expect(Resolver.root === container)
            }
        }
        let suite = ResolverTrait.resolver { resolver in
            let container = Resolver()
            container.register { Whole() }.scope(.cached)
            resolver.register { Factory(container) }
        }
        try await inTest(suite) { if hasOwnTrait { try await inTest { check() } } else { check() } }
    }

    @Test func `a reset in an inner test leaves what the test around it keeps`() {
        Resolver.withTestResolver {
            let container = Resolver()
            container.register { Whole() }.scope(.cached)
            Resolver.register { Whole() }.scope(.cached)
            let kept = [container.resolve(Whole.self), Resolver.resolve(Whole.self)]
            Resolver.withTestResolver { ResolverScope.cached.reset() }
            expect(container.existing(Whole.self) === kept[0])
            expect(Resolver.existing(Whole.self) === kept[1])
        }
    }
}
