import Testing

// In place of `#expect`, which costs the compiler about 20 ms for each use. It was a third of the time in which the tests are built.

/// Records an issue unless the condition is true.
nonisolated func expect(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    if !condition { fail("The condition is false", comment(), sourceLocation) }
}

/// Records an issue with both values unless they are equal.
nonisolated func expect<Value: Equatable>(
    _ found: Value, is expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    if found != expected { fail("\(found) is not \(expected)", comment(), sourceLocation) }
}

/// Records an issue with the value unless it is nil.
nonisolated func expect<Value>(
    _ found: Value?, is nothing: _OptionalNilComparisonType, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    if let found { fail("\(found) is not nil", comment(), sourceLocation) }
}

nonisolated private func fail(_ text: String, _ comment: Comment?, _ location: Testing.SourceLocation) {
    Issue.record(comment.map { "\(text): \($0)" } ?? "\(text)", sourceLocation: location)
}
