import Resolver

/// Frequent operations of an app, whose instructions are counted.
enum Operations {
    struct Operation: Sendable {
        enum Body: Sendable {
            case synchronous(@Sendable (Int) -> Void)
            case asynchronous(@Sendable (Int) async throws -> Void)
        }

        let name: String
        let body: Body
    }

    static func all() -> [Operation] {
        let services = makeServices()
        let chain = makeChain()
        let closures = makeGraphOfClosures()
        registerChain()
        let names = (0..<20).map { Resolver.Name("\($0)") }
        let manyNames = (0..<100).map { Resolver.Name("service \($0)") }
        let hits = Resolver()
        hits.register { Kept() }.scope(.cached)
        hits.register(name: "named") { Kept() }.scope(.cached)
        let name: Resolver.Name = "named"
        let asynchronousHits = Resolver()
        asynchronousHits.register { () async in Awaited() }.scope(.cached)
        let pairs = makePairs()
        let features = Resolver()
        for name in names {
            let feature = Resolver()
            feature.register(name: name) { Kept() }.scope(.cached)
            features.add(child: feature)
        }
        let front = Resolver(child: Resolver(child: Resolver(child: hits)))
        let isolating = Resolver(isolating: hits)
        let isolatingServices = Resolver(isolating: services)
        // A shared instance lives while it is used.
        let shared = services.resolve(SharedPart.self)
        return [
            looped("hit") { for _ in 0..<$0 { use(hits.resolve(Kept.self)) } },
            looped("hit-named") { for _ in 0..<$0 { use(hits.resolve(Kept.self, name: name)) } },
            looped("hit-through-4-containers") { for _ in 0..<$0 { use(front.resolve(Kept.self)) } },
            looped("hit-isolated") { for _ in 0..<$0 { use(isolating.resolve(Kept.self)) } },
            looped("unique-isolated") { for _ in 0..<$0 { use(isolatingServices.resolve(Leaf.self)) } },
            looped("hit-shared") { count in
                withExtendedLifetime(shared) { for _ in 0..<count { use(services.resolve(SharedPart.self)) } }
            },
            looped("unique") { for _ in 0..<$0 { use(services.resolve(Leaf.self)) } },
            looped("pair") { for _ in 0..<$0 { use(pairs.resolve(Pair.self, name: "closure")) } },
            looped("pair-autoregistered") { for _ in 0..<$0 { use(pairs.resolve(Pair.self, name: "initializer")) } },
            synchronous("argument") { use(services.resolve(Numbered.self, args: 7)) },
            synchronous("chain-10") { use(chain.resolve(Link1.self)) },
            synchronous("chain-10-static") { use(Resolver.resolve(Link1.self)) },
            synchronous("graph") { use(services.resolve(Root.self)) },
            synchronous("graph-of-closures") { use(closures.resolve(Root.self)) },
            synchronous("first") {
                use(services.resolve(Kept.self))
                ResolverScope.cached.reset()
            },
            synchronous("register-3") {
                let resolver = Resolver()
                resolver.register { Leaf() }.scope(.unique)
                resolver.register { Kept() }.scope(.cached)
                resolver.register { Numbered(1) }
            },
            synchronous("register-100-named") {
                let resolver = Resolver()
                for name in manyNames { resolver.register(name: name) { Leaf() } }
            },
            synchronous("child") {
                let child = Resolver(child: services)
                child.register { Leaf() }.scope(.cached)
                child.register { SharedPart() }.scope(.container)
                use(child.resolve(Leaf.self))
                use(child.resolve(SharedPart.self))
            },
            synchronous("child-of-20") {
                let child = Resolver(child: services)
                for name in names { child.register(name: name) { Leaf() }.scope(.cached) }
                for name in names { use(child.resolve(Leaf.self, name: name)) }
            },
            synchronous("child-above-20-containers") {
                use(Resolver(child: features).resolve(Kept.self, name: "19"))
            },
            synchronous("empty-request") { Resolver.withScope(.request, id: "x") {} },
            synchronous("request") {
                Resolver.withScope(.request, id: "x") {
                    use(services.resolve(FirstOfRequest.self))
                    use(services.resolve(SecondOfRequest.self))
                    use(services.resolve(ThirdOfRequest.self))
                    for _ in 0..<10 { use(services.resolve(FirstOfRequest.self)) }
                }
            },
            Operation(
                name: "asynchronous-hit",
                body: .asynchronous { for _ in 0..<$0 { use(try await asynchronousHits.resolveAsync(Awaited.self)) } }),
            asynchronous("asynchronous-request") {
                try await Resolver.withScope(.request, id: "x") {
                    use(try await services.resolveAsync(AwaitedInRequest.self))
                    use(services.resolve(FirstOfRequest.self))
                }
            },
        ]
    }

    /// Makes an operation that has its own loop, because the call of a closure would count.
    private static func looped(_ name: String, _ body: @escaping @Sendable (Int) -> Void) -> Operation {
        Operation(name: name, body: .synchronous(body))
    }

    private static func synchronous(_ name: String, _ body: @escaping @Sendable () -> Void) -> Operation {
        Operation(name: name, body: .synchronous { count in for _ in 0..<count { body() } })
    }

    private static func asynchronous(_ name: String, _ body: @escaping @Sendable () async throws -> Void) -> Operation {
        Operation(name: name, body: .asynchronous { count in for _ in 0..<count { try await body() } })
    }

    /// Keeps the compiler from removing the creation of an object.
    @inline(never)
    private static func use<Service>(_ service: Service) { withExtendedLifetime(service) {} }

    /// Makes a resolver whose table has so many places that services seldom collide. Where they do depends on the addresses of
    /// their types, which differ in each build, and costs a look-up up to 50 instructions.
    private static func roomyResolver() -> Resolver {
        let resolver = Resolver()
        let others = CommandLine.arguments.dropFirst(3).first ?? ""
        for number in 0..<520 { resolver.register(name: .init("\(others) \(number)")) { number } }
        return resolver
    }

    /// Makes ten services, each of which depends on the next.
    private static func makeChain() -> Resolver {
        let resolver = roomyResolver()
        resolver.register { resolver in Link1(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link2(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link3(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link4(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link5(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link6(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link7(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link8(resolver.resolve()) }.scope(.unique)
        resolver.register { resolver in Link9(resolver.resolve()) }.scope(.unique)
        resolver.register { Leaf() }.scope(.unique)
        return resolver
    }

    /// Registers the chain for the static functions.
    private static func registerChain() {
        Resolver.register { Link1(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link2(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link3(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link4(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link5(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link6(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link7(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link8(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Link9(Resolver.resolve()) }.scope(.unique)
        Resolver.register { Leaf() }.scope(.unique)
    }

    /// The services of the operation `graph`, all in the cycle. Closures convert the part to its protocols.
    private static func makeGraphOfClosures() -> Resolver {
        let resolver = roomyResolver()
        resolver.register { Leaf() }
        resolver.register { resolver in Middle(resolver.resolve()) }
        resolver.register { Part() }
        resolver.register { resolver in resolver.resolve() as Part as any One }
        resolver.register { resolver in resolver.resolve() as Part as any Two }
        resolver.register { resolver in resolver.resolve() as Part as any Three }
        resolver.register { resolver in
            Root(resolver.resolve(), resolver.resolve(), resolver.resolve(), resolver.resolve(), resolver.resolve())
        }
        return resolver
    }

    private static func makePairs() -> Resolver {
        let resolver = roomyResolver()
        resolver.register { Kept() }.scope(.cached)
        resolver.register { Leaf() }.scope(.unique)
        resolver.register(name: "closure") { resolver in
            try Pair(leaf: resolver.tryResolve(), kept: resolver.tryResolve())
        }.scope(.unique)
        resolver.autoregister(Pair.init, name: "initializer").scope(.unique)
        return resolver
    }

    private static func makeServices() -> Resolver {
        let resolver = roomyResolver()
        resolver.register { Kept() }.scope(.cached)
        resolver.register { Leaf() }.scope(.unique)
        resolver.register { resolver in Middle(resolver.resolve()) }.scope(.unique)
        resolver.register { Part() }.implements((any One).self).implements((any Two).self).implements((any Three).self)
        resolver.register { resolver in
            Root(resolver.resolve(), resolver.resolve(), resolver.resolve(), resolver.resolve(), resolver.resolve())
        }
        resolver.register { _, args in Numbered(args()) }.scope(.unique)
        resolver.register { SharedPart() }.scope(.shared)
        resolver.register { FirstOfRequest() }.scoped(to: .request)
        resolver.register { SecondOfRequest() }.scoped(to: .request)
        resolver.register { ThirdOfRequest() }.scoped(to: .request)
        resolver.register { () async in AwaitedInRequest() }.scoped(to: .request)
        return resolver
    }
}

private final class Kept: Sendable {}
/// A service with two dependencies, made by a closure and by its initializer.
private final class Pair {
    let leaf: Leaf
    let kept: Kept

    init(leaf: Leaf, kept: Kept) {
        self.leaf = leaf
        self.kept = kept
    }
}

private final class Leaf: Sendable {}
private final class SharedPart: Sendable {}
private final class FirstOfRequest: Sendable {}
private final class SecondOfRequest: Sendable {}
private final class ThirdOfRequest: Sendable {}
private final class Awaited: Sendable {}
private final class AwaitedInRequest: Sendable {}

private final class Middle: Sendable {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private final class Link1: Sendable {
    let next: Link2
    init(_ next: Link2) { self.next = next }
}

private final class Link2: Sendable {
    let next: Link3
    init(_ next: Link3) { self.next = next }
}

private final class Link3: Sendable {
    let next: Link4
    init(_ next: Link4) { self.next = next }
}

private final class Link4: Sendable {
    let next: Link5
    init(_ next: Link5) { self.next = next }
}

private final class Link5: Sendable {
    let next: Link6
    init(_ next: Link6) { self.next = next }
}

private final class Link6: Sendable {
    let next: Link7
    init(_ next: Link7) { self.next = next }
}

private final class Link7: Sendable {
    let next: Link8
    init(_ next: Link8) { self.next = next }
}

private final class Link8: Sendable {
    let next: Link9
    init(_ next: Link9) { self.next = next }
}

private final class Link9: Sendable {
    let next: Leaf
    init(_ next: Leaf) { self.next = next }
}

private protocol One: AnyObject, Sendable {}
private protocol Two: AnyObject, Sendable {}
private protocol Three: AnyObject, Sendable {}
private final class Part: One, Two, Three {}

private final class Root: Sendable {
    let one: any One
    let two: any Two
    let three: any Three
    let leaf: Leaf
    let middle: Middle

    init(_ one: any One, _ two: any Two, _ three: any Three, _ leaf: Leaf, _ middle: Middle) {
        (self.one, self.two, self.three, self.leaf, self.middle) = (one, two, three, leaf, middle)
    }
}

private final class Numbered: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}
