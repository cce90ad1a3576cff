import Resolver

// The cases of the well-known comparison of .NET containers, under their names. It has one service of each kind where that
// comparison resolves three alike. "No container" makes the same objects by initializers.

protocol Singleton: AnyObject {}
protocol Transient: AnyObject {}
protocol CombinedCase: AnyObject {}
protocol ComplexCase: AnyObject {}
protocol PropertyCase: AnyObject {}

final class SingletonService: Singleton {}
final class TransientService: Transient {}

final class CombinedService: CombinedCase {
    let singleton: any Singleton
    let transient: any Transient

    init(_ singleton: any Singleton, _ transient: any Transient) {
        self.singleton = singleton
        self.transient = transient
    }
}

final class FirstService {}
final class SecondService {}
final class ThirdService {}

final class Part<Service: AnyObject> {
    let service: Service
    init(_ service: Service) { self.service = service }
}

final class ComplexService: ComplexCase {
    let services: (FirstService, SecondService, ThirdService)
    let parts: (Part<FirstService>, Part<SecondService>, Part<ThirdService>)

    init(
        _ first: FirstService, _ second: SecondService, _ third: ThirdService, _ firstPart: Part<FirstService>,
        _ secondPart: Part<SecondService>, _ thirdPart: Part<ThirdService>
    ) {
        services = (first, second, third)
        parts = (firstPart, secondPart, thirdPart)
    }
}

final class PropertyPart<Service: AnyObject> {
    var service: Service?
}

final class PropertyService: PropertyCase {
    var first: FirstService?
    var second: SecondService?
    var third: ThirdService?
    var firstPart: PropertyPart<FirstService>?
    var secondPart: PropertyPart<SecondService>?
    var thirdPart: PropertyPart<ThirdService>?
}

extension Resolver {
    /// Returns a resolver with all services of the comparison.
    static func forComparison() -> Resolver {
        let resolver = Resolver()
        resolver.register { SingletonService() as Singleton }.scope(.application)
        resolver.register { TransientService() as Transient }.scope(.unique)
        resolver.register { r in CombinedService(r.resolve(), r.resolve()) as CombinedCase }.scope(.unique)

        resolver.register { FirstService() }.scope(.application)
        resolver.register { SecondService() }.scope(.application)
        resolver.register { ThirdService() }.scope(.application)
        resolver.register { r in Part<FirstService>(r.resolve()) }.scope(.unique)
        resolver.register { r in Part<SecondService>(r.resolve()) }.scope(.unique)
        resolver.register { r in Part<ThirdService>(r.resolve()) }.scope(.unique)
        resolver.register { r in
            ComplexService(r.resolve(), r.resolve(), r.resolve(), r.resolve(), r.resolve(), r.resolve()) as ComplexCase
        }.scope(.unique)

        resolver.register { PropertyPart<FirstService>() }.scope(.unique)
            .resolveProperties { r, part in part.service = r.resolve() as FirstService }
        resolver.register { PropertyPart<SecondService>() }.scope(.unique)
            .resolveProperties { r, part in part.service = r.resolve() as SecondService }
        resolver.register { PropertyPart<ThirdService>() }.scope(.unique)
            .resolveProperties { r, part in part.service = r.resolve() as ThirdService }
        resolver.register { PropertyService() }.scope(.unique)
            .resolveProperties { r, service in
                service.first = r.resolve() as FirstService
                service.second = r.resolve() as SecondService
                service.third = r.resolve() as ThirdService
                service.firstPart = r.resolve() as PropertyPart<FirstService>
                service.secondPart = r.resolve() as PropertyPart<SecondService>
                service.thirdPart = r.resolve() as PropertyPart<ThirdService>
            }
        resolver.register { r in r.resolve() as PropertyService as PropertyCase }.scope(.unique)
        return resolver
    }
}
