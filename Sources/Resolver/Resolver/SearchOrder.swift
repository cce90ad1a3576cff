/// The resolvers below one resolver in search order: depth first, each once.
///
/// A linked list that grows in place. A node is added by storing its address in the node before it, so searches need no lock.
/// A node that is taken out keeps its successor, for searches that have reached the node, and is freed with the list.
/// Resolvers are not retained: children are never removed, so all of them live as long as the resolver that has this order.
struct SearchOrder {
    /// A resolver, the isolating resolver that keeps its instances, the next node, the node created before, and the row of the
    /// resolver's table.
    struct Node {
        fileprivate let words: AtomicWord

        /// The number of words of a node.
        static var size: Int { 5 }

        /// Creates a node in words that are zero.
        init(in words: AtomicWord, _ resolver: Unretained<Resolver>, isolating: Unretained<Resolver>?) {
            self.words = words
            words.constant = resolver.word
            words.next(1).constant = isolating?.word ?? 0
            words.next(4).constant = resolver.use { $0.table.row.number }
        }

        @inline(__always)
        init(at words: AtomicWord) { self.words = words }

        @inline(__always)
        fileprivate init?(address: UInt64) {
            guard let words = AtomicWord(address: address) else { return nil }
            self.words = words
        }

        @inline(__always)
        var resolver: Unretained<Resolver> { Unretained(present: words.constant) }

        /// The isolating resolver that keeps the instances; nil if the resolver keeps them itself.
        @inline(__always)
        var isolating: Unretained<Resolver>? { Unretained(word: words.next(1).constant) }

        @inline(__always)
        var next: Node? { Node(address: nextWord.load()) }

        /// The row of the resolver's table. Without it, a search would load two more addresses for each resolver, one after the other.
        @inline(__always)
        var row: AtomicWord { AtomicWord(present: words.next(4).constant) }

        fileprivate var nextWord: AtomicWord { words.next(2) }
        fileprivate var address: UInt64 { words.number }
    }

    typealias Entry = (resolver: Unretained<Resolver>, isolating: Unretained<Resolver>?)

    /// The address of the first node.
    private let head: AtomicWord
    /// The node created last. All nodes are chained by age, so that they can be freed.
    private var last: UInt64 = 0

    /// - Parameter head: a word with the value zero.
    init(head: AtomicWord) { self.head = head }

    @inline(__always)
    static func first(_ head: AtomicWord) -> Node? { Node(address: head.load()) }

    /// Updates the list to `entries`.
    ///
    /// Concurrent searches reach the end, but may miss a resolver that has moved forward; `ChildList` repeats such a search. A
    /// resolver never moves backward, because children are only added at the end.
    mutating func update(_ entries: [Entry]) {
        var before = head
        var rest = SearchOrder.first(head)
        var isMoved: Set<ObjectIdentifier> = []
        for entry in entries {
            while let node = rest, isMoved.contains(ObjectIdentifier(node.resolver.object)) {
                rest = node.next
                before.store(rest?.address ?? 0)
            }
            if let node = rest, node.resolver == entry.resolver,
                node.isolating == entry.isolating
            {
                (before, rest) = (node.nextWord, node.next)
                continue
            }
            let new = add(entry, before: rest)
            before.store(new.address)
            before = new.nextWord
            isMoved.insert(ObjectIdentifier(entry.resolver.object))
        }
        before.store(0)
    }

    private mutating func add(_ entry: Entry, before next: Node?) -> Node {
        let words = AtomicWord.row(of: Node.size)
        let node = Node(in: words, entry.resolver, isolating: entry.isolating)
        words.next(2).constant = next?.address ?? 0
        words.next(3).constant = last
        last = node.address
        return node
    }

    /// Frees the nodes. No search may be running.
    func deallocate() {
        var node = Node(address: last)
        while let made = node {
            node = Node(address: made.words.next(3).constant)
            made.words.deallocate()
        }
    }
}

/// The children of a resolver, and the search order of all resolvers below it.
///
/// `@unchecked Sendable`: `writing` guards `children` and `order`, and the words are atomic.
final class ChildList: @unchecked Sendable {
    /// The count of `add(child:)` calls in the process. An order stays right while the count does not change. The count is never `stale`.
    private static var additions: UInt64 { ProcessWord.childAdditions.load() &+ 1 }
    private static let writing = Lock()

    private var children: [Resolver]
    private var order: SearchOrder
    /// The first node of the order; the count of additions at which the order was right; the number of children; the number of all
    /// children in the order; and the node of the first child.
    private let words: AtomicWord
    private typealias Storage = (UInt64, UInt64, UInt64, UInt64, node: (UInt64, UInt64, UInt64, UInt64, UInt64))
    /// The storage of the words, reached only through them.
    @exclusivity(unchecked) private var storage: Storage = (0, 0, 0, 0, (0, 0, 0, 0, 0))
    private var head: AtomicWord { words }
    private var version: AtomicWord { words.next(1) }
    private var count: AtomicWord { words.next(2) }
    private var countBelow: AtomicWord { words.next(3) }
    private var firstChild: AtomicWord { words.next(4) }

    /// The version of an order that is being updated or may be wrong.
    private static let stale: UInt64 = 0
    /// The version of a list without children, which needs no order.
    private static let childless = UInt64.max

    init(_ child: Resolver?) {
        children = child.map { [$0] } ?? []
        words = AtomicWord(at: &storage.0)
        order = SearchOrder(head: words)
        if let child { noteFirst(child) } else { version.store(ChildList.childless) }
    }

    deinit {
        order.deallocate()
        if !children.isEmpty { ResolutionCycle.current.releaseInTurn(&children) }
    }

    func append(_ child: Resolver) {
        ChildList.writing.withLock {
            if children.isEmpty { noteFirst(child) }
            children.append(child)
            count.store(UInt64(children.count))
            version.store(ChildList.stale)
            ProcessWord.childAdditions.add(1)
        }
    }

    private func noteFirst(_ child: Resolver) {
        _ = SearchOrder.Node(
            in: firstChild, Unretained(child), isolating: child.isIsolating ? Unretained(child) : nil)
        count.store(1)
    }

    /// Calls `body` with the nodes of the resolvers below `owner` until it returns a value.
    ///
    /// `owner` has these children. `body` may get a resolver twice, and `owner` itself. If `owner` isolates, it keeps the instances,
    /// whatever a node says.
    @inline(__always)
    func search<Found>(below owner: Resolver, _ body: (SearchOrder.Node) -> Found?) -> Found? {
        // A resolver with one child searches the order of that child: most are made for a test or a request, and live too briefly for
        // an order of their own.
        guard count.load() == 1 else { return searchOrder(below: owner, body) }
        let child = SearchOrder.Node(at: firstChild)
        return body(child) ?? child.resolver.use { $0.children.searchOrder(below: $0, body) }
    }

    @inline(__always)
    private func searchOrder<Found>(below owner: Resolver, _ body: (SearchOrder.Node) -> Found?) -> Found? {
        read(below: owner) { first in
            var next = first
            while let node = next {
                if let found = body(node) { return found }
                next = node.next
            }
            return nil
        }
    }

    /// Returns all resolvers below `owner` in search order.
    func all(below owner: Resolver) -> [Resolver] {
        read(below: owner) { first in
            sequence(first: first) { $0?.next }.prefix { $0 != nil }
                .compactMap { $0?.resolver.object }
        } ?? []
    }

    /// Calls `body` with a consistent order. Calls it again if the order was updated meanwhile.
    @inline(__always)
    private func read<Found>(below owner: Resolver, _ body: (SearchOrder.Node?) -> Found?) -> Found? {
        while true {
            var version = version.load()
            if version != ChildList.additions {
                if version == ChildList.childless { return nil }
                version = refresh(below: owner)
            }
            let found = body(SearchOrder.first(head))
            if version == self.version.load() { return found }
            waitForUpdate()
        }
    }

    @inline(never)
    private func waitForUpdate() { ChildList.writing.withLock {} }

    // MARK: The order

    /// Updates the order. Takes no lock if children were added elsewhere only.
    ///
    /// - Returns: the version of the updated order.
    @inline(never)
    private func refresh(below owner: Resolver) -> UInt64 {
        // The number is read before the children are counted. An addition in between then counts as later.
        let additions = ChildList.additions
        var version = version.load()
        if version != ChildList.stale, countOfChildren() == countBelow.load(),
            self.version.replace(&version, by: additions)
        {
            return additions
        }
        return ChildList.writing.withLock { makeOrder(below: owner) }
    }

    /// Returns the number of children below. They are never removed, so the order is right while the number stays.
    private func countOfChildren() -> UInt64 {
        var sum = count.load()
        var next = SearchOrder.first(head)
        while let node = next {
            sum += node.resolver.use { $0.children.count.load() }
            next = node.next
        }
        return sum
    }

    private func makeOrder(below owner: Resolver) -> UInt64 {
        var entries: [SearchOrder.Entry] = []
        var seen: Set<ObjectIdentifier> = []
        var pending: [(resolver: Resolver, isolating: Unretained<Resolver>?)] = []
        func visit(_ resolver: Resolver, _ isolating: Unretained<Resolver>?) {
            // The first isolating resolver on the path keeps the instances of all resolvers below it.
            let isolating = isolating ?? (resolver.isIsolating ? Unretained(resolver) : nil)
            if resolver !== owner { entries.append((Unretained(resolver), isolating)) }
            pending += resolver.children.children.reversed().map { ($0, isolating) }
        }
        seen.insert(ObjectIdentifier(owner))
        visit(owner, nil)
        while let (resolver, isolating) = pending.popLast() {
            if seen.insert(ObjectIdentifier(resolver)).inserted { visit(resolver, isolating) }
        }
        version.store(ChildList.stale)
        order.update(entries)
        countBelow.store(countOfChildren())
        let additions = ChildList.additions
        version.store(additions)
        return additions
    }
}

extension Resolver {
    /// The resolver and all resolvers below it, in search order.
    var searched: [Resolver] { [self] + children.all(below: self) }
}
