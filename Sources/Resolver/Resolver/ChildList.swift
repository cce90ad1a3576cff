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

    /// Calls `body` with each resolver below, until it answers something.
    @inline(__always)
    func search<Found>(_ body: (Resolver) -> Found?) -> Found? {
        let version = version.load()
        if version == .max { return nil }
        if version != ChildList.additions.load() { refresh() }
        guard let order = Unmanaged<SearchOrder>.fromWord(orderWord.load()) else { return nil }
        return order._withUnsafeGuaranteedRef { order in
            for resolver in order.resolvers {
                if let found = resolver._withUnsafeGuaranteedRef(body) { return found }
            }
            return nil
        }
    }

    /// Makes the order anew. One that has not changed is kept, so that children added elsewhere cost no memory here.
    @inline(never)
    private func refresh() {
        ChildList.writing.lock()
        defer { ChildList.writing.unlock() }
        var resolvers: [Unmanaged<Resolver>] = []
        var seen: Set<ObjectIdentifier> = []
        var pending = Array(children.reversed())
        while let resolver = pending.popLast() {
            guard seen.insert(ObjectIdentifier(resolver)).inserted else { continue }
            resolvers.append(Unmanaged.passUnretained(resolver))
            pending += resolver.children.children.reversed()
        }
        let old = Unmanaged<SearchOrder>.fromWord(orderWord.load())
        let isSame = old?.takeUnretainedValue().resolvers.elementsEqual(resolvers) { $0.toOpaque() == $1.toOpaque() }
        if isSame != true {
            let order = SearchOrder(resolvers, previous: old?.takeRetainedValue())
            orderWord.store(Unmanaged.passRetained(order).word)
        }
        version.store(ChildList.additions.load())
    }
}
