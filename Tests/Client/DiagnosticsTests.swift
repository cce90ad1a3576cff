import Resolver
import ResolverDiagnostics
import ResolverTesting
import Testing

// This file is compiled in Swift 5 mode, in Swift 6, and in Swift 6 on the main actor.

nonisolated final class CheckedCart: Sendable {
    let network: any Document
    init(network: any Document) { self.network = network }
}
@MainActor final class CheckedModel {
    let cart: CheckedCart
    init(cart: CheckedCart) { self.cart = cart }
}

@Suite(.resolver) struct DiagnosticsTests {
    init() {
        // Removes the registrations of other tests in the process.
        Resolver.main = Resolver()
        Resolver.root = .main
        Resolver.register { () throws -> any Document in throw Unplugged() }.scope(.application)
        Resolver.register { (_: Resolver, args: Resolver.Args) throws -> Sign in try Sign(label: args.tryGet()) }
        Resolver.register { Leaf() }
        Resolver.autoregister(CheckedCart.init(network:)).scope(.cached)
        Resolver.autoregister(CheckedModel.init(cart:))
    }

    @Test func `verify finds no problem and explain names the dependents`() throws {
        try expect(Resolver.verify().problems.isEmpty)
        expect(Resolver.explain(CheckedCart.self).contains("is needed by"))
    }

    @Test func `a rehearsal creates all services but the skipped ones`() async throws {
        let report = try await Resolver.rehearse { rehearsal in
            rehearsal.stub { Note() as any Document }
            rehearsal.arguments("news", for: Sign.self)
            rehearsal.skip(Leaf.self, because: "charges a card")
        }
        expect(report.notCreated.count, is: 1)
    }

    /// Short: a recording notes what all tests of the process create meanwhile.
    @Test func `a recording notes the services that are created`() {
        let recording = Resolver.recordWiring()
        _ = Resolver.resolve(Leaf.self)
        expect(!recording.wiring.services.isEmpty)
    }

    @Test func `a rehearsal throws a report if a factory fails`() async {
        await #expect(throws: WiringReport.self) { try await Resolver.rehearse() }
    }

    @Test func `a default is registered if the service is not registered`() {
        Resolver.register(ifAbsent: (any Document).self) { Note() }
        Resolver.register(ifAbsent: Note.self) { _ in Note() }.scope(.cached)
        expect(Resolver.isRegistered(Note.self))
    }
}
