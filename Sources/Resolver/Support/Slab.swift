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

    /// Frees an index, once.
    ///
    /// - Returns: the element, to be released outside the lock.
    mutating func remove(at index: Int) -> Element? {
        free.append(index)
        let old = elements[index]
        elements[index] = nil
        return old
    }

    /// All elements, in no particular order.
    var all: [Element] { elements.compactMap { $0 } }
}
