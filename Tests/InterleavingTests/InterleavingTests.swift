import Testing

/// Explores interleavings of slots, tables, cells and waits.
///
/// The tests run one after the other: there is one explorer at a time, and one wait graph.
@Suite(.serialized, .disabled(if: Sanitizer.current != nil, "one thread runs at a time: there is no race to see"))
struct InterleavingTests {}
