import Foundation
import Resolver
import Testing

/// More tasks than the pool has threads, and the pool adds no thread for a blocked one: waiting tasks must suspend.
@Suite struct PoolStarvationTests {
    enum Maker: String, CaseIterable, Codable { case creationTask, callingTask, thread }

    @Test(arguments: Maker.allCases)
    func `a thousand tasks that ask for a slow service get one instance`(_ maker: Maker) async {
        await #expect(processExitsWith: .success) { [maker] in
            let resolver = Resolver(), made = Box(0), allHaveBegun = Rendezvous(1000), pause = Pause()
            // Another task of the pool lets the service be made.
            async let permission: Void = {
                await allHaveBegun.gate.pass()
                for _ in 0..<20 { await Task.yield() }
                pause.mayEnd.open()
            }()
            switch maker {
            case .creationTask:
                resolver.register { await pause.suspending(made.counting(Leaf())) }.scope(.container)
            case .callingTask:
                resolver.register { () -> Leaf in
                    // Lets the other threads of the pool arrive, if there are any.
                    for _ in 0..<1000 { sched_yield() }
                    return made.counting(Leaf())
                }.scope(.container)
            case .thread: resolver.register { pause.blocking(made.counting(Leaf())) }.scope(.container)
            }
            async let leaf: Leaf? = maker == .thread ? await Threads.result { resolver.resolve(Leaf.self) } : nil
            if maker == .thread { await pause.hasBegun.pass() }
            let leaves = try await Tasks.results(1000) { _ in
                allHaveBegun.arrive()
                return maker == .callingTask ? try resolver.tryResolve(Leaf.self) : try await resolver.resolveAsync()
            }
            _ = await (permission, leaf)
            expect(Set(leaves.map(ObjectIdentifier.init)).count, is: 1)
            expect(made.value, is: 1)
        }
    }
}
