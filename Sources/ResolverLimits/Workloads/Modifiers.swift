import ConcurrencySupport
import Resolver

// Very many modifiers of one registration, on the stack of a secondary thread.

extension Workload {
    static let modifiers = [
        modifier("properties", upTo: 2000) { $0.resolveProperties { _, _ in } },
        modifier("hooks", upTo: 2000) { $0.scope(.cached).onRelease { _ in } },
        modifier("aliases", upTo: 100_000) { $0.implements(AnyObject.self) },
        // Each is a function around the one before. This many fit on the stack.
        modifier("updates", upTo: 400) { $0.registration.update { factory in { factory($0, $1) } } },
    ]

    private static func modifier(
        _ name: String, upTo largest: Int, _ add: @escaping @Sendable (ResolverOptions<Leaf>) -> Void
    ) -> Workload {
        Workload(
            "modifier-\(name)", "Modifiers of one registration: \(name)", unit: "modifiers", upTo: largest
        ) { recorder, size in
            Threads.withStack(of: 512 << 10) {
                var resolver: Resolver? = Resolver()
                let options = resolver!.register { Leaf() }.scope(.unique)
                recorder.measure("add", units: size, bytes: .flat) { for _ in 0..<size { add(options) } }
                recorder.measure("resolve", units: size) { _ = resolver?.resolve(Leaf.self) }
                recorder.measure("end of the resolver", units: size) { resolver = nil }
            }
        }
    }
}
