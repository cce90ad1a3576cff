/// Elements at indices that are handed out one by one: part of a state behind a lock. It takes less time and less code than a dictionary.
/// An index that has been freed is used again.
struct Slab<Element> {
    private var elements: [Element?] = []
    private var free: [Int] = []

    /// Room for one element, at an index that stays free for it.
    mutating func reserve() -> Int {
        if let index = free.popLast() { return index }
        elements.append(nil)
        return elements.count - 1
    }

    mutating func put(_ element: Element, at index: Int) {
        elements[index] = element
    }

    /// - Returns: the index at which it is now.
    mutating func insert(_ element: Element) -> Int {
        let index = reserve()
        put(element, at: index)
        return index
    }

    /// Frees an index, once.
    ///
    /// - Returns: the element, to be released outside the lock.
    mutating func remove(at index: Int) -> Element? {
        free.append(index)
        let old = elements[index]
        elements[index] = nil
        return old
    }

    /// Takes the element out; its index stays reserved.
    mutating func take(at index: Int) -> Element? {
        elements[index].take()
    }

    /// Takes all elements out; their indices stay reserved.
    mutating func removeAll() -> [Element] {
        let old = all
        for index in elements.indices { elements[index] = nil }
        return old
    }

    /// All elements, in no particular order.
    var all: [Element] { elements.compactMap { $0 } }

    /// The elements that are meant, in no particular order.
    func all(where isMeant: (Element) -> Bool) -> [Element] {
        var found: [Element] = []
        for case let element? in elements where isMeant(element) { found.append(element) }
        return found
    }
}
