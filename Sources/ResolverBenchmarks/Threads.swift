import Resolver

// Two threads at once. The workloads compare throughput.

/// Larger than a cache line, so that the threads do not share neighbors in memory.
class WideService {
    private let padding: (SIMD16<Int>, SIMD16<Int>) = (.zero, .zero)
}
final class LeftService: WideService {}
final class RightService: WideService {}
final class CommonService: WideService {}

/// `@unchecked Sendable`: constants, of which only the reference counts are used.
private final class Objects: @unchecked Sendable {
    let left = LeftService()
    let right = RightService()
    let common = CommonService()
}

extension WorkloadGroup {
    static func threads() -> WorkloadGroup {
        let resolver = Resolver()
        resolver.register { LeftService() }.scope(.cached)
        resolver.register { RightService() }.scope(.cached)
        resolver.register { CommonService() }.scope(.cached)
        let objects = Objects()
        let (left, right): (Work, Work) = (
            { for _ in 0..<$0 { sink(resolver.resolve(LeftService.self)) } },
            { for _ in 0..<$0 { sink(resolver.resolve(RightService.self)) } }
        )
        let common: Work = { for _ in 0..<$0 { sink(resolver.resolve(CommonService.self)) } }
        let (leftByHand, rightByHand): (Work, Work) = (
            { for _ in 0..<$0 { sink(objects.left) } }, { for _ in 0..<$0 { sink(objects.right) } }
        )
        let commonByHand: Work = { for _ in 0..<$0 { sink(objects.common) } }
        return WorkloadGroup(
            title: "Threads",
            workloads: [
                Workload(
                    throughputOf: team("two threads on two services", left, right), byHand: team("one thread", left),
                    atLeast: 1.8, stretch: 1.95),
                Workload(
                    throughputOf: team("two threads, retain + release", leftByHand, rightByHand),
                    byHand: team("one thread", leftByHand)),
                Workload(
                    throughputOf: team("two threads on one service", common, common),
                    byHand: team("two threads, retain + release", commonByHand, commonByHand)),
            ])
    }

    private typealias Work = @Sendable (_ rounds: Int) -> Void

    private static func team(_ name: String, _ works: Work...) -> Workload.Side {
        Workload.Side(name: name, operations: works.count) { rounds in
            timeTogether(works.map { work in { work(rounds) } })
        }
    }
}
