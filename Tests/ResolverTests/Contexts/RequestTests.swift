import Resolver
import Testing

/// What belongs to one request, while many are served at once.
@Suite struct RequestTests {
    private typealias Info = Holder<String>

    private final class Transaction: Sendable {
        let info: Info, alive: Counted
        init(_ info: Info, _ alive: Box<Int>) { (self.info, self.alive) = (info, Counted(alive)) }
    }

    private let made = Box(0), alive = Box(0)

    /// Registers for the current request, and returns whether the request has what it has registered.
    @Sendable private func serve(_ id: String) async throws -> Bool {
        await Task.yield()
        await Resolver.registerAsyncScoped(Info.self, scope: .request) { [made] in
            await yielding(made.counting(Info(id)))
        }
        await Task.yield()
        await Resolver.registerAsyncScoped(Transaction.self, scope: .request) { [alive] in
            Transaction(try await Resolver.resolveAsync(), alive)
        }
        await Task.yield()
        let info: Info = try await Resolver.resolveAsync()
        await Task.yield()
        let transaction: Transaction = try await Resolver.resolveAsync()
        await Task.yield()
        async let ofChild = Resolver.existing(Info.self)
        let isSeenByChild = await ofChild === info
        return info.part == id && transaction.info === info && Resolver.existing(Transaction.self) === transaction
            && ScopeContext.shared.currentID(for: .request) == id && (isSeenByChild || !id.hasPrefix("closure"))
    }

    @Test(arguments: ["by hand", "closure"])
    func `concurrent handlers that set and clear or run in closures are isolated`(_ form: String) async throws {
        let rounds = form == "closure" ? 1 : Sanitizer.rounds(50)
        for _ in 0..<rounds {
            let areRight = try await Tasks.results(200) { number in
                let id = "\(form) \(number)"
                if form == "closure" { return try await Resolver.withScope(.request, id: id) { try await serve(id) } }
                ScopeContext.shared.setCurrent(.request, id: id)
                defer { ScopeContext.shared.clear(.request) }
                return try await serve(id)
            }
            #expect(areRight.allSatisfy { $0 })
        }
        #expect(made.value == rounds * 200)
        #expect(alive.value == 0)
        #expect(!ScopeContext.shared.openScopes().contains { $0.kind == .request && $0.id.hasPrefix(form) })
    }
}
