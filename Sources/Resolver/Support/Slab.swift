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

    mutating func put(_ element: Element, at index: Int) { elements[index] = element }

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
    mutating func take(at index: Int) -> Element? { elements[index].take() }

    /// Removes and returns all elements. Their indices stay reserved.
    mutating func removeAll() -> [Element] {
        let old = all
        for index in elements.indices { elements[index] = nil }
        return old
    }

    /// Whether no index is in use.
    var isEmpty: Bool { elements.count == free.count }

    var all: [Element] { elements.compactMap { $0 } }

    func forEach(_ body: (Element) -> Void) { for case let element? in elements { body(element) } }

    /// Returns the elements that `isMeant` selects, in no particular order.
    func all(where isMeant: (Element) -> Bool) -> [Element] {
        var found: [Element] = []
        for case let element? in elements where isMeant(element) { found.append(element) }
        return found
    }
}

/// A slab for the process, and one for each test. A test often searches its own slab, and many tests may run at once.
///
/// A test is given by its number. The number of the process is 0.
struct SlabByTest<Element> {
    private var ofProcess = Slab<Element>()
    private var ofTests: [UInt64: Slab<Element>] = [:]

    /// Reserves an index in the slab of a test. It stays empty until `put`.
    mutating func reserve(in test: UInt64) -> Int {
        test == 0 ? ofProcess.reserve() : ofTests[test, default: Slab()].reserve()
    }

    mutating func put(_ element: Element, at index: Int, in test: UInt64) {
        if test == 0 { ofProcess.put(element, at: index) } else { ofTests[test]?.put(element, at: index) }
    }

    /// Frees an index. Call it once for each index.
    ///
    /// - Returns: the element. The caller releases it outside the lock.
    mutating func remove(at index: Int, in test: UInt64) -> Element? {
        if test == 0 { return ofProcess.remove(at: index) }
        let removed = ofTests[test]?.remove(at: index)
        if ofTests[test]?.isEmpty == true { ofTests[test] = nil }
        return removed
    }

    /// Returns the elements of a test that `isMeant` selects, in no particular order.
    func all(in test: UInt64, where isMeant: (Element) -> Bool = { _ in true }) -> [Element] {
        test == 0 ? ofProcess.all(where: isMeant) : ofTests[test]?.all(where: isMeant) ?? []
    }

    /// Returns all elements that `isMeant` selects, in no particular order.
    func all(where isMeant: (Element) -> Bool = { _ in true }) -> [Element] {
        ofProcess.all(where: isMeant) + ofTests.values.flatMap { $0.all(where: isMeant) }
    }
}
