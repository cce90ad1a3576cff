import Resolver
import Testing

// Types with names that are pinned in the golden files.
private struct Database: Sendable {}
private struct Cart: Sendable {}
private struct Receipt: Sendable {}
private struct Order: Sendable {}
private struct Page: Sendable {}
private struct Unreachable: Error {}

/// The messages of errors with asynchronous factories, compared as a whole.
///
/// The tests run one after the other, because a message names other resolvers that have the requested service.
@Suite(.serialized) struct AsyncMessageTests {
    private let resolver = Resolver(fileID: "Shop/App.swift", line: 3)

    private func expect<Service: Sendable>(
        _ golden: String, _ type: Service.Type, _ name: Resolver.Name? = nil, args: (any Sendable)? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let error = try await #require(throws: ResolutionError.self, sourceLocation: sourceLocation) {
            try await resolver.resolveAsync(type, name: name, args: args, fileID: "Shop/Page.swift", line: 7)
        }
        try expectGolden(error.description, golden, sourceLocation: sourceLocation)
    }

    private func expectSynchronously<Service>(
        _ golden: String, _ type: Service.Type, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(throws: ResolutionError.self, sourceLocation: sourceLocation) {
            try resolver.tryResolve(type, fileID: "Shop/Page.swift", line: 7)
        }
        try expectGolden(error.description, golden, sourceLocation: sourceLocation)
    }

    private func registerDatabase(_ scope: ResolverScope) {
        resolver.register(fileID: "Shop/App.swift", line: 10) { () -> Database in
            await Task.yield()
            return Database()
        }.scope(scope)
    }

    // MARK: Synchronous calls

    @Test func `the message for an asynchronous service that is not cached yet`() throws {
        registerDatabase(ResolverScopeCache())
        try expectSynchronously("requires-async", Database.self)
    }

    @Test func `the message for an asynchronous service that is never cached`() throws {
        registerDatabase(.unique)
        try expectSynchronously("requires-async-unique", Database.self)
    }

    @Test func `the message for a synchronous factory that needs an asynchronous service`() async throws {
        registerDatabase(ResolverScopeCache())
        resolver.register(fileID: "Shop/App.swift", line: 11) { r -> Cart in
            _ = try r.tryResolve(Database.self, fileID: "Shop/Cart.swift", line: 2)
            return Cart()
        }
        try await expect("requires-async-path", Cart.self)
    }

    @Test func `the message for an alias of an asynchronous service`() throws {
        resolver.register(fileID: "Shop/App.swift", line: 10) { () -> Player in
            await Task.yield()
            return Player()
        }.scope(ResolverScopeCache()).implements((any Role).self, fileID: "Shop/App.swift", line: 11)
        try expectSynchronously("requires-async-alias", (any Role).self)
    }

    // MARK: Across creation tasks

    /// An order needs a receipt, which a creation task creates. The receipt needs a cart, which another creation task
    /// creates.
    private func registerOrder(cart: @escaping @Sendable (Resolver) async throws -> Cart) {
        let cache = ResolverScopeCache()
        resolver.register(fileID: "Shop/App.swift", line: 10) { r -> Order in
            _ = try await r.resolveAsync(Receipt.self, name: "paper", fileID: "Shop/Order.swift", line: 1)
            return Order()
        }
        resolver.register(name: "paper", fileID: "Shop/App.swift", line: 11) { r -> Receipt in
            _ = try await r.resolveAsync(Cart.self, fileID: "Shop/Receipt.swift", line: 2)
            return Receipt()
        }.scope(cache)
        resolver.register(fileID: "Shop/App.swift", line: 12, factory: cart).scope(cache)
    }

    @Test func `the message for an error inside two creation tasks`() async throws {
        registerOrder { _ in
            await Task.yield()
            throw Unreachable()
        }
        try await expect("threw-async-path", Order.self)
    }

    @Test func `the message for a missing service inside two creation tasks`() async throws {
        registerOrder { r in
            _ = try await r.resolveAsync(Database.self, fileID: "Shop/Cart.swift", line: 3)
            return Cart()
        }
        try await expect("missing-async-path", Order.self)
    }

    @Test func `the message for a nil factory inside two creation tasks`() async throws {
        registerOrder { r in
            _ = try await r.resolveAsync(Page.self, name: "last", fileID: "Shop/Cart.swift", line: 3)
            return Cart()
        }
        resolver.register(Page.self, name: "last", fileID: "Shop/App.swift", line: 13) { () -> Page? in
            await Task.yield()
            return nil
        }.scope(ResolverScopeCache())
        try await expect("returned-nil-async-path", Order.self)
    }

    // MARK: Dependency cycles

    @Test func `the message for a dependency cycle across creation tasks`() async throws {
        registerOrder { r in
            _ = try await r.resolveAsync(Receipt.self, name: "paper", fileID: "Shop/Cart.swift", line: 3)
            return Cart()
        }
        try await expect("cycle-async", Order.self)
    }

    @Test func `the message for a dependency cycle in one task`() async throws {
        resolver.register(fileID: "Shop/App.swift", line: 10) { r -> Cart in
            _ = try await r.resolveAsync(Receipt.self, fileID: "Shop/Cart.swift", line: 3)
            return Cart()
        }
        resolver.register(fileID: "Shop/App.swift", line: 11) { r -> Receipt in
            _ = try await r.resolveAsync(Cart.self, fileID: "Shop/Receipt.swift", line: 2)
            return Receipt()
        }
        try await expect("cycle-async-task", Cart.self)
    }

    @Test func `the message for an asynchronous dependency cycle through an alias`() async throws {
        resolver.register(fileID: "Shop/App.swift", line: 10) { r -> Player in
            _ = try await r.resolveAsync((any Role).self, name: "any", fileID: "Shop/Player.swift", line: 3)
            return Player()
        }.implements((any Role).self, name: "any", fileID: "Shop/App.swift", line: 11)
        try await expect("cycle-async-alias", Player.self)
    }

    @Test func `the message for an endless recursion`() async throws {
        resolver.register(name: "next", fileID: "Shop/App.swift", line: 10) { r, args -> Page in
            let number: Int = try args.tryGet()
            return try await r.resolveAsync(name: "next", args: number + 1, fileID: "Shop/Page.swift", line: 2)
        }
        try await expect("too-deep-async", Page.self, "next", args: 0)
    }
}
