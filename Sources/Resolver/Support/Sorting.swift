extension Array {
    /// Sorts by a number. Equal elements keep their order.
    ///
    /// The standard library's sort is specialized for each element type. To save code, it sorts only numbers here, and only for more
    /// than 16 elements.
    mutating func sort(by number: (Element) -> Int) {
        if count > 16 {
            self = Sorting.indices(sorting: map(number)).map { self[$0] }
            return
        }
        for index in indices.dropFirst() {
            var place = index
            while place > 0, number(self[place - 1]) > number(self[place]) {
                swapAt(place - 1, place)
                place -= 1
            }
        }
    }

    /// Returns the elements, sorted by a number. Equal elements keep their order.
    func sorted(by number: (Element) -> Int) -> [Element] {
        var sorted = self
        sorted.sort(by: number)
        return sorted
    }

    /// Sorts by a number, in descending order.
    mutating func sortDescending(by number: (Element) -> UInt64) {
        sort(by: { -Int(truncatingIfNeeded: number($0)) })
    }
}

private enum Sorting {
    /// Returns the indices of `numbers` in ascending order of the numbers.
    @inline(never)
    static func indices(sorting numbers: [Int]) -> [Int] {
        zip(numbers, numbers.indices).sorted { $0 < $1 }.map(\.1)
    }
}
