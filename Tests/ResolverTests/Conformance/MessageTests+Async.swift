import Resolver
import Testing

// Types with names that are pinned in the golden files.
private struct Database: Sendable {}
private struct Cart: Sendable, Plain {}
private struct Receipt: Sendable, Plain {}
private struct Order: Sendable, Plain {}
private struct Page: Sendable {}
private struct Unreachable: Error {}

extension MessageTests.Row {
    fileprivate init<Service: Sendable>(
        _ description: String, _ golden: String, awaiting type: Service.Type, _ name: Resolver.Name? = nil,
        args: (any Sendable)? = nil, _ register: @escaping (Resolver) -> Void
    ) {
        (testDescription, self.golden) = (description, golden)
        fail = { resolver in
            register(resolver)
            _ = try await resolver.resolveAsync(type, name: name, args: args, fileID: "Shop/Page.swift", line: 7)
        }
    }

    /// An asynchronous call for an order, which needs a receipt, which needs a cart. Creation tasks create both.
    fileprivate init(
        _ description: String, _ golden: String, cart: @escaping @Sendable (Resolver) async throws -> Cart
    ) {
        self.init(description, golden, awaiting: Order.self) { resolver in
            let cache = ResolverScopeCache()
            resolver.inApp { r in Order(after: try await r.asyncPart(Receipt.self, "paper", at: "Shop/Order.swift", 1))
            }
            resolver.inApp("paper", 11) { r in
                Receipt(after: try await r.asyncPart(Cart.self, at: "Shop/Receipt.swift", 2))
            }.scope(cache)
            resolver.inApp(nil, 12, cart).scope(cache)
            resolver.register(Page.self, name: "last", fileID: "Shop/App.swift", line: 13) { await yielding(nil) }
                .scope(cache)
        }
    }
}

// The messages of errors with asynchronous factories.
extension MessageTests {
    /// Calls of a resolver that has nothing else.
    static let asynchronous = (synchronous + acrossTasks + cyclesOfTasks).map { row in
        Row(testDescription: row.testDescription, golden: row.golden) { _ in
            try await row.fail(Resolver(fileID: "Shop/App.swift", line: 3))
        }
    }

    private static let synchronous = [
        Row("an asynchronous service that is not cached yet", "requires-async", Database.self) {
            $0.database().scope(ResolverScopeCache())
        },
        Row("an asynchronous service that is never cached", "requires-async-unique", Database.self) {
            $0.database().scope(.unique)
        },
        Row("a synchronous factory that needs an asynchronous service", "requires-async-path", awaiting: Cart.self) {
            $0.database().scope(ResolverScopeCache())
            $0.inApp(nil, 11) { r in Cart(after: try r.part(Database.self, at: "Shop/Cart.swift", 2)) }
        },
        Row("an asynchronous service outside of its scope", "requires-async-without-scope", Database.self) {
            $0.database().scoped(to: .request)
        },
        Row(testDescription: "an asynchronous service whose scope is hidden", golden: "requires-async-hidden") {
            resolver in
            resolver.database().scoped(to: .request)
            resolver.inApp(nil, 11) { r in Cart(after: try r.part(Database.self, at: "Shop/Cart.swift", 2)) }
                .scope(.cached)
            try await Resolver.withScope(.request, id: "42") {
                _ = try await resolver.resolveAsync(Database.self)
                _ = try resolver.tryResolve(Cart.self, fileID: "Shop/Page.swift", line: 7)
            }
        },
        Row("an alias of an asynchronous service", "requires-async-alias", (any Role).self) {
            $0.inApp { _ in await yielding(Player()) }
                .scope(ResolverScopeCache()).implements((any Role).self, fileID: "Shop/App.swift", line: 11)
        },
    ]

    private static let acrossTasks = [
        Row("an error inside two creation tasks", "threw-async-path") { _ in throw await yielding(Unreachable()) },
        Row("a missing service inside two creation tasks", "missing-async-path") { r in
            Cart(after: try await r.asyncPart(Database.self, at: "Shop/Cart.swift", 3))
        },
        Row("a nil factory inside two creation tasks", "returned-nil-async-path") { r in
            Cart(after: try await r.asyncPart(Page.self, "last", at: "Shop/Cart.swift", 3))
        },
        Row("a dependency cycle across creation tasks", "cycle-async") { r in
            Cart(after: try await r.asyncPart(Receipt.self, "paper", at: "Shop/Cart.swift", 3))
        },
    ]

    private static let cyclesOfTasks = [
        Row("a dependency cycle in one task", "cycle-async-task", awaiting: Cart.self) { resolver in
            resolver.inApp { r in Cart(after: try await r.asyncPart(Receipt.self, at: "Shop/Cart.swift", 3)) }
            resolver.inApp(nil, 11) { r in
                Receipt(after: try await r.asyncPart(Cart.self, at: "Shop/Receipt.swift", 2))
            }
        },
        Row("an asynchronous dependency cycle through an alias", "cycle-async-alias", awaiting: Player.self) {
            $0.inApp { r in Player(after: try await r.asyncPart((any Role).self, "any", at: "Shop/Player.swift", 3)) }
                .implements((any Role).self, name: "any", fileID: "Shop/App.swift", line: 11)
        },
        Row("an endless recursion", "too-deep-async", awaiting: Page.self, "next", args: 0) { resolver in
            resolver.register(name: "next", fileID: "Shop/App.swift", line: 10) { r, args -> Page in
                let number: Int = try args.tryGet()
                return try await r.resolveAsync(name: "next", args: number + 1, fileID: "Shop/Page.swift", line: 2)
            }
        },
    ]
}

extension Resolver {
    @discardableResult fileprivate func inApp<Service: Sendable>(
        _ name: Resolver.Name? = nil, _ line: UInt = 10, _ make: @escaping @Sendable (Resolver) async throws -> Service
    ) -> ResolverOptions<Service> { register(name: name, fileID: "Shop/App.swift", line: line, factory: make) }

    fileprivate func database() -> ResolverOptions<Database> { inApp { _ in await yielding(Database()) } }

    fileprivate func asyncPart<Service: Sendable>(
        _ type: Service.Type, _ name: Resolver.Name? = nil, at file: StaticString, _ line: UInt
    ) async throws -> Service { try await resolveAsync(type, name: name, fileID: file, line: line) }
}
