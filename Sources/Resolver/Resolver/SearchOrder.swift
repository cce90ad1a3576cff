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
