extension Array {
    /// The elements, sorted by a number; equal ones keep their order.
    func sorted(by number: (Element) -> Int) -> [Element] {
        // The standard library's sort is compiled anew for each type of elements, so long rows are sorted as numbers.
        if count > 16 { return Sorting.indices(sorting: map(number)).map { self[$0] } }
        var sorted = self
        for index in indices.dropFirst() {
            var place = index
            while place > 0, number(sorted[place - 1]) > number(sorted[place]) {
                sorted.swapAt(place - 1, place)
                place -= 1
            }
        }
        return sorted
    }

    /// The elements, those with the greatest number first.
    func sortedDescending(by number: (Element) -> UInt64) -> [Element] {
        sorted(by: { -Int(truncatingIfNeeded: number($0)) })
    }
}

private enum Sorting {
    /// The indices of `numbers`, in the order of these.
    @inline(never)
    static func indices(sorting numbers: [Int]) -> [Int] {
        zip(numbers, numbers.indices).sorted { $0 < $1 }.map(\.1)
    }
}
