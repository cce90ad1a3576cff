import Resolver

// Filling a container.

final class RegisteredService { let value = 1 }

/// A container in its simplest form.
private final class Closures {
    private var makers: [Resolver.Name: () -> AnyObject] = [:]

    func register(_ name: Resolver.Name, _ make: @escaping () -> AnyObject) {
        makers[name] = make
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
                    byHand: filledByHand("dictionary of closures", fewNames)),
                // No limit: the next row shows what size alone costs, with memory that does not fit into the caches.
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

    /// A round makes a resolver, registers a service under each of the names, and lets go of the resolver.
    private static func filled(_ name: String, _ names: [Resolver.Name]) -> Workload.Side {
        Workload.Side(name, operations: names.count) {
            for _ in 0..<$0 {
                let resolver = Resolver()
                for name in names { resolver.register(name: name) { RegisteredService() } }
                sink(resolver)
            }
        }
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
