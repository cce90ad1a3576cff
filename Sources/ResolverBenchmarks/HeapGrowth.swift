import BenchmarkSupport
import Resolver

/// How the heap was before and after something that must leave nothing behind.
struct HeapGrowth {
    let name: String
    let before: Int
    let after: Int
    /// Less than a tenth of a byte for each of a million operations: what the allocator keeps for itself may differ.
    static let limit = 65536

    var isWithinLimit: Bool { after - before <= HeapGrowth.limit }

    /// Performs `body` twice and watches the second time: the first one makes what is made once in a process.
    private init?(_ name: String, _ body: () -> Void) {
        body()
        guard let before = Heap.bytesInUse() else { return nil }
        body()
        guard let after = Heap.bytesInUse() else { return nil }
        self.name = name
        self.before = before
        self.after = after
    }

    /// All that is watched; nothing where the heap's size is not known. `part` divides the amount of work.
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
