/// The resolvers below one resolver, in the order in which they are searched: depth first, each once.
///
/// Unretained: children are never removed, so all of them live as long as the resolver whose order this is.
final class SearchOrder: @unchecked Sendable {
    let resolvers: [Unmanaged<Resolver>]
    /// For each, the isolating resolver that keeps what is made for it, if there is one on the way.
    let keepers: [Unmanaged<Resolver>?]
    /// How many, from the first, have none.
    let reach: Int
    /// The order this one replaced: a thread may still be reading it.
    let previous: SearchOrder?

    init(_ found: [(resolver: Unmanaged<Resolver>, keeper: Unmanaged<Resolver>?)], previous: SearchOrder?) {
        resolvers = found.map(\.resolver)
        keepers = found.map(\.keeper)
        reach = found.firstIndex { $0.keeper != nil } ?? found.count
        self.previous = previous
    }

    func isMade(of found: [(resolver: Unmanaged<Resolver>, keeper: Unmanaged<Resolver>?)]) -> Bool {
        resolvers.map { $0.toOpaque() } == found.map { $0.resolver.toOpaque() }
            && keepers.map { $0?.toOpaque() } == found.map { $0.keeper?.toOpaque() }
    }
}
