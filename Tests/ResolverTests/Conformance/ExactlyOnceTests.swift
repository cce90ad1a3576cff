import Resolver
import Testing

/// Concurrent calls create one instance, and calls do not wait for unrelated services.
@Suite struct ExactlyOnceTests {
    @Test func `thirty two resolvers create the instance of their common child once`() {
        let made = Box(0)
        let main = Resolver()
        main.register { made.counting(Leaf()) }.scope(.cached)
        let got = Box<Set<ObjectIdentifier>>([])
        Threads.run(32) { _ in
            let front = Resolver(child: main)
            _ = got.update { $0.insert(ObjectIdentifier(front.resolve(Leaf.self))) }
        }
        #expect(made.value == 1)
        #expect(got.value.count == 1)
    }

    @Test func `concurrent calls see the old or the new registration and nothing else`() {
        let resolver = Resolver()
        resolver.register { 0 }.scope(.cached)
        let last = 3000
        let isOver = Box(false)
        let wrong = Box<[Int]>([])
        Threads.run(9) { thread in
            if thread == 0 {
                for version in 1...last {
                    resolver.register { version }.scope(.cached)
                    resolver.register(name: .init("\(version)")) { version }
                }
                return isOver.set(true)
            }
            var newest = 0
            while !isOver.value {
                let version: Int = resolver.resolve()
                if version < newest || version > last { wrong.append(version) }
                newest = version
                if let named: Int = resolver.optional(name: .init("\(version)")), named != version {
                    wrong.append(named)
                }
            }
        }
        #expect(wrong.value == [])
        #expect(resolver.resolve(Int.self) == last)
    }
}
