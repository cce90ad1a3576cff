extension Array {
    /// Sorts by a number; equal elements keep their order.
    ///
    /// The standard library's sort is compiled anew for each type of elements, so it sorts numbers here, and only where there are many.
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

    /// The elements, sorted by a number.
    func sorted(by number: (Element) -> Int) -> [Element] {
        var sorted = self
        sorted.sort(by: number)
        return sorted
    }

    /// Sorts by a number, the greatest first.
    mutating func sortDescending(by number: (Element) -> UInt64) {
        sort(by: { -Int(truncatingIfNeeded: number($0)) })
    }
}

private enum Sorting {
    /// The indices of `numbers`, in the order of these.
    @inline(never)
    static func indices(sorting numbers: [Int]) -> [Int] {
        zip(numbers, numbers.indices).sorted { $0 < $1 }.map(\.1)
    }
}
