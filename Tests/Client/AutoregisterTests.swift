import Resolver
import Testing

// This file is compiled in Swift 5 mode, in Swift 6, and in Swift 6 on the main actor.

nonisolated protocol WiredStore: Sendable { var size: Int { get } }
nonisolated final class WiredDatabase: WiredStore {
    let size: Int
    init(size: Int, api: Leaf) throws {
        if size < 0 { throw Unplugged() }
        self.size = size
    }
}
nonisolated final class WiredCart: Sendable {
    let store: WiredStore, log: WiredLog?
    init(store: WiredStore, log: WiredLog?) { (self.store, self.log) = (store, log) }
}
nonisolated struct WiredLog: Sendable {}
nonisolated final class WiredRemote: Sendable {
    let size: Int
    init(store: WiredStore) async throws {
        await Task.yield()
        size = store.size
    }
}
@MainActor final class WiredModel {
    let api: Leaf
    init(api: Leaf) { self.api = api }
}
nonisolated struct WiredMaybe: Sendable { init?(size: Int) { if size == 0 { return nil } } }
nonisolated final class WiredHome: Sendable {
    let resolver: Resolver
    init(_ resolver: Resolver) { self.resolver = resolver }
}
nonisolated final class WiredVisitor: Sendable {
    let resolver: Resolver?
    init(_ resolver: Resolver?) { self.resolver = resolver }
    init(later resolver: Resolver?) async { self.resolver = resolver }
}
nonisolated final class WiredTen: Sendable {
    let all: [Leaf]
    init(
        _ a: Leaf, _ b: Leaf, _ c: Leaf, _ d: Leaf, _ e: Leaf, _ f: Leaf, _ g: Leaf,
        _ h: Leaf, _ i: Leaf, _ j: Leaf
    ) { all = [a, b, c, d, e, f, g, h, i, j] }
}

nonisolated protocol WiredPlace: Sendable {}
extension Resolver: WiredPlace {}
nonisolated final class WiredShelf: WiredPlace {}
nonisolated final class WiredSeeker: Sendable {
    let place: (any WiredPlace)?
    init(place: (any WiredPlace)?) { self.place = place }
}
nonisolated final class WiredNeedy: Sendable { init(place: any WiredPlace) {} }
nonisolated struct WiredNumber: Sendable {
    let number: Int?
    init(number: Int?) { self.number = number }
}

@Suite struct AutoregisterTests {
    private let resolver = Resolver()

    // Swift 5 mode warns about initializers that are passed in asynchronous or isolated code.
    init() {
        resolver.autoregister(Leaf.init).scope(.cached)
        resolver.autoregister(WiredDatabase.init(size:api:)).implements(WiredStore.self).scope(.cached)
        resolver.autoregister(WiredCart.init(store:log:))
        resolver.autoregister(WiredRemote.init(store:)).scope(.cached)
        resolver.autoregister(WiredModel.init)
        resolver.autoregister(WiredHome.init)
        resolver.autoregister(WiredVisitor.init(_:))
        resolver.autoregister(WiredVisitor.init(later:), name: "asynchronous")
        resolver.autoregister(WiredSeeker.init)
        resolver.autoregister(WiredNeedy.init)
        resolver.autoregister(WiredNumber.init)
    }

    @Test func `autoregister resolves the parameters of an initializer`() throws {
        resolver.register { 1 }
        let cart: WiredCart = try resolver.tryResolve()
        expect(cart.store.size == 1 && cart.log == nil)
        expect(cart.store as AnyObject === resolver.resolve(WiredDatabase.self))
        resolver.autoregister(WiredLog.init)
        expect(resolver.resolve(WiredCart.self).log != nil)
    }

    @Test func `an initializer's error is thrown with its path, which names the missing parameter`() {
        resolver.register { -1 }
        let error = #expect(throws: ResolutionError.self) { try resolver.tryResolve(WiredCart.self) }
        expect(error?.underlying is Unplugged)
        expect(error?.path.count, is: 3)
        resolver.unregister(WiredStore.self)
        let missing = #expect(throws: ResolutionError.self) { try resolver.tryResolve(WiredCart.self) }
        expect(missing?.code, is: .notRegistered)
        expect("\(missing as Any)".contains("WiredStore"))
    }

    @Test func `a failable initializer may return nil`() {
        resolver.register { 0 }
        resolver.autoregister(WiredMaybe.init(size:))
        expect(resolver.optional(WiredMaybe.self), is: nil)
    }

    @Test func `an initializer may have ten parameters`() {
        resolver.autoregister(Leaf.init).scope(.unique)
        resolver.autoregister(WiredTen.init)
        expect(Set(resolver.resolve(WiredTen.self).all.map(ObjectIdentifier.init)).count, is: 10)
    }

    @Test @MainActor func `an initializer of the main actor runs only on it`() async throws {
        expect(resolver.optional(WiredModel.self) != nil)
        let error = await Task.detached { [resolver] in
            #expect(throws: ResolutionError.self) { try resolver.tryResolve(WiredModel.self) }
        }.value
        expect(error?.code, is: .wrongIsolation)
    }

    @Test func `autoregister resolves the parameters of an asynchronous initializer`() async throws {
        resolver.register { 7 }
        #expect(throws: ResolutionError.self) { try resolver.tryResolve(WiredRemote.self) }
        let remote: WiredRemote = try await resolver.resolveAsync()
        expect(remote.size, is: 7)
        let again: WiredRemote = try await resolver.resolveAsync()
        expect(again === remote)
    }

    @Test func `autoregister registers under a name`() {
        resolver.autoregister(WiredLog.init, name: "a").scope(.cached)
        expect(resolver.optional(WiredLog.self), is: nil)
        expect(resolver.optional(WiredLog.self, name: "a") != nil)
        expect(resolver.isRegistered(WiredLog.self, name: "a") && !resolver.isRegistered(WiredLog.self))
    }

    @Test func `a parameter may be a registered resolver, or else that of the call, also where it is optional`()
        async throws
    {
        let other = Resolver()
        resolver.register { other }
        expect(resolver.resolve(WiredHome.self).resolver === other)
        expect(resolver.resolve(WiredVisitor.self).resolver === other)
        let visitor: WiredVisitor = try await resolver.resolveAsync(name: "asynchronous")
        expect(visitor.resolver === other)
        resolver.unregister(Resolver.self)
        expect(resolver.resolve(WiredHome.self).resolver === resolver)
        let child = Resolver(child: resolver)
        expect(child.resolve(WiredHome.self).resolver === child)
        expect(resolver.resolve(WiredVisitor.self).resolver === resolver)
    }

    @Test func `a protocol parameter never gets the resolver`() async {
        expect(resolver.resolve(WiredSeeker.self).place, is: nil)
        #expect(throws: ResolutionError.self) { try resolver.tryResolve(WiredNeedy.self) }
        resolver.register { WiredShelf() as any WiredPlace }
        expect(resolver.resolve(WiredSeeker.self).place is WiredShelf)
    }

    @Test func `a registered optional precedes its wrapped type`() async throws {
        resolver.register(Int?.self) { 7 }
        expect(resolver.resolve(WiredNumber.self).number, is: 7)
        resolver.register(Int?.self) { nil }
        expect(resolver.resolve(WiredNumber.self).number, is: nil)
        resolver.register { 8 }
        expect(resolver.resolve(WiredNumber.self).number, is: 8)
        let observation = Resolver.observe { _ in }
        expect(resolver.resolve(WiredNumber.self).number, is: 8)
        observation.cancel()
        let number: WiredNumber = try await resolver.resolveAsync()
        expect(number.number, is: 8)
    }
}
