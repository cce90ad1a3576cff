import Foundation
import Resolver

/// Several threads ask at the same moment for a service that is not there yet.
func rushHour() {
    section("Rush hour")

    step("Eight customers ask for recommendations at once")
    let customers = 8
    claim("there are none yet", Resolver.existing(Recommendations.self) == nil)
    let answers = Protected<[Recommendations]>([])
    atOnce(customers) {
        let recommendations: Recommendations = Resolver.resolve()
        answers.withLock { $0.append(recommendations) }
    }
    let given = answers.withLock { $0 }
    claim("all eight were answered", given.count == customers)
    claim("they were made once", Journal.shared.madeInThisStep == ["Recommendations"])
    claim("everybody got the same", Set(given.map(ObjectIdentifier.init)).count == 1)
    claim("with sencha, people buy a pot", given.first?.with("sencha") == ["pot"])
}

/// Runs `body` on `count` threads that start it together, and returns when all have ended.
private func atOnce(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let start = Rendezvous(of: count)
    let end = Rendezvous(of: count + 1)
    for _ in 0..<count {
        Thread.detachNewThread {
            start.meet()
            body()
            end.meet()
        }
    }
    end.meet()
}

/// Where threads wait until all of them have come.
private final class Rendezvous: Sendable {
    private let condition = NSCondition()
    private let missing: Protected<Int>

    init(of count: Int) {
        missing = Protected(count)
    }

    func meet() {
        condition.lock()
        defer { condition.unlock() }
        missing.withLock { $0 -= 1 }
        condition.broadcast()
        while missing.withLock({ $0 > 0 }) { condition.wait() }
    }
}
