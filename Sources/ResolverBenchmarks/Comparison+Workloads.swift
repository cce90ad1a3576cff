import Resolver

/// The services of the comparison without a container.
private enum NoContainer {
    nonisolated(unsafe) static var singleton: any Singleton = SingletonService()
    nonisolated(unsafe) static var first = FirstService()
    nonisolated(unsafe) static var second = SecondService()
    nonisolated(unsafe) static var third = ThirdService()

    /// Assigned unpredictably, because the optimizer would treat the variables as constants otherwise.
    static func assign() {
        if opaque(true) { singleton = SingletonService() }
        if opaque(true) { first = FirstService() }
        if opaque(true) { second = SecondService() }
        if opaque(true) { third = ThirdService() }
    }

    static func makeCombined() -> AnyObject {
        CombinedService(singleton, TransientService())
    }

    static func makeComplex() -> AnyObject {
        ComplexService(first, second, third, Part(first), Part(second), Part(third))
    }

    static func makeProperty() -> AnyObject {
        let service = PropertyService()
        service.first = first
        service.second = second
        service.third = third
        service.firstPart = PropertyPart()
        service.firstPart?.service = first
        service.secondPart = PropertyPart()
        service.secondPart?.service = second
        service.thirdPart = PropertyPart()
        service.thirdPart?.service = third
        return service
    }
}

extension WorkloadGroup {
    static func comparison() -> WorkloadGroup {
        NoContainer.assign()
        let resolver = Resolver.forComparison()
        return WorkloadGroup(
            title: "As in the comparison of .NET containers",
            workloads: [
                Workload(
                    .init("singleton") { for _ in 0..<$0 { sink(resolver.resolve(Singleton.self)) } },
                    byHand: .init("no container") { for _ in 0..<$0 { sink(NoContainer.singleton) } }),
                Workload(
                    .init("transient") { for _ in 0..<$0 { sink(resolver.resolve(Transient.self)) } },
                    byHand: noContainer { TransientService() }),
                Workload(
                    .init("combined") { for _ in 0..<$0 { sink(resolver.resolve(CombinedCase.self)) } },
                    byHand: noContainer(NoContainer.makeCombined)),
                Workload(
                    .init("complex") { for _ in 0..<$0 { sink(resolver.resolve(ComplexCase.self)) } },
                    byHand: noContainer(NoContainer.makeComplex)),
                Workload(
                    .init("property") { for _ in 0..<$0 { sink(resolver.resolve(PropertyCase.self)) } },
                    byHand: noContainer(NoContainer.makeProperty)),
                Workload(childContainer(of: resolver), byHand: noContainer(NoContainer.makeCombined)),
            ])
    }

    /// A round makes a child container, registers two services in it, resolves one and releases the container.
    private static func childContainer(of parent: Resolver) -> Workload.Side {
        .init("child container") {
            for _ in 0..<$0 {
                let child = Resolver(child: parent)
                child.register { TransientService() as Transient }.scope(.unique)
                child.register { r in CombinedService(r.resolve(), r.resolve()) as CombinedCase }.scope(.unique)
                sink(child.resolve(CombinedCase.self))
            }
        }
    }

    private static func noContainer(_ make: @escaping () -> AnyObject) -> Workload.Side {
        let make = opaque(making: make)
        return .init("no container") { for _ in 0..<$0 { sink(make()) } }
    }
}
