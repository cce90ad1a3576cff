import Resolver
import Testing

/// Code of no actor that runs on that of its caller is still there after it was suspended.
@Suite struct StayingTests {
    @globalActor private actor Desk {
        static let shared = Desk()
    }

    private final class OfTheDesk: Sendable {}

    /// Has no isolation of its own, and no closure in it has.
    private final class Clerk {
        private let resolver = Resolver()
        private(set) var papers = 0

        init() {
            resolver.register { @Desk in OfTheDesk() }
        }

        /// Whether the running code is on the actor.
        private var isAtTheDesk: Bool { (try? resolver.tryResolve(OfTheDesk.self)) != nil }

        private nonisolated(nonsending) func work() async -> Bool {
            papers += 1
            await Task.yield()
            papers += 1
            return isAtTheDesk
        }

        nonisolated(nonsending) func inScope() async -> [Bool] {
            let kind = ScopeKind("staying", rank: 10, binding: .execution)
            return await [Resolver.withScope(kind, id: "1") { await work() }, isAtTheDesk]
        }

        nonisolated(nonsending) func inBoundary() async -> [Bool] {
            await [ScopeContext.boundary { await work() }, isAtTheDesk]
        }

        nonisolated(nonsending) func inHandle() async -> [Bool] {
            let handle = ScopeContext.shared.open(.request, id: "2")
            defer { handle.end() }
            return await [handle.run { await work() }, isAtTheDesk]
        }

        nonisolated(nonsending) func whileReplacing() async throws -> [Bool] {
            let kind = ScopeKind("staying, replaced", rank: 11, binding: .process)
            defer { ScopeContext.shared.clear(kind) }
            return try await [ScopeContext.shared.replaceCurrent(kind, id: "3") { await work() }, isAtTheDesk]
        }

        nonisolated(nonsending) func withRoot() async -> [Bool] {
            await [
                Resolver.withRoot(resolver) { await work() }, isAtTheDesk, resolver.run { await work() }, isAtTheDesk,
            ]
        }

        nonisolated(nonsending) func throwing() async -> [Bool] {
            var inside = false
            do {
                try await Resolver.withRoot(resolver) { () async throws(CancellationError) in
                    inside = await work()
                    throw CancellationError()
                }
                return []
            } catch {
                return [inside, isAtTheDesk]
            }
        }

        /// The block that completes an instance runs after its asynchronous factory.
        nonisolated(nonsending) func completing() async throws -> [Bool] {
            let asked = Box<[Bool]>([])
            resolver.register { () async -> Leaf in
                await Task.yield()
                return Leaf()
            }
            .scope(.unique).resolveProperties { resolver, _ in
                asked.append((try? resolver.tryResolve(OfTheDesk.self)) != nil)
            }
            _ = try await resolver.resolveAsync(Leaf.self)
            return asked.value + [isAtTheDesk]
        }
    }

    @Test @Desk func `in a scope`() async {
        #expect(await Clerk().inScope() == [true, true])
    }

    @Test @Desk func `in a boundary`() async {
        #expect(await Clerk().inBoundary() == [true, true])
    }

    @Test @Desk func `in a handle`() async {
        #expect(await Clerk().inHandle() == [true, true])
    }

    @Test @Desk func `while a scope is replaced`() async throws {
        #expect(try await Clerk().whileReplacing() == [true, true])
    }

    @Test @Desk func `with another root`() async {
        #expect(await Clerk().withRoot() == [true, true, true, true])
    }

    @Test @Desk func `where it throws`() async {
        #expect(await Clerk().throwing() == [true, true])
    }

    @Test @Desk func `while an instance is completed`() async throws {
        #expect(try await Clerk().completing() == [true, true])
    }
}
