import Resolver
import Testing

/// Services of every kind of type in every lifetime: calls return the created service, and everything is released.
@Suite struct ServiceTypeTests {
    protocol Marked {}
    protocol Numbered { var alive: Box<Int> { get } }
    protocol Named {}
    protocol ForClasses: AnyObject, Sendable { var alive: Box<Int> { get } }
    class Base: @unchecked Sendable { var mark: Int { 1 } }
    final class Derived: Base, Numbered, @unchecked Sendable {
        let part: Counted
        var alive: Box<Int> { part.alive }
        override var mark: Int { 2 }

        init(_ part: Counted) { self.part = part }
    }

    struct Empty: Sendable {}
    struct Wide: Sendable, Numbered {
        let words = (1, 2, 3, 4, 5, 6, 7, 8, 9)
        let part: Counted
        var alive: Box<Int> { part.alive }
    }

    struct Aligned: Sendable { let lanes: SIMD16<Double>, part: Counted }
    enum Choice: Sendable { case nothing, one(Counted), two(Counted, Counted) }
    struct PlainFailure: Error { let part: Counted }
    final class ObjectFailure: Error, Sendable {
        let part: Counted
        init(_ part: Counted) { self.part = part }
    }

    private static let kinds = ResolverScope.oneOfEachKind.map(\.name) + ["process-wide cache"]

    /// Resolves with every function, created and cached services, alone and twice within a resolution cycle.
    private func check<Service>(
        _ kind: String, _ make: @escaping @Sendable (Counted) -> Service, _ isWhole: @escaping (Service) -> Bool
    ) throws {
        let count = Box(0), scope = ResolverScope.oneOfEachKind.first { $0.name == kind }?.scope ?? .cached
        for isIsolating in [false, true] {
            let services = Resolver()
            services.register(Service.self) { .some(make(Counted(count))) }.scope(scope)
            services.register(Service.self, name: "argument") { (_, _) in .some(make(Counted(count))) }
            services.register { resolver in [resolver.resolve(Service.self), resolver.resolve(Service.self)] }
            let resolver = isIsolating ? Resolver(isolating: services) : Resolver(child: services)
            for asked in [services, resolver] {
                for _ in 1...3 {
                    var found = [
                        asked.resolve(Service.self), try asked.tryResolve(Service.self),
                        asked.resolve(Service.self, name: "argument", args: 1),
                        try #require(asked.optional(Service.self)),
                    ]
                    found += asked.resolve([Service].self)
                    if !["unique", "graph", "shared"].contains(kind) {
                        found.append(try #require(asked.existing(Service.self)))
                    }
                    expect(found.allSatisfy(isWhole), "\(Service.self)")
                }
            }
        }
        expect(count.value, is: 0, "\(Service.self) is left")
    }

    /// Resolves where user code handles the service: a wrapper of the factory, property blocks, an alias, and a
    /// request.
    private func checkModifiers<Service: Sendable>(
        _ make: @escaping @Sendable (Counted) -> Service, _ isWhole: @escaping @Sendable (Service) -> Bool
    ) async throws {
        let count = Box(0), seen = Box(0)
        do {
            let services = Resolver()
            services.register(Service.self, name: "completed") { .some(make(Counted(count))) }
                .resolveProperties { if isWhole($1) { seen.update { $0 += 1 } } }
                .implements(Any.self)
                .registration.update { factory in
                    { resolver, args in factory(resolver, args).flatMap { isWhole($0) ? $0 : nil } }
                }
            services.register(Service.self, name: "failing") { .some(make(Counted(count))) }
                .resolveProperties { _, _ in throw CancellationError() }
            services.register(Service.self, name: "request") { .some(make(Counted(count))) }.scoped(to: .request)
            services.register(Service.self, name: "awaited") { () async in .some(make(Counted(count))) }.scope(.cached)
            for _ in 1...2 {
                expect(isWhole(services.resolve(name: "completed")), "\(Service.self)")
                expect((services.resolve(Any.self) as? Service).map(isWhole), is: true, "\(Service.self)")
                #expect(throws: ResolutionError.self) { _ = try services.tryResolve(Service.self, name: "failing") }
                await Resolver.withScope(.request, id: "\(Service.self)") {
                    for _ in 1...2 { expect(isWhole(services.resolve(name: "request")), "\(Service.self)") }
                }
                expect(isWhole(try await services.resolveAsync(name: "awaited")), "\(Service.self)")
            }
            expect(seen.value, is: 4, "\(Service.self)")
        }
        await settle(count)
        expect(count.value, is: 0, "\(Service.self) is left")
    }

    /// The metadata of such a type is that of the class. An optimizer knows no class in it.
    @Test func `a class with Sendable is one service with the class`() async throws {
        let count = Box(0)
        do {
            let resolver = Resolver(), part = Counted(count)
            resolver.register((Base & Sendable).self) { Derived(part) }.scope(.cached)
                .resolveProperties { expect($1.mark, is: 2) }
            resolver.autoregister(BaseHolder.init)
            resolver.registerInstance(Derived(part) as Base & Sendable, name: "instance")
            resolver.register(name: "awaited") { () async in Derived(part) as Base & Sendable }.scope(.cached)
            resolver.register(name: "unique") { Derived(part) as Base & Sendable }.scope(.unique)
            resolver.register(name: "weak") { Derived(part) as Base & Sendable }.scope(.shared)
            for _ in 0..<3 {
                try await expect(resolver.resolveAsync((Base & Sendable).self, name: "awaited").mark, is: 2)
                for name in [nil, "awaited", "instance", "unique", "weak"] as [Resolver.Name?] {
                    expect(resolver.resolve((Base & Sendable).self, name: name).mark, is: 2)
                }
                try expect(resolver.tryResolve((Base & Sendable).self).mark, is: 2)
                try await expect(resolver.resolveAsync((Base & Sendable).self).mark, is: 2)
                expect(resolver.resolve(Base.self) === resolver.existing((Base & Sendable).self))
                expect(resolver.resolve(BaseHolder.self).base.mark, is: 2)
            }
        }
        await settle(count)
        expect(count.value, is: 0)
    }

    private final class BaseHolder: Sendable {
        let base: Base & Sendable
        init(_ base: Base & Sendable) { self.base = base }
    }

    @Test func `modifiers, aliases and contexts receive the created service of any type`() async throws {
        try await checkModifiers({ $0 }) { $0.alive.value > 0 }
        try await checkModifiers({ Wide(part: $0) }) { $0.words.8 == 9 }
        try await checkModifiers({ Aligned(lanes: .init(repeating: 3), part: $0) }) { $0.lanes[15] == 3 }
        try await checkModifiers({ Choice.one($0) }) { if case .one = $0 { true } else { false } }
        try await checkModifiers({ Counted?.some($0) }) { $0 != nil }
        try await checkModifiers({ $0 as any ForClasses }) { $0.alive.value > 0 }
        try await checkModifiers({ $0 as any Numbered & Sendable }) { $0.alive.value > 0 }
        try await checkModifiers({ Wide(part: $0) as any Numbered & Sendable }) { $0.alive.value > 0 }
        try await checkModifiers({ part in { part } as @Sendable () -> Counted }) { $0().alive.value > 0 }
    }

    private func isWhole(_ part: Counted) -> Bool { part.alive.value > 0 }

    @Test(arguments: kinds) func `services of any type are returned as they were created`(_ kind: String) throws {
        try check(kind, { _ in Empty() }) { _ in true }
        try check(kind, { _ in 7 }) { $0 == 7 }
        try check(kind, { _ in true }) { $0 }
        try check(kind, { _ in Int?.none }) { $0 == nil }
        try check(kind, { _ in Int?.some(7) }) { $0 == 7 }
        try check(kind, { _ in Int??.some(nil) }) { $0 == .some(nil) }
        try check(kind, { _ in "a string that is too long for its own words" }) { $0.count == 43 }
        try check(kind, { Wide(part: $0) }) { $0.words.8 == 9 && isWhole($0.part) }
        try check(kind, { Aligned(lanes: .init(repeating: 3), part: $0) }) { $0.lanes[15] == 3 && isWhole($0.part) }
        try check(kind, { Choice.two($0, $0) }) { if case .two(let one, _) = $0 { isWhole(one) } else { false } }
        try check(kind, { _ in Choice.nothing }) { if case .nothing = $0 { true } else { false } }
        try check(kind, { ($0, 1, 2, 3, 4, 5, 6) }) { isWhole($0.0) && $0.6 == 6 }
        try check(kind, { part in { part } as @Sendable () -> Counted }) { isWhole($0()) }
        try check(kind, { _ in Counted.self as AnyClass }) { $0 == Counted.self }
        try check(kind, { [$0] }) { $0.allSatisfy(isWhole) }
        // Objects.
        try check(kind, { $0 }) { isWhole($0) }
        try check(kind, { Counted?.some($0) }) { $0.map(isWhole) == true }
        try check(kind, { _ in Counted?.none }) { $0 == nil }
        try check(kind, { $0 as AnyObject }) { ($0 as? Counted).map(isWhole) == true }
        try check(kind, { $0 as any ForClasses }) { $0.alive.value > 0 }
        try check(kind, { $0 as any Numbered }) { $0.alive.value > 0 }
        try check(kind, { $0 as any Numbered & Marked }) { $0.alive.value > 0 }
        try check(kind, { $0 as any Numbered & Marked & Named }) { $0.alive.value > 0 }
        try check(kind, { $0 as any Numbered & Marked & Named & Sendable & ForClasses }) { $0.mark > 0 }
        try check(kind, { Derived($0) as Base }) { $0.mark == 2 }
        try check(kind, { Derived($0) as Base & Numbered }) { $0.mark == 2 && $0.alive.value > 0 }
        try check(kind, { $0 as Any }) { ($0 as? Counted).map(isWhole) == true }
        try check(kind, { ObjectFailure($0) as any Error }) { ($0 as? ObjectFailure).map { isWhole($0.part) } == true }
        // Values behind protocols.
        try check(kind, { Wide(part: $0) as any Numbered }) { $0.alive.value > 0 }
        try check(kind, { Wide(part: $0) as Any }) { ($0 as? Wide).map { isWhole($0.part) } == true }
        try check(kind, { _ in Empty() as Any }) { $0 is Empty }
        try check(kind, { PlainFailure(part: $0) as any Error }) { ($0 as? PlainFailure)?.part.alive.value ?? 0 > 0 }
        try check(kind, { Numbered?.some(Wide(part: $0)) }) { ($0?.alive.value ?? 0) > 0 }
    }
}

extension ServiceTypeTests.ForClasses { fileprivate var mark: Int { alive.value } }

extension Counted: ServiceTypeTests.Marked, ServiceTypeTests.Numbered, ServiceTypeTests.Named,
    ServiceTypeTests.ForClasses
{}
