import Foundation
import Resolver
import Testing

@Suite struct ScaleTests {
    /// The table starts with eight places, so thousands of keys collide often.
    @Test func `a hundred thousand registrations are found, also where their keys collide in the table`() {
        let resolver = Resolver(), count = Sanitizer.rounds(100_000)
        for index in 0..<count {
            resolver.register(name: .init("\(index)")) { index }.scope(.cached)
            if index < 5000 { resolver.register(name: .init("\(index)")) { "\(index)" } }
        }
        expect((0..<count).allSatisfy { resolver.resolve(Int.self, name: .init("\($0)")) == $0 })
        expect((0..<5000).allSatisfy { resolver.resolve(String.self, name: .init("\($0)")) == "\($0)" })
        expect(resolver.optional(Int.self, name: "100000"), is: nil)
    }

    /// Returns a resolver with `depth` services that each need the next one.
    static func chain(_ depth: Int) -> Resolver {
        let resolver = Resolver()
        resolver.register(name: "0") { 0 }
        for level in 1..<depth {
            let next = Resolver.Name("\(level - 1)")
            resolver.register(name: .init("\(level)")) { r in try r.tryResolve(Int.self, name: next) + 1 }
        }
        return resolver
    }

    /// A service takes about 650 bytes of stack in a release build, 7 KiB in a debug build, and 9 KiB while another test observes.
    @Test(.measuresStack, arguments: [(1000, 12), (10_000, 256)])
    func `a long chain of services is created if the stack suffices`(_ count: Int, _ mebibytes: Int) {
        let depth = Threads.withStack(of: mebibytes << 20) {
            try? ScaleTests.chain(count).tryResolve(Int.self, name: .init("\(count - 1)"))
        }
        expect(depth, is: count - 1)
    }

    @Test func `more hits than a slot holds references lose no reference`() {
        let alive = Box(0)
        do {
            let resolver = Resolver()
            resolver.register { Counted(alive) }.scope(.cached)
            Threads.run(4) { _ in
                var held: [Counted] = []
                for _ in 0..<60_000 { held.append(resolver.resolve()) }
            }
            expect(alive.value, is: 1)
        }
        expect(alive.value, is: 0)
    }
}
