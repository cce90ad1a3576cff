/// Elements at indices that are allocated one by one and reused once freed.
///
/// Part of a state behind a lock. It is faster and compiles to less code than a dictionary.
struct Slab<Element> {
    private var elements: [Element?] = []
    private var free: [Int] = []

    /// Reserves an index for one element. It stays empty until `put`.
    mutating func reserve() -> Int {
        if let index = free.popLast() { return index }
        elements.append(nil)
        return elements.count - 1
    }

    mutating func put(_ element: Element, at index: Int) {
        elements[index] = element
    }

    /// Adds an element at a new index.
    ///
    /// - Returns: the index of the element.
    mutating func insert(_ element: Element) -> Int {
        let index = reserve()
        put(element, at: index)
        return index
    }

    /// Frees an index. Call it once for each index.
    ///
    /// - Returns: the element. The caller releases it outside the lock.
    mutating func remove(at index: Int) -> Element? {
        // The last index needs no entry in `free`, so a slab of one element allocates none.
        if index == elements.count - 1 { return elements.removeLast() }
        free.append(index)
        let old = elements[index]
        elements[index] = nil
        return old
    }

    /// Removes and returns the element at an index, which stays reserved.
    mutating func take(at index: Int) -> Element? {
        elements[index].take()
    }

    /// Removes and returns all elements. Their indices stay reserved.
    mutating func removeAll() -> [Element] {
        let old = all
        for index in elements.indices { elements[index] = nil }
        return old
    }

    /// Whether no index is in use.
    var isEmpty: Bool { elements.count == free.count }

    /// All elements, in no particular order.
    var all: [Element] { elements.compactMap { $0 } }

    /// Returns the elements that `isMeant` selects, in no particular order.
    func all(where isMeant: (Element) -> Bool) -> [Element] {
        var found: [Element] = []
        for case let element? in elements where isMeant(element) { found.append(element) }
        return found
    }
}
