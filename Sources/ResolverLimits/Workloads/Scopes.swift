import ConcurrencySupport
import Resolver

// Many scopes that are open at the same time.

extension Workload {
    static let openScopes = Workload(
        "open-scopes", "Open scopes with a service in each", unit: "scopes", upTo: 30_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .session)
        var scopes: [ScopeHandle] = []
        scopes.reserveCapacity(size)
        let resolveInAll = {
            for scope in scopes { _ = scope.run { resolver.resolve(Leaf.self) } }
        }
        recorder.measure("open", units: size, bytes: .flat) {
            for number in 0..<size { scopes.append(ScopeContext.shared.open(.session, id: "\(number)")) }
        }
        recorder.measure("resolve first", units: size, bytes: .flat, resolveInAll)
        recorder.measure("resolve again", units: size, bytes: .nothing, resolveInAll)
        recorder.measure("list the open ones", units: size) { _ = ScopeContext.shared.openScopes() }
        // The instances that scopes keep for the old registration are released, the youngest first.
        recorder.measure("register again", units: size, time: .logarithmic) {
            resolver.register { Leaf() }.scoped(to: .session)
        }
        recorder.measure("resolve the new one", units: size, bytes: .flat, resolveInAll)
        recorder.measure("register for one alone", units: size, bytes: .flat) {
            for scope in scopes { scope.register { Pair(Leaf(), Leaf()) } }
        }
        recorder.measure("end", units: size) { for scope in scopes { scope.end() } }
    }

    static let nestedScopes = Workload(
        "nested-scopes", "withScope inside of withScope", unit: "scopes", upTo: 30_000
    ) { recorder, size in
        let resolver = Resolver()
        resolver.register { Leaf() }.scoped(to: .request)
        func nest(_ depth: Int, _ innermost: () -> Void) {
            guard depth > 0 else { return innermost() }
            Resolver.withScope(.request, id: "one") {
                _ = resolver.resolve(Leaf.self)
                nest(depth - 1, innermost)
            }
        }
        // One frame of `nest` and of `withScope` for each.
        Threads.withStack(of: 1 << 30) {
            recorder.measure("begin, resolve and end", units: size) { nest(size) {} }
            nest(size) {
                recorder.measure("resolve in the innermost", units: 1000, bytes: .nothing) {
                    for _ in 0..<1000 { _ = resolver.resolve(Leaf.self) }
                }
                recorder.measure("ask for another kind, each scope around", units: size) {
                    _ = ScopeContext.shared.current(.screen)
                }
            }
        }
    }
}
