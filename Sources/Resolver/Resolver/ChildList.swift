/// The children of a resolver, and the order of all resolvers below it.
///
/// `@unchecked Sendable`: `children` is guarded by `writing`; `order` and `version` are atomic. The word `order` holds a
/// reference, and an order keeps its predecessors, so an order once read stays as long as the list does.
final class ChildList: @unchecked Sendable {
    /// Counts every `add(child:)` in the process: an order is valid for the count it was made at.
    private static let additions = AtomicWord(1)
    private static let writing = Lock()

    private var children: [Resolver]
    private let orderWord = AtomicWord(0)
    private let version = AtomicWord(0)

    init(_ children: [Resolver]) {
        self.children = children
        if children.isEmpty { version.store(.max) }
    }

    deinit {
        Unmanaged<SearchOrder>.fromWord(orderWord.load())?.release()
        orderWord.deallocate()
        version.deallocate()
    }

    func append(_ child: Resolver) {
        ChildList.writing.lock()
        children.append(child)
        version.store(0)
        _ = ChildList.additions.add(1)
        ChildList.writing.unlock()
    }

    /// Calls `body` with the resolvers below `owner`, whose children these are, until it answers something.
    ///
    /// - Parameter isolated: with those whose instances an isolating resolver keeps, or with the others.
    @inline(__always)
    func search<Found>(below owner: Resolver, isolated: Bool, _ body: (Resolver) -> Found?) -> Found? {
        withOrder(below: owner) { order in
            for index in isolated ? order.reach..<order.resolvers.count : 0..<order.reach {
                if let found = order.resolvers[index]._withUnsafeGuaranteedRef(body) { return found }
            }
            return nil
        }
    }

    /// The isolating resolver that keeps what is made for the resolver with this home, when `owner` is asked.
    func keeper(of home: ResolverHome, below owner: Resolver) -> ResolverHome? {
        withOrder(below: owner) { order in
            for index in order.reach..<order.resolvers.count {
                if order.resolvers[index]._withUnsafeGuaranteedRef({ $0.home === home }) {
                    return order.keepers[index]?._withUnsafeGuaranteedRef { $0.home }
                }
            }
            return nil
        }
    }

    @inline(__always)
    private func withOrder<Result>(below owner: Resolver, _ body: (SearchOrder) -> Result?) -> Result? {
        let version = version.load()
        if version == .max { return nil }
        if version != ChildList.additions.load() { refresh(below: owner) }
        return Unmanaged<SearchOrder>.fromWord(orderWord.load())?._withUnsafeGuaranteedRef(body)
    }

    /// Makes the order anew. One that has not changed is kept, so that children added elsewhere cost no memory here.
    @inline(never)
    private func refresh(below owner: Resolver) {
        ChildList.writing.lock()
        defer { ChildList.writing.unlock() }
        var found: [(resolver: Unmanaged<Resolver>, keeper: Unmanaged<Resolver>?)] = []
        var seen: Set<ObjectIdentifier> = []
        var pending: [(resolver: Resolver, keeper: Unmanaged<Resolver>?)] = []
        func visit(_ resolver: Resolver, _ keeper: Unmanaged<Resolver>?) {
            // The first isolating resolver on the way keeps, whatever comes below it.
            let keeper = keeper ?? (resolver.isIsolating ? Unmanaged.passUnretained(resolver) : nil)
            if resolver !== owner { found.append((Unmanaged.passUnretained(resolver), keeper)) }
            pending += resolver.children.children.reversed().map { ($0, keeper) }
        }
        seen.insert(ObjectIdentifier(owner))
        visit(owner, nil)
        while let (resolver, keeper) = pending.popLast() {
            if seen.insert(ObjectIdentifier(resolver)).inserted { visit(resolver, keeper) }
        }
        let old = Unmanaged<SearchOrder>.fromWord(orderWord.load())
        if old?._withUnsafeGuaranteedRef({ $0.isMade(of: found) }) != true {
            let order = SearchOrder(found, previous: old?.takeRetainedValue())
            orderWord.store(Unmanaged.passRetained(order).word)
        }
        version.store(ChildList.additions.load())
    }
}
