import CHeapProbe
import Resolver
import Testing

/// What scopes leave behind.
@Suite struct ContextMemoryTests {
    final class First: Sendable {}
    final class Second: Sendable {
        let first: First
        init(_ first: First) { self.first = first }
    }

    @Test(.measuresHeap) func `ten thousand scopes leave the heap flat`() async {
        await #expect(processExitsWith: .success) {
            let resolver = Resolver()
            resolver.register { First() }.scoped(to: .request)
            func round() {
                for number in 0..<10_000 {
                    Resolver.withScope(.request, id: "\(number)") {
                        Resolver.registerScoped(Second.self, scope: .request) { Second(Resolver.resolve()) }
                        _ = resolver.resolve(First.self)
                    }
                }
            }
            round()
            round()
            let before = Int(heap_bytes_in_use())
            round()
            precondition(
                before > 0 && Int(heap_bytes_in_use()) <= before + 64 << 10, "\(before) \(Int(heap_bytes_in_use()))")
        }
    }
}
