extension Array {
    /// Sorts by a number. Equal elements keep their order.
    ///
    /// The standard library's sort is specialized for each element type. To save code, it sorts only numbers here, and only for more
    /// than 16 elements.
    ///
    /// - Parameter number: returns the number of the element at an index. (An element as the parameter would be copied, with all
    ///   references that it holds.)
    mutating func sort(by number: ([Element], Int) -> Int) {
        if count > 16 {
            self = Sorting.indices(sorting: indices.map { number(self, $0) }).map { self[$0] }
            return
        }
        for index in indices.dropFirst() {
            var place = index
            while place > 0, number(self, place - 1) > number(self, place) {
                swapAt(place - 1, place)
                place -= 1
            }
        }
    }

    /// Returns the elements, sorted by a number. Equal elements keep their order.
    func sorted(by number: (Element) -> Int) -> [Element] {
        var sorted = self
        sorted.sort { number($0[$1]) }
        return sorted
    }

    /// Sorts by a number, in descending order.
    mutating func sortDescending(by number: (Element) -> UInt64) {
        sort { -Int(truncatingIfNeeded: number($0[$1])) }
    }
}

private enum Sorting {
    /// Returns the indices of `numbers` in ascending order of the numbers.
    @inline(never)
    static func indices(sorting numbers: [Int]) -> [Int] {
        zip(numbers, numbers.indices).sorted { $0 < $1 }.map(\.1)
    }
}
