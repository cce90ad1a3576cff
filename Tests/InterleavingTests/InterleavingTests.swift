import Testing

/// Explores what threads do with slots, tables, cells and waits.
///
/// One after the other: there is one explorer at a time, and one wait graph.
@Suite(
    .serialized,
    .disabled(if: Sanitizer.current != nil, "one thread runs at a time: there is no race to see"))
struct InterleavingTests {}
