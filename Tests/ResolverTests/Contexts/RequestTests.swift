import Resolver
import Testing

/// What belongs to one request, while many are served at once.
@Suite struct RequestTests {
    final class Context: Sendable {
        let id: String
        init(_ id: String) { self.id = id }
    }

    typealias Journal = Holder<String>

    final class Transaction: Sendable {
        let context: Context
        private let ended: Box<Int>

        init(_ context: Context, _ ended: Box<Int>) { (self.context, self.ended) = (context, ended) }

        deinit { ended.increment() }
    }

    struct Counts: Sendable { let made = Box(0), ended = Box(0) }

    /// Registers for the current request, and uses what it has registered. All is right if it answers true.
    private static func serve(_ id: String, _ counts: Counts) async throws -> Bool {
        await Task.yield()
        await Resolver.registerAsyncScoped(Context.self, scope: .request) {
            await yielding(counts.made.counting(Context(id)))
        }
        await Task.yield()
        await Resolver.registerScoped(Journal.self, scope: .request) { Journal(id) }
        await Resolver.registerAsyncScoped(Transaction.self, scope: .request) {
            Transaction(try await Resolver.resolveAsync(), counts.ended)
        }
        await Task.yield()
        let context: Context = try await Resolver.resolveAsync()
        let journal: Journal = Resolver.resolve()
        await Task.yield()
        let transaction: Transaction = try await Resolver.resolveAsync()
        await Task.yield()
        guard try await Resolver.optionalAsync(Counts.self) == nil else { return false }
        return context.id == id && journal.part == id && transaction.context === context
            && Resolver.resolve(Journal.self) === journal && Resolver.existing(Transaction.self) === transaction
            && ScopeContext.shared.currentID(for: .request) == "request \(id)"
    }

    @Test(arguments: [false, true])
    func `concurrent handlers that set and clear or run in closures are isolated`(_ isClosure: Bool) async throws {
        let counts = Counts(), rounds = isClosure ? 1 : Sanitizer.rounds(50)
        for _ in 0..<rounds {
            let areRight = try await Tasks.results(200) { number in
                let id = "\(isClosure) \(number)"
                guard isClosure else {
                    ScopeContext.shared.setCurrent(.request, id: "request \(id)")
                    defer { ScopeContext.shared.clear(.request) }
                    return try await RequestTests.serve(id, counts)
                }
                return try await Resolver.withScope(.request, id: "request \(id)") {
                    guard try await RequestTests.serve(id, counts) else { return false }
                    async let context: Context = Resolver.resolveAsync()
                    async let journal = Resolver.resolve(Journal.self)
                    return try await [context.id, journal.part] == [id, id]
                }
            }
            #expect(areRight.allSatisfy { $0 })
        }
        #expect(counts.made.value == rounds * 200)
        #expect(counts.ended.value == rounds * 200)
        let open = ScopeContext.shared.openScopes().filter { $0.kind == .request }
        #expect(!open.contains { $0.id.hasPrefix("request \(isClosure) ") })
    }
}
