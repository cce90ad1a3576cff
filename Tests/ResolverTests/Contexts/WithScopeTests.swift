import Resolver
import Testing

@Suite struct WithScopeTests {
    private let context = ScopeContext.shared

    @Test(arguments: [ScopeKind.Binding.execution, .process])
    func `scopes set inside and not cleared end with the closure, the youngest first`(_ binding: ScopeKind.Binding) {
        let kind = ScopeKind.ofTest("set inside, \(binding)", binding)
        let other = ScopeKind.ofTest("set inside, other, \(binding)"), log = ScopeLog(kind, other)
        let resolver = Resolver(), alive = Box(0)
        for kind in [kind, other] { resolver.register(name: .init(kind.name)) { Counted(alive) }.scoped(to: kind) }
        context.setCurrent(kind, id: "outer")
        Resolver.withScope(kind, id: "closure") {
            for (set, id) in [(kind, "first"), (other, "second"), (kind, "third")] {
                context.setCurrent(set, id: id)
                expect(context.currentID(for: set), is: id)
                _ = resolver.resolve(Counted.self, name: .init(set.name))
            }
            expect(alive.value, is: 3)
        }
        expect(alive.value, is: 0)
        expect(log.ends.map(\.id), is: ["third", "second", "first", "closure"])
        expect(context.currentID(for: kind), is: "outer")
        expect(context.currentID(for: other), is: nil)
        context.clear(kind)
    }

    @Test(arguments: [false, true])
    func `scopes that a closure's tasks set and do not clear end with the closure`(_ throwsAtTheEnd: Bool) async {
        let kind = ScopeKind.ofTest("set by tasks \(throwsAtTheEnd)"), alive = Box(0), resolver = Resolver()
        resolver.register { Counted(alive) }.scoped(to: kind)
        @Sendable func forget(_ id: String) async {
            context.setCurrent(kind, id: id)
            _ = await yielding(resolver.resolve(Counted.self))
        }
        let result = await outcome {
            try await Resolver.withScope(kind, id: "closure") {
                async let child: Void = forget("child")
                await Task { await forget("task") }.value
                await child
                expect(Set(context.openIDs(of: kind)), is: ["closure", "child", "task"])
                expect(context.currentID(for: kind), is: "closure")
                if throwsAtTheEnd { throw Failure(number: 1) }
            }
        }
        expect(result.error as? Failure, is: throwsAtTheEnd ? Failure(number: 1) : nil)
        expect(context.openIDs(of: kind), is: [])
        expect(alive.value, is: 0)
    }

    @Test func `a chain of tasks, each begun inside the scopes of the one before, holds no earlier scopes`() async {
        final class First: @unchecked Sendable { weak var scope: ScopeHandle? }
        let kinds = [ScopeKind.ofTest("chain"), .ofTest("chain, inner")], first = First()
        let tasks = Box<[Task<Void, Never>]>([])
        let haveEnded = [Gate(), Gate(), Gate()], isLast = Gate(), mayEnd = Gate()
        @Sendable func link(_ index: Int) async {
            await Resolver.withScope(kinds[0], id: "\(index)") {
                await Resolver.withScope(kinds[1], id: "\(index)") {
                    if index == 0 { first.scope = context.current(kinds[0]) }
                    if index == 2 {
                        isLast.open()
                        return await mayEnd.pass()
                    }
                    tasks.append(
                        Task {
                            await haveEnded[index].pass()
                            await link(index + 1)
                        })
                }
            }
            haveEnded[index].open()
        }
        await link(0)
        await isLast.pass()
        await tasks.value.first?.value
        expect(first.scope, is: nil)
        mayEnd.open()
        await tasks.value.last?.value
    }

    @Test func `a further scope inside a boundary inherits too`() async {
        let job = ScopeKind("job in a boundary", rank: 12, binding: .execution)
        let seen = await ScopeContext.boundary {
            await Resolver.withScope(.session, id: "session") {
                context.setCurrent(job, id: "job")
                async let seen = context.currentID(for: job)
                return await seen
            }
        }
        expect(seen, is: "job")
    }
}
