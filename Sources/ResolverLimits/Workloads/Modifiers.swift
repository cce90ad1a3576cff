import Resolver

// Very many modifiers on one registration, on the stack of a secondary thread.

extension Workload {
    static let modifiers = [
        modifier("properties") { $0.resolveProperties { _, _ in } },
        modifier("hooks") { $0.scope(.cached).onRelease { _ in } },
        modifier("aliases") { $0.implements(AnyObject.self) },
        modifier("updates") { $0.registration.update { factory in { factory($0, $1) } } },
    ]

    private static func modifier(
        _ name: String, _ add: @escaping @Sendable (ResolverOptions<Leaf>) -> Void
    ) -> Workload {
        Workload(
            "modifier-\(name)", "Modifiers of one registration: \(name)", unit: "modifiers", upTo: 100_000
        ) { recorder, size in
            OwnThread.run(stackSize: 512 << 10) {
                var resolver: Resolver? = Resolver()
                let options = resolver!.register { Leaf() }.scope(.unique)
                recorder.measure("add", units: size, bytes: .flat) { for _ in 0..<size { add(options) } }
                recorder.measure("resolve", units: size) { _ = resolver?.resolve(Leaf.self) }
                recorder.measure("end of the resolver", units: size) { resolver = nil }
            }
        }
    }
}
