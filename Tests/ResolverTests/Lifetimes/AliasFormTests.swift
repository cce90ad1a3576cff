import Resolver
import Testing

/// Aliases whose service is an object of one class or another: each call gets the conformance of the object's own class.
@Suite struct AliasFormTests {
    private protocol Speaking { var sound: String { get } }
    private protocol Walking { var legs: Int { get } }
    private protocol Swimming: AnyObject { var depth: Int { get } }
    private class Animal: @unchecked Sendable {}
    private final class Dog: Animal, Speaking, Walking, Swimming, @unchecked Sendable {
        var sound: String { "wuff" }
        var legs: Int { 4 }
        var depth: Int { 1 }
    }
    private class Bird: Animal, Speaking, Walking, @unchecked Sendable {
        var sound: String { "piep" }
        var legs: Int { 2 }
    }
    private final class Duck: Bird, Swimming, @unchecked Sendable {
        override var sound: String { "quak" }
        var depth: Int { 3 }
    }
    private final class ObjectFailure: Error, Sendable {}

    private func resolver(_ scope: ResolverScope, _ animals: Box<[Animal]>) -> Resolver {
        let resolver = Resolver()
        resolver.register { animals.update { $0.removeFirst() } }
            .implements((any Speaking).self).implements((any Swimming).self).implements((any Speaking & Walking).self)
            .implements((any Speaking & Swimming & Walking).self).implements(Bird.self).implements(AnyObject.self)
            .implements(Any.self)
            .scope(scope)
        return resolver
    }

    @Test(arguments: [ResolverScope.unique, .graph, .cached])
    func `an alias hands out each object by the conformances of its class`(_ scope: ResolverScope) {
        let zoo: [Animal] = [Dog(), Duck(), Dog(), Animal(), Bird(), Duck(), Dog(), Bird()]
        let animals = Box<[Animal]>([])
        let resolver = resolver(scope, animals)
        for _ in 0..<2 {
            for animal in zoo {
                func ask<Service>(_ type: Service.Type) -> Service? {
                    animals.set([animal])
                    resolver.reset(Animal.self)
                    return resolver.optional(type)
                }
                expect(ask((any Speaking).self)?.sound, is: (animal as? any Speaking)?.sound)
                expect(ask((any Swimming).self)?.depth, is: (animal as? any Swimming)?.depth)
                expect(ask((any Speaking & Walking).self)?.legs, is: (animal as? any Walking)?.legs)
                expect(ask((any Speaking & Walking).self)?.sound, is: (animal as? any Speaking)?.sound)
                expect(ask((any Speaking & Swimming & Walking).self) === (animal as? any Speaking & Swimming))
                expect(ask(Bird.self) === animal as? Bird)
                expect(ask(AnyObject.self) === animal)
                expect(ask(Any.self) as AnyObject === animal)
            }
        }
    }

    @Test func `an alias by Error holds a box of each object`() throws {
        let resolver = Resolver()
        resolver.register { ObjectFailure() }.implements((any Error).self).scope(.unique)
        for _ in 0..<3 {
            let error = try #require(resolver.optional((any Error).self) as? ObjectFailure)
            #expect(throws: ObjectFailure.self) { throw error }
        }
    }

    @Test(arguments: [ResolverScope.unique, .graph])
    func `an alias releases every object that it hands out`(_ scope: ResolverScope) {
        let count = Box(0)
        do {
            let resolver = Resolver()
            resolver.register { Counted(count) }.implements((any Sendable).self).implements(AnyObject.self).scope(scope)
            for _ in 0..<100 { _ = resolver.resolve((any Sendable).self) }
            expect(count.value, is: 0)
            let held = (0..<100).map { _ in resolver.resolve((any Sendable).self) }
            expect(count.value, is: 100)
            withExtendedLifetime(held) {}
        }
        expect(count.value, is: 0)
    }

    @Test func `threads that ask for objects of two classes at once get each by its own conformance`() async {
        let wrong = Box(0)
        for _ in 0..<200 {
            let resolver = Resolver()
            resolver.register { _, args -> Animal in args() ? Dog() : Duck() }.implements((any Speaking).self)
                .scope(.unique)
            await Threads.results(4) { thread in
                for round in 0..<10 {
                    let isDog = (thread + round) % 2 == 0
                    let found = resolver.resolve((any Speaking).self, args: isDog).sound
                    if found != (isDog ? "wuff" : "quak") { wrong.increment() }
                }
            }
        }
        expect(wrong.value, is: 0)
    }
}
