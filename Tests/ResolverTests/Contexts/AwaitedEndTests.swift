import Resolver
import Testing

/// The resets that wait: when they return, every hook has run, one after the other, the youngest first. The specification
/// tests the forms of resets.
@Suite struct AwaitedEndTests {
    @Test func `an awaited reset of a scope runs all its hooks and calls what a subclass has overridden`() async {
        let resolver = Resolver(), cache = AuditedCache(), closed = Box<[Int]>([])
        for number in 0..<4 {
            let name = Resolver.Name("\(number)"), options = resolver.register(name: name) { number }.scope(cache)
            if number % 2 == 0 {
                options.onRelease { closed.append($0) }
            } else {
                options.onRelease { number in
                    for _ in 0..<10 { await Task.yield() }
                    closed.append(number)
                }
            }
            _ = resolver.resolve(Int.self, name: name)
        }
        await resolver.resetAndWait(scope: .cached)
        #expect(closed.value == [])
        await cache.resetAndWait()
        #expect(closed.value == [3, 2, 1, 0])
        #expect(cache.resets.value == 1)
    }

    @Test func `resetAndWait of all waits for asynchronous hooks`() async {
        await #expect(processExitsWith: .success) {
            let closed = Box(0)
            Resolver.main = Resolver()
            for scope in [ResolverScope.application, .cached, .container] {
                let name = Resolver.Name("\(ObjectIdentifier(scope))")
                Resolver.register(name: name) { Leaf() }.scope(scope).onRelease { _ in
                    // Longer than code that does not wait takes to look.
                    for _ in 0..<10_000 { await Task.yield() }
                    closed.increment()
                }
                _ = Resolver.main.resolve(Leaf.self, name: name)
            }
            await Resolver.resetAndWait()
            Child.require(closed.value == 3, "\(closed.value)")
        }
    }
}
