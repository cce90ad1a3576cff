import Resolver
import Testing

/// Services whose conformance to the registered protocol belongs to the main actor. Other code must not use it.
@MainActor @Suite struct IsolatedConformanceTests {
    fileprivate nonisolated protocol Port { func ping() -> Bool }
    private nonisolated protocol ClassPort: AnyObject { func ping() -> Bool }
    private nonisolated protocol Store<Item> {
        associatedtype Item
        func ping() -> Bool
    }
    private nonisolated protocol ClassStore<Item>: AnyObject {
        associatedtype Item
        func ping() -> Bool
    }

    /// Has the conformance of its part.
    fileprivate nonisolated final class Wrapper<Part> {
        let part: Part
        init(_ part: Part) { self.part = part }
    }

    private final class Net: @MainActor Port, @MainActor ClassPort, @MainActor Store, @MainActor ClassStore {
        typealias Item = Int

        func ping() -> Bool {
            MainActor.shared.preconditionIsolated()
            return true
        }
    }

    /// - Parameter isFirst: whether code of the main actor asks by the protocol before other code does.
    @Test(arguments: [true, false], [true, false])
    func `an alias hands out an isolated conformance on its actor alone`(_ isFirst: Bool, _ isUnnamed: Bool) async {
        let resolver = Resolver(), name: Resolver.Name? = isUnnamed ? nil : "net"
        resolver.register(name: name) { @MainActor in Net() }
            .implements((any Port).self, name: name).implements((any ClassPort).self, name: name).scope(.cached)
        let net = resolver.resolve(Net.self, name: name)
        for _ in 0..<(isFirst ? 3 : 0) {
            expect(resolver.resolve((any Port).self, name: name).ping())
            expect(resolver.resolve((any ClassPort).self, name: name) === net)
        }
        let found = await Threads.result {
            [
                resolver.optional(Net.self, name: name) != nil,
                resolver.optional((any Port).self, name: name) != nil,
                resolver.optional((any ClassPort).self, name: name) != nil,
                resolver.existing((any Port).self, name: name) != nil,
            ]
        }
        expect(found, is: [true, false, false, false])
        expect(resolver.resolve((any Port).self, name: name).ping())
        expect(resolver.existing((any ClassPort).self, name: name) === net)
    }

    /// Asks by a protocol on the main actor, and then elsewhere.
    ///
    /// - Parameter code: the error elsewhere, or nil where the object is handed out to all.
    private func check<Service>(
        _ type: Service.Type, _ resolver: Resolver, _ code: ResolutionError.Code?, in scope: ScopeHandle? = nil,
        _ isRight: (Service) -> Bool
    ) async {
        for _ in 0..<3 { expect(isRight(resolver.resolve(type)), "\(type)") }
        expect(resolver.existing(type) != nil, "\(type)")
        let found = await Threads.result {
            let ask = { (resolver.failure(type)?.code, resolver.existing(type) != nil) }
            return scope?.run(ask) ?? ask()
        }
        expect(found.0, is: code, "\(type)")
        expect(found.1, is: code == nil, "\(type)")
    }

    @Test func `an object kept weakly by its isolated conformance is an error on another thread`() async {
        let resolver = Resolver()
        resolver.register { @MainActor in Net() as any Port }.scope(.shared)
        let held = resolver.resolve((any Port).self), identity = ObjectIdentifier(held as AnyObject)
        await check((any Port).self, resolver, .wrongIsolation) { ObjectIdentifier($0 as AnyObject) == identity }
        withExtendedLifetime(held) {}
    }

    @Test func `an alias hands out conformances with associated types and conditions on their actor alone`() async {
        let resolver = Resolver()
        resolver.register { @MainActor in Net() }.implements((any Store<Int>).self)
            .implements((any ClassStore<Int>).self).implements((any Store<Int> & Port).self).scope(.cached)
        resolver.register { @MainActor in Wrapper(Net()) }.implements((any Port).self).scope(.cached)
        await check((any Store<Int>).self, resolver, .factoryReturnedNil) { $0.ping() }
        await check((any ClassStore<Int>).self, resolver, .factoryReturnedNil) { $0.ping() }
        await check((any Store<Int> & Port).self, resolver, .factoryReturnedNil) { $0.ping() }
        await check((any Port).self, resolver, .factoryReturnedNil) { $0.ping() }
        resolver.register { Wrapper(Free()) }.implements((any Port).self).scope(.cached)
        await check((any Port).self, resolver, nil) { $0.ping() }
        resolver.register { Free() }.implements((any Store<Int>).self).implements((any Port).self).scope(.cached)
        await check((any Store<Int>).self, resolver, nil) { $0.ping() }
        await check((any Port).self, resolver, nil) { $0.ping() }
    }

    @Test(arguments: ["cached", "container", "request"])
    func `an instance kept by its isolated conformance is for code of its actor alone`(_ kind: String) async {
        let released = Box(0), scope = ScopeContext.shared.open(.ofTest("keeps by protocol"), id: "")
        do {
            let resolver = Resolver()
            func set<Service>(_ options: ResolverOptions<Service>) {
                switch kind {
                case "cached": options.scope(.cached)
                case "container": options.scope(.container)
                default: options.scoped(to: scope.kind)
                }
                options.onRelease { _ in released.increment() }
            }
            set(resolver.register { @MainActor in Net() as any Port })
            set(resolver.register { @MainActor in Net() as any Store<Int> })
            set(resolver.register { @MainActor in Wrapper(Net()) as any Port & AnyObject })
            await scope.run {
                await check((any Port).self, resolver, .wrongIsolation, in: scope) { $0.ping() }
                await check((any Store<Int>).self, resolver, .wrongIsolation, in: scope) { $0.ping() }
                await check((any Port & AnyObject).self, resolver, .wrongIsolation, in: scope) { $0.ping() }
            }
        }
        scope.end()
        expect(released.value, is: 3)
    }

    /// The tables of a parameter pack are not read. A cast decides who gets the object.
    @Test func `a conformance with conditions on a parameter pack belongs to the actors of its parts`() async {
        let resolver = Resolver()
        resolver.register { Group<Free, Free>() }.implements((any Port).self).scope(.cached)
        await check((any Port).self, resolver, nil) { $0.ping() }
        resolver.register { Group<Free, Free>() as any Port }.scope(.cached)
        await check((any Port).self, resolver, nil) { $0.ping() }
        resolver.register { @MainActor in Group<Free, Net>() }.implements((any Port).self).scope(.cached)
        await check((any Port).self, resolver, .factoryReturnedNil) { $0.ping() }
        resolver.register { PackValue<Free, Free>() }.implements((any Port).self).scope(.cached)
        await check((any Port).self, resolver, nil) { $0.ping() }
    }

    /// A cast of a value could make another value of it.
    @Test func `a value with a conditional conformance is kept as it is`() throws {
        let resolver = Resolver()
        resolver.register { [1, 2] as any Encodable }.scope(.cached)
        resolver.register { Int?.none as any Hashable }.scope(.cached)
        resolver.register { Wrapper(Free()) as any Port }.scope(.cached)
        for _ in 0..<3 {
            try expect(resolver.tryResolve((any Encodable).self) is [Int])
            expect(type(of: try resolver.tryResolve((any Hashable).self)) == Int?.self)
            try expect(resolver.tryResolve((any Port).self).ping())
        }
    }

    @Test func `an asynchronous factory hands out an isolated conformance on its actor alone`() async throws {
        let resolver = Resolver()
        resolver.register { @MainActor () async in SentNet() as any Port & Sendable }.scope(.cached)
        resolver.register { @MainActor () async in SentNet() as any ClassPort & Sendable }.scope(.cached)
        for _ in 0..<3 {
            try await expect(resolver.resolveAsync((any Port & Sendable).self).ping())
            try await expect(resolver.resolveAsync((any ClassPort & Sendable).self).ping())
        }
        await check((any Port & Sendable).self, resolver, .wrongIsolation) { $0.ping() }
        await check((any ClassPort & Sendable).self, resolver, .wrongIsolation) { $0.ping() }
    }

    @MainActor private final class SentNet: @MainActor Port, @MainActor ClassPort { func ping() -> Bool { true } }

    private nonisolated final class Free: Store, Port {
        typealias Item = Int
        func ping() -> Bool { true }
    }
}

extension IsolatedConformanceTests.Wrapper: IsolatedConformanceTests.Port where Part: IsolatedConformanceTests.Port {
    fileprivate func ping() -> Bool { part.ping() }
}

private final class Group<each Part>: Sendable {}
private struct PackValue<each Part>: Sendable {}

extension Group: IsolatedConformanceTests.Port where repeat each Part: IsolatedConformanceTests.Port {
    func ping() -> Bool { true }
}

extension PackValue: IsolatedConformanceTests.Port where repeat each Part: IsolatedConformanceTests.Port {
    func ping() -> Bool { true }
}
