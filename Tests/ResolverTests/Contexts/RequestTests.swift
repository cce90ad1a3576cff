import Resolver
import Testing

/// What belongs to one request, while many are served at once.
@Suite struct RequestTests {
    final class Context: Sendable {
        let id: String

        init(_ id: String) {
            self.id = id
        }

        static func create(_ id: String) async -> Context {
            await Task.yield()
            return Context(id)
        }
    }

    final class Journal: Sendable {
        let id: String

        init(_ id: String) {
            self.id = id
        }
    }

    final class Transaction: Sendable {
        let context: Context
        private let ended: Box<Int>

        init(_ context: Context, _ ended: Box<Int>) {
            self.context = context
            self.ended = ended
        }

        deinit { ended.increment() }
    }

    struct Counts: Sendable {
        let made = Box(0), ended = Box(0)
    }

    /// Registers for the current request, and uses what it has registered. All is right if it answers true.
    private static func serve(_ id: String, _ counts: Counts) async throws -> Bool {
        await Task.yield()
        await Resolver.registerAsyncScoped(Context.self, scope: .request) {
            counts.made.increment()
            return await Context.create(id)
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
        return context.id == id && journal.id == id && transaction.context === context
            && Resolver.resolve(Journal.self) === journal && Resolver.existing(Transaction.self) === transaction
            && ScopeContext.shared.currentID(for: .request) == "request \(id)"
    }

    private func all(
        _ count: Int, _ handle: @escaping @Sendable (String) async throws -> Bool
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count { group.addTask { try await handle("\(number)") } }
            return try await group.allSatisfy { $0 }
        }
    }

    @Test func `handlers that set and clear are isolated from each other in one task group`() async throws {
        let counts = Counts()
        for _ in 0..<50 {
            let isRight = try await all(200) { id in
                ScopeContext.shared.setCurrent(.request, id: "request \(id)")
                defer { ScopeContext.shared.clear(.request) }
                return try await RequestTests.serve(id, counts)
            }
            #expect(isRight)
        }
        #expect(counts.made.value == 50 * 200)
        #expect(counts.ended.value == 50 * 200)
        #expect(!ScopeContext.shared.openScopes().contains { $0.kind == .request && $0.id.hasPrefix("request ") })
    }

    @Test func `so are handlers in a closure with their child tasks`() async throws {
        let counts = Counts()
        let isRight = try await all(200) { id in
            try await Resolver.withScope(.request, id: "request \(id)") {
                guard try await RequestTests.serve(id, counts) else { return false }
                async let context: Context = Resolver.resolveAsync()
                async let journal = Resolver.resolve(Journal.self)
                let ids = try await [context.id, journal.id]
                return ids == [id, id]
            }
        }
        #expect(isRight)
        #expect(counts.made.value == 200)
        #expect(counts.ended.value == 200)
    }

    @Test func `a child task of a handler that sets sees no request rather than another's`() async throws {
        let isRight = try await all(50) { id in
            ScopeContext.shared.setCurrent(.request, id: id)
            defer { ScopeContext.shared.clear(.request) }
            async let seen = ScopeContext.shared.currentID(for: .request)
            return await seen == nil && ScopeContext.shared.currentID(for: .request) == id
        }
        #expect(isRight)
    }

    @Test func `nor does it inside a closure of another kind`() async throws {
        let isRight = try await all(50) { id in
            await Resolver.withScope(.screen, id: "around \(id)") {
                ScopeContext.shared.setCurrent(.request, id: id)
                async let seen = ScopeContext.shared.currentID(for: .request)
                return await seen == nil && ScopeContext.shared.currentID(for: .request) == id
            }
        }
        #expect(isRight)
    }

    @Test func `in a boundary child tasks see what the handler has set`() async throws {
        let isRight = try await all(50) { id in
            await ScopeContext.boundary {
                ScopeContext.shared.setCurrent(.request, id: "in a boundary " + id)
                async let seen = ScopeContext.shared.currentID(for: .request)
                return await seen == "in a boundary " + id
            }
        }
        #expect(isRight)
        #expect(!ScopeContext.shared.openScopes().contains { $0.id.hasPrefix("in a boundary") })
    }

    @Test func `one is made for all tasks of a request`() async throws {
        let made = Box(0), resolver = Resolver()
        resolver.register { () -> Context in
            made.increment()
            return await Context.create("one")
        }.scoped(to: .request)
        resolver.register { Journal("\(made.increment())") }.scoped(to: .request)
        try await Resolver.withScope(.request, id: "many tasks") {
            let contexts = try await withThrowingTaskGroup(of: Context.self) { group in
                for _ in 0..<64 { group.addTask { try await resolver.resolveAsync() } }
                return try await group.reduce(into: Set()) { $0.insert(ObjectIdentifier($1)) }
            }
            #expect(contexts.count == 1)
            let journals = await withTaskGroup(of: Journal.self) { group in
                for _ in 0..<64 { group.addTask { resolver.resolve() } }
                return await group.reduce(into: Set()) { $0.insert(ObjectIdentifier($1)) }
            }
            #expect(journals.count == 1)
        }
        #expect(made.value == 2)
    }

    @Test func `two requests with one id are two`() async throws {
        let resolver = Resolver()
        resolver.register { Journal("same") }.scoped(to: .request)
        let first = await Resolver.withScope(.request, id: "same") { resolver.resolve(Journal.self) }
        let inner = await Resolver.withScope(.request, id: "same") {
            let outer = resolver.resolve(Journal.self)
            let inner = await Resolver.withScope(.request, id: "same") { resolver.resolve(Journal.self) }
            #expect(resolver.resolve(Journal.self) === outer)
            return inner !== outer && outer !== first
        }
        #expect(inner)
    }

    @Test func `the scope ends however its closure is left`() async throws {
        struct Failure: Error {}
        let ended = Box(0), resolver = Resolver()
        resolver.register { Transaction(Context("left"), ended) }.scoped(to: .request)
        _ = await Resolver.withScope(.request, id: "left") { resolver.resolve(Transaction.self) }.context
        #expect(ended.value == 1)
        await #expect(throws: Failure.self) {
            try await Resolver.withScope(.request, id: "left") { () throws(Failure) in
                _ = resolver.resolve(Transaction.self)
                throw Failure()
            }
        }
        #expect(ended.value == 2)
        await Resolver.withScope(.request, id: "left") {
            ScopeContext.shared.setCurrent(.request, id: "left open")
            await Task.yield()
            _ = resolver.resolve(Transaction.self)
        }
        #expect(ended.value == 3)
        let task = Task {
            await Resolver.withScope(.request, id: "left") {
                _ = resolver.resolve(Transaction.self)
                withUnsafeCurrentTask { $0?.cancel() }
                await Task.yield()
            }
        }
        await task.value
        #expect(ended.value == 4)
        #expect(!ScopeContext.shared.openScopes().contains { $0.id.hasPrefix("left") })
    }

    @Test func `on a thread a request is the thread's own`() {
        let seen = Box<Set<String>>([])
        Threads.run(8) { number in
            ScopeContext.shared.setCurrent(.request, id: "thread \(number)")
            defer { ScopeContext.shared.clear(.request) }
            if let id = ScopeContext.shared.currentID(for: .request) { seen.update { _ = $0.insert(id) } }
        }
        #expect(seen.value == Set((0..<8).map { "thread \($0)" }))
    }
}
