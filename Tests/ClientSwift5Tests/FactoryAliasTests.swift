import Resolver
import XCTest

/// The type names of the closures, as helpers of an app use them.
private func registerLogged<Service>(
    _ resolver: Resolver, _ log: Log, factory: @escaping ResolverFactory<Service>,
    mutator: @escaping ResolverFactoryMutator<Service>
) -> ResolverOptions<Service> {
    resolver.register { () -> Service? in
        log.lines.append("making")
        return factory()
    }.resolveProperties { resolver, service in
        mutator(resolver, service)
    }
}

private func registerForwarded<Service>(
    _ resolver: Resolver, name: Resolver.Name, factory: @escaping ResolverFactoryArgumentsN<Service>
) {
    resolver.register(name: name, factory: factory)
}

private final class Log: @unchecked Sendable {
    var lines: [String] = []
}

final class FactoryAliasTests: XCTestCase {
    func testAFactoryCanBeCalledAndPassedOnByTheNameOfItsType() {
        let resolver = Resolver()
        let log = Log()
        registerLogged(resolver, log, factory: { 1 }, mutator: { _, _ in log.lines.append("completing") })
            .scope(.unique)
        registerForwarded(resolver, name: "sum") { (resolver: Resolver, args: Resolver.Args) -> Int? in
            resolver.resolve(Int.self) + args()
        }
        XCTAssertEqual(resolver.resolve(Int.self, name: "sum", args: 2), 3)
        XCTAssertEqual(log.lines, ["making", "completing"])
    }
}
