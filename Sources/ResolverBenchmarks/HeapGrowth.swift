import BenchmarkSupport
import Resolver

/// The heap before and after work that must leave no memory behind.
struct HeapGrowth {
    let name: String
    let before: Int
    let after: Int
    /// Less than a tenth of a byte for each of a million operations. The allocator's own memory may differ by that much.
    static let limit = 65536

    var isWithinLimit: Bool { after - before <= HeapGrowth.limit }

    /// Performs `body` twice and measures the second time. The first time makes what is made once in a process.
    private init?(_ name: String, _ body: () -> Void) {
        body()
        guard let before = Heap.bytesInUse() else { return nil }
        body()
        guard let after = Heap.bytesInUse() else { return nil }
        self.name = name
        self.before = before
        self.after = after
    }

    /// Measures all workloads, or none if the heap's size is unknown. `part` divides the amount of work.
    static func measure(part: Int) -> [HeapGrowth] {
        let resolver = resolverWithGraph()
        let (graphs, registrations) = (1_000_000 / part, 100_000 / part)
        let names = WorkloadGroup.names(registrations)
        return [
            HeapGrowth("\(graphs) graphs resolved") {
                for _ in 0..<graphs { sink(resolver.resolve(Root.self)) }
            },
            HeapGrowth("\(registrations) services registered, resolved, released") {
                let resolver = Resolver()
                for name in names { resolver.register(name: name) { RegisteredService() }.scope(.cached) }
                for name in names { sink(resolver.resolve(RegisteredService.self, name: name)) }
            },
        ].compactMap(\.self)
    }
}
