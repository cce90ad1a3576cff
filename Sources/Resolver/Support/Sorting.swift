extension Array {
    /// Sorts by a number. Equal elements keep their order.
    ///
    /// The standard library's sort is specialized for each element type. To save code, it sorts only numbers and texts here, and
    /// numbers only for more than 16 elements.
    ///
    /// - Parameter number: returns the number of the element at an index. (An element as the parameter would be copied, with all
    ///   references that it holds.)
    mutating func sort(by number: ([Element], Int) -> Int) {
        if count > 16 {
            self = Sorting.indices(sorting: indices.map { number(self, $0) }).map { self[$0] }
            return
        }
        for index in indices.dropFirst() {
            let moved = number(self, index)
            var target = index
            while target > 0, number(self, target - 1) > moved { target -= 1 }
            // `swapAt` would copy elements, with all references that they hold.
            if target < index { insert(remove(at: index), at: target) }
        }
    }

    /// Returns the elements, sorted by a number. Equal elements keep their order.
    func sorted(by number: (Element) -> Int) -> [Element] {
        var sorted = self
        sorted.sort { number($0[$1]) }
        return sorted
    }

    /// Returns the elements, sorted by a text. Equal elements keep their order.
    func sorted(byText text: (Element) -> String) -> [Element] { Sorting.indices(sorting: map(text)).map { self[$0] } }

    mutating func sortDescending(by number: (Element) -> UInt64) { sort { -Int(truncatingIfNeeded: number($0[$1])) } }
}

private enum Sorting {
    /// Returns the indices of `keys`, numbers or texts, in ascending order of the keys.
    @inline(never)
    static func indices<Key: Comparable>(sorting keys: [Key]) -> [Int] {
        keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    }
}
