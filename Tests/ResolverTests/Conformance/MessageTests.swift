import Resolver
import Testing

// Types with names that are pinned in the golden files.
private protocol Payment {}
private protocol Logging {}
private final class CardPayment: Payment {}
private class Gateway {}
private final class FastGateway: Gateway {}
private struct Cart {
    init(_ part: Receipt = Receipt()) {}
}
private struct Cast {}
private struct Order {}
private struct Invoice {}
private struct Receipt {
    init(_ part: Any? = nil) {}
}
private enum Backend { struct Cart {} }
private enum Nothing { struct Here {} }
private struct Loner {}
private struct Network: Error {}
@MainActor private final class Screen {}
@globalActor private actor Vault { static let shared = Vault() }

/// The messages of errors, compared as a whole.
///
/// The tests run one after the other, because a message names other resolvers that have the requested service.
@Suite(.serialized) struct MessageTests {
    /// Returns a resolver that is not empty.
    private func resolver() -> Resolver {
        let resolver = Resolver()
        resolver.register(fileID: "Shop/App.swift", line: 1) { Order() }
        return resolver
    }

    private func expect<Service>(
        _ golden: String, _ type: Service.Type, _ name: Resolver.Name? = nil, args: Any? = nil,
        in resolver: Resolver, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(throws: ResolutionError.self, sourceLocation: sourceLocation) {
            try resolver.tryResolve(type, name: name, args: args, fileID: "Shop/Page.swift", line: 7)
        }
        try expectGolden(error.description, golden, sourceLocation: sourceLocation)
    }

    // MARK: Missing registrations

    @Test func `the message for a missing service`() throws {
        try expect("missing", Cart.self, in: resolver())
    }

    @Test func `the message for a missing named service`() throws {
        try expect("missing-named", Cart.self, "guest", in: resolver())
    }

    @Test func `the message for a missing service in an empty resolver`() throws {
        try expect("missing-empty", Loner.self, in: Resolver(fileID: "Shop/App.swift", line: 3))
    }

    @Test func `the message for a missing service three factories deep`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { r -> Invoice in
            _ = try r.tryResolve(Receipt.self, name: "paper", fileID: "Shop/Invoice.swift", line: 2)
            return Invoice()
        }
        resolver.register(name: "paper", fileID: "Shop/App.swift", line: 11) { r -> Receipt in
            _ = try r.tryResolve(Cart.self, fileID: "Shop/Receipt.swift", line: 3)
            return Receipt()
        }
        try expect("missing-path", Invoice.self, in: resolver)
    }

    @Test func `the message for a wrong name lists the three nearest names`() throws {
        let resolver = resolver()
        for (line, name) in ["member", "staff", "robot", "guest"].enumerated() {
            resolver.register(name: .init(name), fileID: "Shop/App.swift", line: UInt(10 + line)) { Cart() }
        }
        try expect("missing-other-names", Cart.self, "gest", in: resolver)
    }

    @Test func `the message for a named service that is registered without a name`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { Cart() }
        try expect("missing-unnamed", Cart.self, "guest", in: resolver)
    }

    @Test func `the message for an optional whose wrapped type is registered`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { Cart() }
        try expect("missing-optional", Cart?.self, in: resolver)
    }

    @Test func `the message for a service that is registered as an optional`() throws {
        let resolver = resolver()
        resolver.register(Cart?.self, fileID: "Shop/App.swift", line: 10) { .some(Cart()) }
        try expect("missing-registered-as-optional", Cart.self, in: resolver)
    }

    @Test func `the message for a protocol that a registered service conforms to`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { CardPayment() }
        try expect("missing-protocol", (any Payment).self, in: resolver)
    }

    @Test func `the message for a service whose protocol is registered`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { CardPayment() as any Payment }
        resolver.register((any Logging).self, fileID: "Shop/App.swift", line: 11) { nil }
        try expect("missing-concrete", CardPayment.self, in: resolver)
    }

    @Test func `the message for a class whose subclass is registered`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { FastGateway() }
        try expect("missing-superclass", Gateway.self, in: resolver)
    }

    @Test func `the message for a type with a similar name`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { Cast() }
        try expect("missing-similar", Cart.self, in: resolver)
    }

    @Test func `the message for a type with the same simple name`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { Backend.Cart() }
        try expect("missing-same-simple-name", Cart.self, in: resolver)
    }

    @Test func `the message for a service that another resolver has`() throws {
        let other = Resolver(fileID: "Shop/Preview.swift", line: 4)
        other.register(fileID: "Shop/Preview.swift", line: 5) { Nothing.Here() }
        try expect("missing-elsewhere", Nothing.Here.self, in: resolver())
        withExtendedLifetime(other) {}
    }

    // MARK: Failing registrations

    @Test func `the message for a factory that returned nil`() throws {
        let resolver = resolver()
        resolver.register(Cart.self, name: "guest", fileID: "Shop/App.swift", line: 10) { nil }
        try expect("returned-nil", Cart.self, "guest", in: resolver)
    }

    @Test func `the message for a scope that returned nil`() throws {
        final class Closed: ResolverScope, @unchecked Sendable {
            override func resolve<Service>(
                registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
            ) -> Service? { nil }
        }
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { Cart() }.scope(Closed())
        try expect("scope-declined", Cart.self, in: resolver)
    }

    @Test func `the message for a required scope that is not active`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { Cart() }.scoped(to: .request, required: true)
        try expect("scope-required", Cart.self, in: resolver)
    }

    @Test func `the message for a scope that threw`() throws {
        final class Broken: ResolverScope, @unchecked Sendable {
            override func resolve<Service>(
                registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
            ) -> Service? { nil }

            override func tryResolve<Service>(
                registration: ResolverRegistration<Service>, resolver: Resolver, args: Any?
            ) throws -> Service? { throw Network() }
        }
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { Cart() }.scope(Broken())
        try expect("scope-threw", Cart.self, in: resolver)
    }

    @Test func `the message for the container scope as a resolver's cache`() throws {
        let resolver = resolver()
        resolver.cache = ResolverScope.container
        resolver.register(fileID: "Shop/App.swift", line: 10) { Cart() }.scope(.container)
        try expect("cache-is-container", Cart.self, in: resolver)
    }

    @Test func `the message for a factory that threw`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { () -> Cart in throw Network() }
        try expect("threw", Cart.self, in: resolver)
    }

    @Test func `the message for a nested factory that threw`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { () -> Cart in throw Network() }
        resolver.register(name: "paper", fileID: "Shop/App.swift", line: 11) { r -> Receipt in
            _ = try r.tryResolve(Cart.self, fileID: "Shop/Receipt.swift", line: 3)
            return Receipt()
        }
        try expect("threw-path", Receipt.self, "paper", in: resolver)
    }

    @Test func `the message for an alias whose service does not conform`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { CardPayment() }
            .implements((any Logging).self, fileID: "Shop/App.swift", line: 11)
        try expect("alias-is-nil", (any Logging).self, in: resolver)
    }

    @Test func `the message for a call off a global actor`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { @Vault in Cart() }
        try expect("wrong-isolation-actor", Cart.self, in: resolver)
    }

    @Test func `the message for a call off the main actor`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { @MainActor in Screen() }
        let text = Box("")
        Threads.run(1) { _ in
            do throws(ResolutionError) {
                _ = try resolver.tryResolve(Screen.self, fileID: "Shop/Page.swift", line: 7)
            } catch {
                text.set(error.description)
            }
        }
        try expectGolden(text.value, "wrong-isolation")
    }

    // MARK: Dependency cycles

    /// Returns a resolver with nodes that each resolve the next one.
    private func cycle(_ names: [String]) -> Resolver {
        let resolver = Resolver()
        for (index, name) in names.enumerated() {
            let next = Resolver.Name(names[(index + 1) % names.count])
            resolver.register(name: .init(name), fileID: "Shop/App.swift", line: UInt(10 + index)) { r -> Cart in
                try r.tryResolve(Cart.self, name: next, fileID: "Shop/Cart.swift", line: 3)
            }
        }
        return resolver
    }

    @Test func `the message for a service that needs itself`() throws {
        try expect("cycle-self", Cart.self, "a", in: cycle(["a"]))
    }

    @Test func `the message for a dependency cycle of two services`() throws {
        try expect("cycle-two", Cart.self, "b", in: cycle(["a", "b"]))
    }

    @Test func `the message for a long dependency cycle is cut in the middle`() throws {
        try expect("cycle-long", Cart.self, "0", in: cycle((0..<40).map(String.init)))
    }

    @Test func `the message for a dependency cycle through an alias`() throws {
        let resolver = resolver()
        resolver.register(fileID: "Shop/App.swift", line: 10) { r -> CardPayment in
            _ = try r.tryResolve((any Payment).self, name: "any", fileID: "Shop/Payment.swift", line: 3)
            return CardPayment()
        }.implements((any Payment).self, name: "any", fileID: "Shop/App.swift", line: 11)
        try expect("cycle-alias", CardPayment.self, in: resolver)
    }

    @Test func `the message for a dependency cycle across two threads`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            let bothInside = Rendezvous(2)
            let resolver = Resolver()
            for (index, (name, next)) in [("a", "b"), ("b", "a")].enumerated() {
                let through = Resolver.Name("\(name) to \(next)")
                resolver.register(name: .init(name), fileID: "Shop/App.swift", line: UInt(10 + index)) { r in
                    bothInside.arriveAndWait()
                    return Cart(r.resolve(Receipt.self, name: through, fileID: "Shop/Cart.swift", line: 1))
                }.scope(.cached)
                resolver.register(name: through, fileID: "Shop/App.swift", line: UInt(20 + index)) { r in
                    Receipt(r.resolve(Cart.self, name: .init(next), fileID: "Shop/Receipt.swift", line: 2))
                }
            }
            Threads.run(
                { _ = resolver.resolve(Cart.self, name: "a") }, { _ = resolver.resolve(Cart.self, name: "b") })
        }
        // Either thread may come last and detect the dependency cycle.
        let text = try result.errorText
        let fromA = """
                 ResolverTests.Cart:a (registered at Shop/App.swift:10)
              -> ResolverTests.Receipt:a to b (registered at Shop/App.swift:20)
              -> ResolverTests.Cart:b (registered at Shop/App.swift:11)
              -> ResolverTests.Receipt:b to a (registered at Shop/App.swift:21)
              -> ResolverTests.Cart:a (registered at Shop/App.swift:10)
            """
        let fromB = """
                 ResolverTests.Cart:b (registered at Shop/App.swift:11)
              -> ResolverTests.Receipt:b to a (registered at Shop/App.swift:21)
              -> ResolverTests.Cart:a (registered at Shop/App.swift:10)
              -> ResolverTests.Receipt:a to b (registered at Shop/App.swift:20)
              -> ResolverTests.Cart:b (registered at Shop/App.swift:11)
            """
        #expect(text.contains(fromA) || text.contains(fromB), "\(text)")
    }

    // MARK: Arguments

    private func withArguments<Value>(_ get: @escaping @Sendable (Resolver.Args) throws -> Value) -> Resolver {
        let resolver = Resolver()
        resolver.register(name: "page", fileID: "Shop/App.swift", line: 10) { _, args -> Cart in
            _ = try get(args)
            return Cart()
        }
        return resolver
    }

    @Test func `the message for a missing argument`() throws {
        try expect("argument-none", Cart.self, "page", in: withArguments { try $0.tryGet() as Int })
    }

    @Test func `the message for an argument of another type`() throws {
        try expect("argument-type", Cart.self, "page", args: "three", in: withArguments { try $0.tryGet() as Int })
    }

    @Test func `the message for a missing keyed argument`() throws {
        try expect(
            "argument-key", Cart.self, "page", args: ["title": "News", "color": "red"],
            in: withArguments { try $0.tryGet("size") as Int })
    }

    @Test func `the message for a keyed argument of another type`() throws {
        try expect(
            "argument-key-type", Cart.self, "page", args: ["size": "large"],
            in: withArguments { try $0.tryGet("size") as Int })
    }

    @Test func `the message for an unkeyed read of several arguments`() throws {
        try expect(
            "argument-ambiguous", Cart.self, "page", args: ["width": 1, "height": 2],
            in: withArguments { try $0.tryGet() as Int })
    }

    @Test func `the message for a scopeOnArguments argument that is not Hashable`() throws {
        let resolver = resolver()
        resolver.register(name: "page", fileID: "Shop/App.swift", line: 10) { Cart() }
            .scope(.cached).scopeOnArguments()
        try expect("argument-not-hashable", Cart.self, "page", args: Receipt(), in: resolver)
    }

    // MARK: Errors without a caller

    @Test func `the message for a release hook that threw`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            let resolver = Resolver()
            resolver.register(name: "guest", fileID: "Shop/App.swift", line: 10) { Cart() }
                .scope(.cached).onRelease { _ in throw Network() }
            _ = resolver.resolve(Cart.self, name: "guest")
            resolver.reset(.scopes)
        }
        let text = try result.errorText
        try expectGolden(String(text.drop(while: \.isNewline).dropLast(text.hasSuffix("\n") ? 1 : 0)), "release-threw")
    }

    // MARK: Traps

    @Test func `resolve traps with a text that begins like that of version 1 5 1`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            let resolver = Resolver(fileID: "Shop/App.swift", line: 3)
            resolver.register(fileID: "Shop/App.swift", line: 10) { Order() }
            _ = resolver.resolve(Cart.self, name: "guest", fileID: "Shop/Page.swift", line: 7)
        }
        let text = try result.errorText
        #expect(
            text.hasPrefix(
                "Shop/Page.swift:7: Fatal error: RESOLVER: 'Cart:guest' not resolved. "
                    + "To disambiguate optionals use resolver.optional().\n"))
        #expect(text.contains("Suggestions:") == false)
        #expect(text.contains("Path:\n     ResolverTests.Cart:guest\n"))
    }

    @Test func `a missing optional prints nothing to standard error`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Child.mustEnd()
            _ = Resolver().optional(Cart.self)
        }
        #expect(try result.errorText == "")
    }
}
