/// The resolvers below one resolver, in the order in which they are searched: depth first, each once.
///
/// A list that grows in place: a node is added by storing its address into the one before, so searches need no lock. Nodes
/// that have lost their place keep their own successor, for searches that stand in them, and stay until the list ends.
/// Resolvers are not retained: children are never removed, so all of them live as long as the resolver whose order this is.
struct SearchOrder {
    /// A resolver, the isolating resolver that keeps what is made for it, the next node, and the node that was made before.
    struct Node: Equatable {
        fileprivate let words: AtomicWord

        fileprivate init(words: AtomicWord) {
            self.words = words
        }

        @inline(__always)
        fileprivate init?(address: UInt64) {
            guard let words = AtomicWord(address: address) else { return nil }
            self.words = words
        }

        @inline(__always)
        var resolver: Unretained<Resolver> { Unretained(present: words.constant) }

        /// nil if the resolver keeps its instances itself.
        @inline(__always)
        var keeper: Unretained<Resolver>? { Unretained(word: words.next(1).constant) }

        @inline(__always)
        var next: Node? { Node(address: nextWord.load()) }

        fileprivate var nextWord: AtomicWord { words.next(2) }
        fileprivate var address: UInt64 { words.number }
    }

    typealias Place = (resolver: Unretained<Resolver>, keeper: Unretained<Resolver>?)

    /// The address of the first node.
    private let head: AtomicWord
    /// The node that was made last. They are chained, so that all can be freed.
    private var last: UInt64 = 0

    /// - Parameter head: zero.
    init(head: AtomicWord) {
        self.head = head
    }

    @inline(__always)
    static func first(_ head: AtomicWord) -> Node? { Node(address: head.load()) }

    /// Makes the list what `places` says. Searches that run beside it find their way to the end, but may miss a resolver that
    /// comes earlier than before: `ChildList` has them look again.
    ///
    /// Resolvers come earlier or stay where they are, as children are only ever added at the end.
    mutating func update(_ places: [Place]) {
        var before = head
        var rest = SearchOrder.first(head)
        var isMoved: Set<Unretained<Resolver>> = []
        for place in places {
            while let node = rest, isMoved.contains(node.resolver) {
                rest = node.next
                before.store(rest?.address ?? 0)
            }
            if let node = rest, node.resolver == place.resolver,
                node.keeper == place.keeper
            {
                (before, rest) = (node.nextWord, node.next)
                continue
            }
            let new = add(place, before: rest)
            before.store(new.address)
            before = new.nextWord
            isMoved.insert(place.resolver)
        }
        before.store(0)
    }

    private mutating func add(_ place: Place, before next: Node?) -> Node {
        let words = AtomicWord.row(of: 4)
        words.constant = place.resolver.word
        words.next(1).constant = place.keeper?.word ?? 0
        words.next(2).constant = next?.address ?? 0
        words.next(3).constant = last
        let node = Node(words: words)
        last = node.address
        return node
    }

    /// Frees the nodes. No search runs any more.
    func deallocate() {
        var node = Node(address: last)
        while let made = node {
            node = Node(address: made.words.next(3).constant)
            made.words.deallocate()
        }
    }
}
