import Resolver
import ResolverDiagnostics

// Filling a container, and using and releasing a filled one, as in a test.

final class RegisteredService { let value = 1 }

/// The simplest possible container.
private final class Closures {
    private var makers: [Resolver.Name: () -> AnyObject] = [:]
    private var kept: [Resolver.Name: AnyObject] = [:]

    func register(_ name: Resolver.Name, _ make: @escaping () -> AnyObject) {
        makers[name] = make
    }

    func resolve(_ name: Resolver.Name) -> AnyObject? {
        if let known = kept[name] { return known }
        let new = makers[name]?()
        kept[name] = new
        return new
    }
}

extension WorkloadGroup {
    static func registering() -> WorkloadGroup {
        let names = names(100_000)
        let fewNames = Array(names.prefix(1000))
        return WorkloadGroup(
            title: "Registering",
            workloads: [
                Workload(
                    filled("registration, each of 1000", fewNames),
                    byHand: filledByHand("dictionary of closures", fewNames), atMost: 3, stretch: 2),
                child(Array(names.prefix(20))),
                verified(fewNames),
                // No limit: the next row shows the cost of the size alone, with memory that does not fit into the caches.
                Workload(
                    filled("registration, each of 100 000", names),
                    byHand: filled("registration, each of 1000", fewNames)),
                Workload(
                    filledByHand("dictionary of closures, each of 100 000", names),
                    byHand: filledByHand("each of 1000", fewNames)),
            ])
    }

    static func names(_ count: Int) -> [Resolver.Name] {
        (0..<count).map { Resolver.Name("service \($0)") }
    }

    /// A round makes a resolver, registers a service under each name, and releases the resolver.
    private static func filled(_ name: String, _ names: [Resolver.Name]) -> Workload.Side {
        Workload.Side(name, operations: names.count) {
            for _ in 0..<$0 {
                let resolver = Resolver()
                for name in names { resolver.register(name: name) { RegisteredService() } }
                sink(resolver)
            }
        }
    }

    /// Services that each declare a dependency on the two before.
    private static func wired(_ names: [Resolver.Name]) -> Resolver {
        let resolver = Resolver()
        for (index, name) in names.enumerated() {
            let options = resolver.register(name: name) { RegisteredService() }
            for needed in names[max(0, index - 2)..<index] { options.needs(RegisteredService.self, name: needed) }
        }
        return resolver
    }

    private static func verified(_ names: [Resolver.Name]) -> Workload {
        let resolver = wired(names)
        return Workload(
            .init("verify, each of 1000 services that need two", operations: names.count) {
                for _ in 0..<$0 where (try? resolver.verify()) == nil { fatalError("the wiring has no problem") }
            },
            byHand: .init("registering them", operations: names.count) { for _ in 0..<$0 { sink(wired(names)) } },
            atMost: 50)
    }

    /// A resolver above the app's, with kept services of its own, as in a test.
    private static func child(_ names: [Resolver.Name]) -> Workload {
        let parent = Resolver()
        return Workload(
            .init("child resolver, 20 services, each asked for once") {
                for _ in 0..<$0 {
                    let resolver = Resolver(child: parent)
                    for name in names { resolver.register(name: name) { RegisteredService() }.scope(.cached) }
                    for name in names { sink(resolver.resolve(RegisteredService.self, name: name)) }
                }
            },
            byHand: .init("two dictionaries") {
                for _ in 0..<$0 {
                    let closures = Closures()
                    for name in names { closures.register(name) { RegisteredService() } }
                    for name in names { if let service = closures.resolve(name) { sink(service) } }
                }
            },
            atMost: 5, stretch: 3.5)
    }

    private static func filledByHand(_ name: String, _ names: [Resolver.Name]) -> Workload.Side {
        Workload.Side(name, operations: names.count) {
            for _ in 0..<$0 {
                let closures = Closures()
                for name in names { closures.register(name) { RegisteredService() } }
                sink(closures)
            }
        }
    }
}
