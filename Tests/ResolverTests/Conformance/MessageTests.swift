import Resolver
import Testing

// Types with names that are pinned in the golden files.
private protocol Payment {}
private protocol Logging {}
private final class CardPayment: Payment, Plain {}
private class Gateway {}
private final class FastGateway: Gateway {}
private struct Cart: Plain {}
private struct Cast {}
private struct Order {}
private struct Invoice: Plain {}
private struct Receipt: Plain {}
private enum Backend { struct Cart {} }
private enum Nothing { struct Here {} }
private struct Loner {}
private struct Network: Error {}
@MainActor private final class Screen {}

/// The tests run one after the other, because a message names other resolvers that have the requested service.
@Suite(.serialized) struct MessageTests {
    /// A call that fails, and the golden file with its message. Cases run one at a time.
    struct Row: CustomTestStringConvertible, @unchecked Sendable {
        let testDescription: String, golden: String
        let fail: (Resolver) async throws -> Void
    }

    @Test(arguments: missing + failing + cycles + arguments + asynchronous)
    func `the message of an error is exactly that of its golden file`(_ row: Row) async throws {
        let resolver = Resolver()
        resolver.register(fileID: "Shop/App.swift", line: 1) { Order() }
        let error = try await #require(throws: ResolutionError.self) { try await row.fail(resolver) }
        try expectGolden(error.description, row.golden)
    }

    private static let missing = [
        Row("a missing service", "missing", Cart.self),
        Row("a missing named service", "missing-named", Cart.self, "guest"),
        Row("a missing service three factories deep", "missing-path", Invoice.self) { resolver in
            resolver.inApp { r in Invoice(after: try r.part(Receipt.self, "paper", at: "Shop/Invoice.swift", 2)) }
            resolver.inApp("paper", 11) { r in Receipt(after: try r.part(Cart.self, at: "Shop/Receipt.swift", 3)) }
        },
        Row("a wrong name, with the three nearest", "missing-other-names", Cart.self, "gest", with: registerCarts),
        Row("a named service without its name", "missing-unnamed", Cart.self, "guest", with: app { Cart() }),
        Row("an optional whose wrapped type is registered", "missing-optional", Cart?.self, with: app { Cart() }),
        Row("a named optional", "missing-named-optional", Cart?.self, "guest", with: registerCarts),
        Row("a service that is registered as an optional", "missing-registered-as-optional", Cart.self) {
            $0.register(Cart?.self, fileID: "Shop/App.swift", line: 10) { .some(Cart()) }
        },
        Row("a protocol of a service", "missing-protocol", (any Payment).self, with: app { CardPayment() }),
        Row("a service whose protocol is registered", "missing-concrete", CardPayment.self) {
            $0.register(fileID: "Shop/App.swift", line: 10) { CardPayment() as any Payment }
            $0.register((any Logging).self, fileID: "Shop/App.swift", line: 11) { nil }
        },
        Row("a class whose subclass is registered", "missing-superclass", Gateway.self, with: app { FastGateway() }),
        Row("a type with a similar name", "missing-similar", Cart.self, with: app { Cast() }),
        Row("a function that is registered by its name in Swift 6 mode", "missing-sendable", (() -> Cart).self) {
            $0.register(fileID: "Shop/App.swift", line: 10) { { @Sendable in Cart() } }
        },
        Row("a runtime type", "missing-runtime-type", FastGateway.self as Gateway.Type, with: app { FastGateway() }),
        Row("a type with the same simple name", "missing-same-simple-name", Cart.self, with: app { Backend.Cart() }),
        Row(testDescription: "a missing service in an empty resolver", golden: "missing-empty") { _ in
            let resolver = Resolver(fileID: "Shop/App.swift", line: 3)
            _ = try resolver.tryResolve(Loner.self, fileID: "Shop/Page.swift", line: 7)
        },
    ]

    private static func app<Service>(_ factory: @escaping @Sendable () throws -> Service) -> (Resolver) -> Void {
        { $0.register(fileID: "Shop/App.swift", line: 10, factory: factory) }
    }

    private static func registerCarts(on resolver: Resolver) {
        for (line, name) in ["member", "staff", "robot", "guest"].enumerated() {
            resolver.register(name: .init(name), fileID: "Shop/App.swift", line: UInt(10 + line)) { Cart() }
        }
    }

    /// The text is made when it is read, and names resolvers that are alive then.
    @Test func `the message for a service of another resolver is that of its golden file`() async throws {
        let other = Resolver(fileID: "Shop/Preview.swift", line: 4)
        other.register(fileID: "Shop/Preview.swift", line: 5) { Nothing.Here() }
        try await `the message of an error is exactly that of its golden file`(
            Row("", "missing-elsewhere", Nothing.Here.self))
        withExtendedLifetime(other) {}
    }

    private static let failing = [
        Row("a factory that returned nil", "returned-nil", Cart.self, "guest") {
            $0.register(Cart.self, name: "guest", fileID: "Shop/App.swift", line: 10) { nil }
        },
        Row("a scope that returned nil", "scope-declined", Cart.self) { $0.cart().scope(AnsweringScope { _ in nil }) },
        Row("a required scope that is not active", "scope-required", Cart.self) {
            $0.cart().scoped(to: .request, required: true)
        },
        Row("a required scope of a kind whose name is no identifier", "scope-required-kind", Cart.self) {
            $0.cart().scoped(to: ScopeKind("night job", rank: 15, binding: .execution), required: true)
        },
        Row("a scope that threw", "scope-threw", Cart.self) {
            $0.cart().scope(AnsweringScope { _ in throw Network() })
        },
        Row("the container scope as a resolver's cache", "cache-is-container", Cart.self) {
            $0.cache = ResolverScope.container
            $0.cart().scope(.container)
        },
        Row("a factory that threw", "threw", Cart.self, with: app { () -> Cart in throw Network() }),
        Row("a block that threw", "threw-completing", Cart.self) {
            $0.cart().resolveProperties { _, _ in throw Network() }
        },
        Row("a nested factory that threw", "threw-path", Receipt.self, "paper") { resolver in
            resolver.inApp { _ -> Cart in throw Network() }
            resolver.inApp("paper", 11) { r in Receipt(after: try r.part(Cart.self, at: "Shop/Receipt.swift", 3)) }
        },
        Row("an alias whose service does not conform", "alias-is-nil", (any Logging).self) {
            $0.register(fileID: "Shop/App.swift", line: 10) { CardPayment() }
                .implements((any Logging).self, fileID: "Shop/App.swift", line: 11)
        },
        Row("a call off a global actor", "wrong-isolation-actor", Cart.self) {
            $0.register(fileID: "Shop/App.swift", line: 10) { @Vault in Cart() }
        },
        Row(testDescription: "a call off the main actor", golden: "wrong-isolation") { resolver in
            resolver.register(fileID: "Shop/App.swift", line: 10) { @MainActor in Screen() }
            try await Threads.result { _ = try resolver.tryResolve(Screen.self, fileID: "Shop/Page.swift", line: 7) }
        },
    ]

    private static let cycles = [
        cycle("a service that needs itself", "cycle-self", "a", of: ["a"]),
        cycle("a dependency cycle of two services", "cycle-two", "b", of: ["a", "b"]),
        cycle("a long dependency cycle, cut in the middle", "cycle-long", "0", of: (0..<40).map(String.init)),
        Row("a dependency cycle through an alias", "cycle-alias", CardPayment.self) { resolver in
            resolver.inApp { r in CardPayment(after: try r.part((any Payment).self, "any", at: "Shop/Payment.swift", 3))
            }
            .implements((any Payment).self, name: "any", fileID: "Shop/App.swift", line: 11)
        },
        Row("a dependency cycle through the properties of a unique service", "cycle-unique", CardPayment.self) {
            $0.inApp { _ in CardPayment() }.scope(.unique)
                .resolveProperties { r, _ in _ = try r.part(Receipt.self, at: "Shop/Payment.swift", 3) }
            $0.inApp(nil, 11) { r in Receipt(after: try r.part(CardPayment.self, at: "Shop/Receipt.swift", 2)) }
        },
    ]

    /// A call in a cycle of carts that each need the next one.
    private static func cycle(_ description: String, _ golden: String, _ name: String, of names: [String]) -> Row {
        Row(description, golden, Cart.self, .init(name)) { resolver in
            for (index, name) in names.enumerated() {
                let next = Resolver.Name(names[(index + 1) % names.count])
                resolver.inApp(.init(name), UInt(10 + index)) { r in
                    try r.part(Cart.self, next, at: "Shop/Cart.swift", 3)
                }
            }
        }
    }

    private static let arguments = [
        Row("a missing argument", "argument-none", args: nil, reading: number),
        Row("an argument of another type", "argument-type", args: "three", reading: number),
        Row("a missing keyed argument", "argument-key", args: ["title": "News", "color": "red"], reading: size),
        Row("a missing keyed argument beside one without a key", "argument-unkeyed", args: 5, reading: size),
        Row("a keyed argument of another type", "argument-key-type", args: ["size": "large"], reading: size),
        Row("an unkeyed read of several", "argument-ambiguous", args: ["width": 1, "height": 2], reading: number),
        Row("an argument of another type of the same name", "argument-same-name", args: Backend.Cart()) {
            try $0.tryGet() as Cart
        },
        Row(
            "another local type of the same name", "argument-local-type", args: localNumber(), reading: readLocalNumber),
        Row("several arguments", "argument-ambiguous-key", Cart.self, "page", args: ["width": 1, "height": 2]) {
            $0.cart("page").scope(.cached).scopeOnArguments(Int.self)
        },
        Row("an argument that is not Hashable", "argument-not-hashable", Cart.self, "page", args: Receipt()) {
            $0.cart("page").scope(.cached).scopeOnArguments()
        },
    ]

    @Sendable private static func number(_ args: Resolver.Args) throws -> Int { try args.tryGet() }
    @Sendable private static func size(_ args: Resolver.Args) throws -> Int { try args.tryGet("size") }

    @Test
    func `the message for a release hook that threw is that of its golden file, and a missing optional prints none`()
        async throws
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let resolver = Resolver()
            resolver.cart("guest").scope(.cached).onRelease { _ in throw Network() }
            _ = resolver.resolve(Cart.self, name: "guest")
            _ = resolver.optional(Cart.self)
            resolver.reset(.scopes)
        }
        let text = try result.errorText
        try expectGolden(String(text.drop(while: \.isNewline).dropLast(text.hasSuffix("\n") ? 1 : 0)), "release-threw")
    }

    @Test func `resolve traps with a text that begins like that of version 1 5 1`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let resolver = Resolver(fileID: "Shop/App.swift", line: 3)
            resolver.register(fileID: "Shop/App.swift", line: 10) { Order() }
            _ = resolver.resolve(Cart.self, name: "guest", fileID: "Shop/Page.swift", line: 7)
        }
        let text = try result.errorText
        let beginning = """
            Shop/Page.swift:7: Fatal error: RESOLVER: 'Cart:guest' not resolved. \
            To disambiguate optionals use resolver.optional().

            """
        expect(text.hasPrefix(beginning))
        expect(text.contains("Suggestions:"), is: false)
        expect(text.contains("Path:\n     ResolverTests.Cart:guest\n"))
    }

    private static func localNumber() -> Any {
        struct Number { let value = 1 }
        return Number()
    }

    @Sendable private static func readLocalNumber(_ args: Resolver.Args) throws -> Any {
        struct Number { let other = 1 }
        return try args.tryGet() as Number
    }
}

extension MessageTests.Row {
    init<Service>(
        _ description: String, _ golden: String, _ type: Service.Type, _ name: Resolver.Name? = nil,
        args: Any? = nil, with register: @escaping (Resolver) -> Void = { _ in }
    ) {
        (testDescription, self.golden) = (description, golden)
        fail = { resolver in
            register(resolver)
            _ = try resolver.tryResolve(type, name: name, args: args, fileID: "Shop/Page.swift", line: 7)
        }
    }

    /// A call of a factory that reads its arguments.
    init<Value>(
        _ description: String, _ golden: String, args: Any?,
        reading read: @escaping @Sendable (Resolver.Args) throws -> Value
    ) {
        self.init(description, golden, Cart.self, "page", args: args) { resolver in
            resolver.register(name: "page", fileID: "Shop/App.swift", line: 10) { _, args in
                Cart(after: try read(args))
            }
        }
    }
}

extension Resolver {
    /// Registers a service in the file of the app.
    @discardableResult func inApp<Service>(
        _ name: Resolver.Name? = nil, _ line: UInt = 10, _ make: @escaping @Sendable (Resolver) throws -> Service
    ) -> ResolverOptions<Service> { register(name: name, fileID: "Shop/App.swift", line: line, factory: make) }

    @discardableResult fileprivate func cart(_ name: Resolver.Name? = nil) -> ResolverOptions<Cart> {
        inApp(name) { _ in Cart() }
    }

    /// Resolves what a factory needs, at a line of its file.
    func part<Service>(
        _ type: Service.Type, _ name: Resolver.Name? = nil, at file: StaticString, _ line: UInt
    ) throws -> Service { try tryResolve(type, name: name, fileID: file, line: line) }
}
