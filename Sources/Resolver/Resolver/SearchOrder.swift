/// The resolvers below one resolver, in the order in which they are searched: depth first, each once.
///
/// Unretained: children are never removed, so all of them live as long as the resolver whose order this is.
final class SearchOrder: @unchecked Sendable {
    let resolvers: [Unmanaged<Resolver>]
    /// The order this one replaced: a thread may still be reading it.
    let previous: SearchOrder?

    init(_ resolvers: [Unmanaged<Resolver>], previous: SearchOrder?) {
        self.resolvers = resolvers
        self.previous = previous
    }
}
