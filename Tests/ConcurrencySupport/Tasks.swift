/// Child tasks that run at the same time.
package enum Tasks {
    /// Returns what `body` returns in each of some child tasks, which it is told the number of, in the order in which they end.
    /// Throws what the first of them throws.
    @discardableResult package static func results<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (_ index: Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for index in 0..<count { group.addTask { try await body(index) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
